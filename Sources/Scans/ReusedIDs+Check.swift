import ExportBytes
import Profiles
import Trips
import Versions

extension ReusedIDs {
    /// - Parameter names: of the exports.
    /// - Throws: if the ids are not unique.
    func check(_ names: [String]) throws(ExportError) {
        guard areDoubtful else { return }
        throw ExportError(
            kind: .reusedIDs, file: names.count == 1 ? names[0] : "the exports", problem: problem,
            remedy: Self.remedy)
    }
}

extension ScanPlan {
    /// Compares records that were replaced, unless the profile says that they are versions.
    func checkedIDs(_ resolver: inout VersionResolver) throws(ExportError) -> ReusedIDs {
        profile?.records == .versions ? ReusedIDs() : try resolver.reusedIDs()
    }
}
