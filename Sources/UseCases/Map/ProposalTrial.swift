import ExportBytes
import Foundation
import Intake
import Profiles
import Trips

/// A proposed profile, tried on the first records of its export by the reader that a run uses: so what a run would refuse is said
/// before the profile is saved.
struct ProposalTrial {
    private static let mostRecords = 20_000

    /// What became of the records; nil: they cannot be read twice, or a run refuses them.
    private(set) var counts: ReadCounts?
    private(set) var isWhole = false
    /// Why a run refuses the export, and what to do; nil: it does not.
    private(set) var refusal: String?

    /// What the records seem to be where they are refused: see `ExportError.recordKind`.
    private(set) var recordKind: RecordKind?

    /// - Parameters:
    ///   - path: of the export; `-` cannot be read a second time.
    ///   - yaml: the profile.
    init(path: String, yaml: String) {
        guard path != "-" else { return }
        do {
            let profile = try ProfileFile.read(
                Array(yaml.utf8), file: "the profile", isKnownZone: { TimeZone(identifier: $0) != nil },
                load: { throw ProfileProposalError.exists($0) })
            let request = ExportReader.Request(path: path, profile: profile, textNeeds: [])
            (counts, isWhole) = try ExportReader(request).tryFirst(Self.mostRecords)
        } catch let error as ExportError {
            refusal = "\(error.problem); \(error.remedy)"
            recordKind = error.recordKind.flatMap(RecordKind.init)
        } catch {
            refusal = "\(error)".replacing("\n", with: "; ")
        }
    }

    /// What was read, for a note.
    var sentence: String? {
        counts.map { counts in
            let trips = counts.read - counts.skipped - counts.rejected - counts.merged
            return (isWhole ? "read with this profile: " : "its first records, read with this profile: ")
                + "\(trips) of \(counts.read) records are trips"
                + (counts.skipped > 0 ? ", \(counts.skipped) skipped" : "")
                + (counts.rejected > 0 ? ", \(counts.rejected) rejected: the scan says why" : "")
        }
    }
}
