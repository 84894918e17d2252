import Basics
import Files
import KPIContract
import Privacy
import Publishing

/// What readers of the release see, and which months are new in it. It reads the release alone.
struct ReleaseNews: Sendable, Hashable {
    /// The current set beside an earlier one.
    enum Comparison: Sendable, Hashable {
        /// - Parameters:
        ///   - earlier: when the other set was made.
        ///   - newMonths: those that the current set has, and the other set has not.
        case made(earlier: String, newMonths: [String])
        case skipped(why: String)
    }

    /// Ascending, `YYYY-MM`; empty: nothing is published, or the set has no month.
    private(set) var months: [String] = []
    private(set) var generatedAt: String?
    private(set) var heldSince: String?
    private(set) var comparison: Comparison = .skipped(why: "nothing is published")

    /// - Parameters:
    ///   - reports: the folder of published sets; only its `release` is read.
    ///   - since: compared with the newest set from before this time, else with the oldest that is kept.
    /// - Throws: `MissingReports` if there is no such folder: that is not the same as nothing published.
    init(reports: String, since: UTCTime) throws {
        guard try FileStatus.lookUp(reports) != nil else { throw MissingReports(path: reports) }
        let folder = PublicationFolder(root: "\(reports)/\(Audience.release.rawValue)")
        guard let id = try folder.currentID() else { return }
        guard let summary = try folder.summary(of: id) else {
            throw PublishingError.damaged(run: id, findings: ["its summary is missing or damaged"])
        }
        months = summary.months.sorted()
        generatedAt = summary.generatedAt
        heldSince = try folder.heldSince()
        comparison = try Self.compare(summary, id, in: folder, since: since.description)
    }

    private static func compare(
        _ summary: KPISummaryV1, _ id: String, in folder: PublicationFolder, since: String
    ) throws -> Comparison {
        let others = try folder.list().filter { $0.id != id }
        let earlier = others.compactMap { run in run.generatedAt.map { (id: run.id, madeAt: $0) } }
            .filter { $0.madeAt < summary.generatedAt }
        guard let base = earlier.first(where: { $0.madeAt < since }) ?? earlier.last else {
            let hasUnreadable = others.contains { $0.generatedAt == nil }
            return .skipped(why: hasUnreadable ? "the earlier sets are damaged" : "no earlier set is kept")
        }
        guard let before = try folder.summary(of: base.id)?.months else {
            return .skipped(why: "the set of \(base.madeAt.prefix(10)) is damaged")
        }
        return .made(earlier: base.madeAt, newMonths: summary.months.sorted().filter { !before.contains($0) })
    }
}

/// The folder of published sets is not there: nothing was ever published, or the setting names another folder.
struct MissingReports: Error, CustomStringConvertible {
    let path: String

    var description: String {
        "there is no folder \(path): nothing was published yet, or the setting reports (TRIPKPI_REPORTS) names another folder"
    }
}
