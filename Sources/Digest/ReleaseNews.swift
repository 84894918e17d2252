import KPIContract
import Operations
import Publishing
import Releases
import Trips

/// What readers of the release see, and which months are new in it. It reads the release alone.
struct ReleaseNews: Sendable, Hashable {
    /// Ascending, `YYYY-MM`; empty: nothing is published, or the set has no month.
    private(set) var months: [String] = []
    private(set) var generatedAt: String?
    private(set) var heldSince: String?
    /// When the set was made that the months are compared with; nil: there is only the current set.
    private(set) var comparedWith: String?
    /// Months that the current set has, and the other set has not.
    private(set) var newMonths: [String] = []

    /// - Parameter since: compared with the newest set from before this time, else with the oldest that is kept.
    init(_ folder: PublicationFolder, since: UTCTime) throws {
        guard let id = try folder.currentID() else { return }
        guard let summary = try folder.summary(of: id) else {
            throw PublishingError.damaged(run: id, findings: ["its summary is missing or damaged"])
        }
        months = summary.months.sorted()
        generatedAt = summary.generatedAt
        heldSince = try folder.heldSince()
        let earlier = try folder.list().filter { $0.id != id && ($0.generatedAt ?? "") < summary.generatedAt }
        let limit = since.description
        guard let base = earlier.first(where: { ($0.generatedAt ?? limit) < limit }) ?? earlier.last else { return }
        // Of a damaged set it is not known which months it had.
        guard let before = try folder.summary(of: base.id)?.months else { return }
        comparedWith = base.generatedAt
        newMonths = months.filter { !before.contains($0) }
    }
}
