import Basics
import KPIContract
package import Privacy
package import Publishing

/// The published sets of all audiences: a `PublicationFolder` for each, `release` and `staff`, below one root.
package struct PublishedSets: Sendable {
    private let root: String

    package init(root: String) {
        self.root = root
    }

    /// The sets of one audience.
    package func folder(_ audience: Audience) -> PublicationFolder {
        PublicationFolder(root: "\(root)/\(audience.rawValue)")
    }

    /// Whether runs publish nothing over the current set of an audience.
    package func isHeld(_ audience: Audience) throws(PublishingError) -> Bool {
        try folder(audience).heldSince() != nil
    }

    /// - Throws: `PublishingError.clockBehind` if the current set of one of these audiences is newer than this time.
    package func checkClock(_ generatedAt: String, _ audiences: [Audience]) throws(PublishingError) {
        for audience in audiences { try folder(audience).checkClock(generatedAt) }
    }

    /// The newest set that readers of any audience see; nil if nothing is published.
    package func newestID() throws(PublishingError) -> String? {
        var newest: String?
        for audience in Audience.allCases {
            guard let id = try folder(audience).currentID() else { continue }
            newest = max(newest ?? id, id)
        }
        return newest
    }

    /// A line a set, newest first, of one audience after the other: audience, id, when it was made, its months and trips,
    /// whether it shows the same as the set before it, whether it is `current` or `previous`.
    ///
    /// - Throws: `PublishingError.nothingPublished` if there is none.
    package func lines() throws(PublishingError) -> [String] {
        var lines: [String] = []
        for audience in Audience.allCases {
            let current = try folder(audience).heldSince().map { "  current, held since \($0)" } ?? "  current"
            let runs = try folder(audience).list()
            var summaries: [KPISummaryV1?] = []
            for run in runs { summaries.append(try folder(audience).summary(of: run.id)) }
            for (index, run) in runs.enumerated() {
                let mark = run.isCurrent ? current : run.isPrevious ? "  previous" : ""
                let time = run.generatedAt ?? "unreadable manifest"
                let before = index + 1 < runs.count ? summaries[index + 1] : nil
                let content = summaries[index].map { "  " + Self.content($0, after: before) } ?? ""
                lines.append("\(audience.rawValue)  \(run.id)  \(time)\(content)\(mark)")
            }
        }
        if lines.isEmpty { throw .nothingPublished(root: root) }
        return lines
    }

    /// `24 months to 2026-10, 30,112 trips`, so that a set to go back to can be told from the others.
    private static func content(_ summary: KPISummaryV1, after before: KPISummaryV1?) -> String {
        let trips = summary.cell(at: CellKey())?.trips.map { ", \(NumberText.grouped($0)) trips" } ?? ""
        let last = summary.months.last.map { " to \($0)" } ?? ""
        let isSame = before.map { $0.cells == summary.cells } ?? false
        let months = summary.months.count == 1 ? "1 month" : "\(summary.months.count) months"
        return "\(months)\(last)\(trips)" + (isSame ? ", the same figures as the set before" : "")
    }

    /// The set that a rollback makes current for each audience, found whole.
    ///
    /// - Parameters:
    ///   - id: a run of `lines()`; nil: the one before. A rollback to hold that was stopped goes on to its own set.
    ///   - audiences: nil: those whose current set was made last. A night may have published for one audience only: the
    ///     other's set is of an earlier night, and stays.
    /// - Throws: if none can go back, or one of the sets is damaged.
    package func rollbackGoals(
        to id: String?, audiences asked: [Audience]?, isHeld: Bool
    ) throws(PublishingError) -> [(audience: Audience, run: String)] {
        var goals: [(audience: Audience, run: String)] = []
        let newest = try newestTime()
        for audience in asked ?? Audience.allCases {
            let folder = self.folder(audience)
            if isHeld, id == nil, let held = try folder.heldID() {
                goals.append((audience, try folder.rollbackGoal(held)))
                continue
            }
            let current = try folder.currentID()
            if asked == nil, id == nil, let current, try folder.manifest(of: current)?.generatedAt != newest {
                if isHeld { goals.append((audience, current)) }
                continue
            }
            let previous = try folder.previousID()
            guard let goal = id ?? previous, try folder.list().contains(where: { $0.id == goal }) else { continue }
            goals.append((audience, try folder.rollbackGoal(id)))
        }
        if goals.isEmpty, let id { throw .unknownRun(id) }
        if goals.isEmpty { throw .nothingToGoBackTo(root: root) }
        return goals
    }

    /// When the newest of the current sets was made.
    package func newestTime(_ audiences: [Audience] = Audience.allCases) throws(PublishingError) -> String? {
        var newest: String?
        for audience in audiences {
            let folder = self.folder(audience)
            guard let id = try folder.currentID(), let time = try folder.manifest(of: id)?.generatedAt else { continue }
            newest = max(newest ?? time, time)
        }
        return newest
    }

    /// What a rollback would do, a line an audience.
    package func rollbackLines(
        to id: String?, audiences: [Audience]?, isHeld: Bool
    ) throws(PublishingError) -> [String] {
        var lines: [String] = []
        for goal in try rollbackGoals(to: id, audiences: audiences, isHeld: isHeld) {
            let current = try folder(goal.audience).currentID()
            let held = isHeld ? " and hold it" : ""
            lines.append(
                goal.run == current
                    ? "\(goal.audience.rawValue): leave \(goal.run) current\(held)"
                    : "\(goal.audience.rawValue): make \(goal.run) current\(held), in place of \(current ?? "nothing")")
        }
        return lines
    }

    /// - Parameters:
    ///   - run: nil: the one that readers see.
    ///   - store: what the sets' figures are checked against besides.
    ///   - extent: how many of published rows are read.
    ///   - isOptional: whether there may be no set.
    /// - Throws: `PublishingError.nothingPublished` if no audience has such a set.
    package func findings(
        run: String?, store: StoreReconciliation?, extent: VerificationExtent, isOptional: Bool = false,
        progress: (String) -> Void = { _ in }
    ) throws -> [CheckFinding] {
        var findings: [CheckFinding] = []
        var sets: [PublishedSetCheck.VerifiedSet] = []
        for audience in Audience.allCases {
            let folder = self.folder(audience)
            let id = try run ?? folder.currentID()
            let isThere = try folder.list().contains { $0.id == id } || (run == nil && id != nil)
            guard isThere else { continue }
            progress("the \(audience.rawValue) set")
            let (found, set) = try PublishedSetCheck(folder, audience).findings(run: run, extent: extent)
            findings += found
            if let set { sets.append(set) }
        }
        if let store, !sets.isEmpty { findings += try store.findings(sets) }
        if findings.isEmpty, !isOptional {
            if let run { throw PublishingError.unknownRun(run) }
            throw PublishingError.nothingPublished(root: root)
        }
        return findings
    }
}
