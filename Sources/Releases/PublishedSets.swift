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

    /// - Throws: `PublishingError.clockBehind` if a set of any audience is newer than this time.
    package func checkClock(_ generatedAt: String) throws(PublishingError) {
        for audience in Audience.allCases { try folder(audience).checkClock(generatedAt) }
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

    /// A line a set, newest first, of one audience after the other: audience, id, when it was made, whether it is
    /// `current` or `previous`.
    ///
    /// - Throws: `PublishingError.nothingPublished` if there is none.
    package func lines() throws(PublishingError) -> [String] {
        var lines: [String] = []
        for audience in Audience.allCases {
            let current = try folder(audience).heldSince().map { "  current, held since \($0)" } ?? "  current"
            lines += try folder(audience).list().map { run in
                let mark = run.isCurrent ? current : run.isPrevious ? "  previous" : ""
                return "\(audience.rawValue)  \(run.id)  \(run.generatedAt ?? "unreadable manifest")\(mark)"
            }
        }
        if lines.isEmpty { throw .nothingPublished(root: root) }
        return lines
    }

    /// What a rollback would do, a line an audience.
    package func rollbackLines(
        to id: String?, audiences: [Audience], isHeld: Bool
    ) throws(PublishingError) -> [String] {
        var lines: [String] = []
        for audience in audiences {
            let folder = self.folder(audience)
            let previous = try folder.previousID()
            let runs = try folder.list()
            guard let goal = id ?? previous, runs.contains(where: { $0.id == goal }) else { continue }
            lines.append(
                "\(audience.rawValue): make \(goal) current\(isHeld ? " and hold it" : ""), in place of "
                    + (try folder.currentID() ?? "nothing"))
        }
        guard lines.isEmpty else { return lines }
        if let id { throw .unknownRun(id) }
        throw .nothingToGoBackTo(root: root)
    }

    /// - Parameters:
    ///   - run: nil: the one that readers see.
    ///   - store: what the sets' figures are checked against besides.
    /// - Throws: `PublishingError.nothingPublished` if no audience has such a set.
    package func findings(run: String?, store: StoreReconciliation?) throws -> [CheckFinding] {
        var findings: [CheckFinding] = []
        for audience in Audience.allCases {
            let folder = self.folder(audience)
            let id = try run ?? folder.currentID()
            let isThere = try folder.list().contains { $0.id == id } || (run == nil && id != nil)
            guard isThere else { continue }
            findings += try PublishedSetCheck(folder, audience).findings(run: run, store: store)
        }
        if findings.isEmpty {
            if let run { throw PublishingError.unknownRun(run) }
            throw PublishingError.nothingPublished(root: root)
        }
        return findings
    }
}
