package import Publishing

/// The published sets of a folder, as the command line handles them.
package struct PublishedSets: Sendable {
    private let folder: PublicationFolder

    package init(root: String) {
        folder = PublicationFolder(root: root)
    }

    /// A line a set, newest first: id, when it was made, whether it is `current` or `previous`.
    ///
    /// - Throws: `PublishingError.nothingPublished` if there is none.
    package func lines() throws(PublishingError) -> [String] {
        let runs = try folder.list()
        if runs.isEmpty { throw .nothingPublished(root: folder.root) }
        return runs.map { run in
            let mark = run.isCurrent ? "  current" : run.isPrevious ? "  previous" : ""
            return "\(run.id)  \(run.generatedAt ?? "unreadable manifest")\(mark)"
        }
    }

    /// - Parameters:
    ///   - run: nil: the one that readers see.
    ///   - store: what the set's figures are held to besides.
    package func findings(run: String?, store: StoreReconciliation?) throws -> [PublishedSetCheck.Finding] {
        try PublishedSetCheck(folder).findings(run: run, store: store)
    }
}
