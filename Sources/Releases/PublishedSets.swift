import Privacy
package import Publishing

/// The published sets of all audiences, as the command line handles them.
package struct PublishedSets: Sendable {
    private let folders: PublishedFolders

    package init(root: String) {
        folders = PublishedFolders(root: root)
    }

    /// A line a set, newest first, of one audience after the other: audience, id, when it was made, whether it is
    /// `current` or `previous`.
    ///
    /// - Throws: `PublishingError.nothingPublished` if there is none.
    package func lines() throws(PublishingError) -> [String] {
        var lines: [String] = []
        for audience in Audience.allCases {
            lines += try folders.folder(audience).list().map { run in
                let mark = run.isCurrent ? "  current" : run.isPrevious ? "  previous" : ""
                return "\(audience.rawValue)  \(run.id)  \(run.generatedAt ?? "unreadable manifest")\(mark)"
            }
        }
        if lines.isEmpty { throw .nothingPublished(root: folders.root) }
        return lines
    }

    /// What a rollback would do, a line an audience.
    package func rollbackLines(to id: String?) throws(PublishingError) -> [String] {
        var lines: [String] = []
        for audience in Audience.allCases {
            let folder = folders.folder(audience)
            let previous = try folder.previousID()
            let runs = try folder.list()
            guard let goal = id ?? previous, runs.contains(where: { $0.id == goal }) else { continue }
            lines.append(
                "\(audience.rawValue): make \(goal) current, in place of \(try folder.currentID() ?? "nothing")")
        }
        guard lines.isEmpty else { return lines }
        if let id { throw .unknownRun(id) }
        throw .nothingToGoBackTo(root: folders.root)
    }

    /// - Parameters:
    ///   - run: nil: the one that readers see.
    ///   - store: what the sets' figures are checked against besides.
    /// - Throws: `PublishingError.nothingPublished` if no audience has such a set.
    package func findings(run: String?, store: StoreReconciliation?) throws -> [PublishedSetCheck.Finding] {
        var findings: [PublishedSetCheck.Finding] = []
        for audience in Audience.allCases {
            let folder = folders.folder(audience)
            let id = try run ?? folder.currentID()
            let isThere = try folder.list().contains { $0.id == id } || (run == nil && id != nil)
            guard isThere else { continue }
            findings += try PublishedSetCheck(folder, audience).findings(run: run, store: store)
        }
        if findings.isEmpty {
            if let run { throw PublishingError.unknownRun(run) }
            throw PublishingError.nothingPublished(root: folders.root)
        }
        return findings
    }
}
