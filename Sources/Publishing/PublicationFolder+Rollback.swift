extension PublicationFolder {
    /// Makes an earlier set the one that readers see, once it is found whole; the one they saw becomes `previous`, so a
    /// second rollback takes back the first.
    ///
    /// - Parameter id: a run of `list()`; nil: what `previous` points at.
    /// - Returns: the run that readers see now.
    @discardableResult
    package func rollback(to id: String? = nil) throws(PublishingError) -> String {
        let current = try target(of: .current)
        let previous = try target(of: .previous)
        guard let goal = id ?? previous else { throw .nothingToGoBackTo(root: root) }
        guard SafeName.isSafe(goal) else { throw .unsafeName(goal) }
        guard files.isFolder(path(of: goal)) else { throw .unknownRun(goal) }
        guard id != nil || goal != current else { throw .nothingToGoBackTo(root: root) }
        let findings = try check(goal)
        guard findings.isEmpty else { throw .damaged(run: goal, findings: findings.map(\.description)) }
        guard goal != current else { return goal }
        // `current` first: a stop between the two then needs no second rollback.
        try point(.current, to: goal)
        if let current, files.isFolder(path(of: current)) {
            try point(.previous, to: current)
            files.touch(path(of: current))
        }
        try files.sync(folder: root)
        return goal
    }
}
