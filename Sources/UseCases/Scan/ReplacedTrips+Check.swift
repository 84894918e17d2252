import ExportBytes
import Intake
import Profiles
import Trips

extension ReplacedTrips {
    /// - Parameters:
    ///   - names: of the exports.
    ///   - namesPlaces: whether the records are those of the files, and not composed of several.
    /// - Throws: if something else than versions of trips would be replaced.
    func check(_ names: [String], namesPlaces: Bool) throws(ExportError) {
        guard let refusal else { return }
        var error = ExportError(
            kind: .reusedIDs, file: names.count == 1 ? names[0] : "the exports", problem: refusal.problem,
            remedy: refusal.remedy)
        if namesPlaces {
            error.places = refusal.places.map {
                $0.description { names.indices.contains($0) ? FileLabel(fileName: names[$0]).description : nil }
            }
        }
        throw error
    }
}

extension ScanRequest {
    /// Whether a record of a trip is one of the export, and not composed of several.
    var hasPlaces: Bool { profile?.records?.isComposed != true }

    /// Compares records that were replaced, unless the profile says that they are versions.
    func compared(_ resolver: inout VersionResolver) throws(ExportError) -> ReplacedSample {
        profile?.records == .versions ? ReplacedSample() : try resolver.replacedTrips()
    }
}
