import ExportBytes
import Profiles
import Trips
import Versions

extension ReplacedTrips {
    /// - Parameter names: of the exports.
    /// - Throws: if something else than versions of trips would be replaced.
    func check(_ names: [String]) throws(ExportError) {
        guard let refusal else { return }
        throw ExportError(
            kind: .reusedIDs, file: names.count == 1 ? names[0] : "the exports", problem: refusal.problem,
            remedy: refusal.remedy)
    }
}

extension ScanPlan {
    /// Compares records that were replaced, unless the profile says that they are versions.
    func compared(_ resolver: inout VersionResolver) throws(ExportError) -> ReplacedSample {
        profile?.records == .versions ? ReplacedSample() : try resolver.replacedTrips()
    }
}
