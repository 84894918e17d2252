import Basics
import ExportBytes
import Foundation
import Intake
import Profiles
import Trips

/// A proposed profile, tried on the first records of its exports by the reader that a run uses: so what a run would refuse is said
/// before the profile is saved.
struct ProposalTrial {
    private static let mostRecords = 20_000
    private static let mostExports = 20

    /// What became of the records that could be read.
    private var counts = ReadCounts()
    private var isWhole = true
    private var days: ClosedRange<Int32>?
    /// Why a run refuses an export, and what to do; nil: it does not.
    private(set) var refusal: String?
    /// What the records seem to be where they are refused: see `ExportError.recordKind`.
    private(set) var recordKind: RecordKind?

    /// - Parameters:
    ///   - paths: of the exports, several of an archive; `-` cannot be read a second time.
    ///   - yaml: the profile.
    init(paths: [String], yaml: String) {
        let paths = paths.filter { $0 != "-" }.prefix(Self.mostExports)
        do {
            let profile = try ProfileFile.read(
                Array(yaml.utf8), file: "the profile", isKnownZone: { TimeZone(identifier: $0) != nil },
                load: { throw ProfileProposalError.exists($0) })
            for path in paths {
                let reader = try ExportReader(ExportReader.Request(path: path, profile: profile, textNeeds: []))
                let found = try reader.tryFirst(Self.mostRecords)
                reader.close()
                counts.merge(found.counts)
                isWhole = isWhole && found.isWhole
                days =
                    days.map { own in
                        found.days.map { min(own.lowerBound, $0.lowerBound)...max(own.upperBound, $0.upperBound) }
                            ?? own
                    } ?? found.days
            }
        } catch let error as ExportError {
            refusal = (paths.count > 1 ? "\(error.file): " : "") + "\(error.problem); \(error.remedy)"
            recordKind = error.recordKind.flatMap(RecordKind.init)
        } catch {
            refusal = "\(error)".replacing("\n", with: "; ")
        }
    }

    /// What was read, for a note: also the months, since a date that is read wrongly shows there first.
    var sentence: String? {
        guard refusal == nil, counts.read > 0 else { return nil }
        let trips = counts.read - counts.skipped - counts.rejected - counts.merged
        let months = days.map { days in
            let first = CivilDay(daysSince1970: days.lowerBound).month
            let last = CivilDay(daysSince1970: days.upperBound).month
            return first == last ? " of \(first)" : " of \(first) to \(last)"
        }
        return (isWhole ? "read with this profile: " : "its first records, read with this profile: ")
            + "\(trips) of \(counts.read) records are trips" + (months ?? "")
            + (counts.skipped > 0 ? ", \(counts.skipped) skipped" : "")
            + (counts.rejected > 0 ? ", \(counts.rejected) rejected: the scan says why" : "")
    }
}
