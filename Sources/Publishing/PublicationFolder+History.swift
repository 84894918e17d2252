package import Basics
import Files

extension PublicationFolder {
    /// Removes the oldest sets beyond the newest `count`, by the time of their manifest, and those that a clock which was ahead
    /// has dated later than now.
    ///
    /// It never removes what `current` or `previous` points at, nor anything that is no published set. A set that was
    /// written, or ceased to be current, less than `minimumAgeSeconds` ago stays too: a reader may still be in it.
    ///
    /// - Parameters:
    ///   - count: at least 1; below that it is taken for 1.
    ///   - generatedAt: the time of this run, RFC 3339 in UTC.
    ///   - oldest: sets that are older are removed too, RFC 3339 in UTC; nil: none is too old.
    ///   - now: the clock that file times are compared with, never `SOURCE_DATE_EPOCH`.
    /// - Returns: the ids of what was removed, oldest last.
    @discardableResult
    package func keep(
        last count: Int, at generatedAt: String, from oldest: String? = nil, now: UTCTime,
        minimumAgeSeconds: Int = 3600
    ) throws -> [String] {
        try clearLeftovers()
        var removed: [String] = []
        let runs = try list()
        let later = runs.prefix { ($0.generatedAt ?? "") > generatedAt }
        let kept = runs.dropFirst(later.count).prefix(max(1, count)).prefix { run in
            oldest.map { (run.generatedAt ?? "") >= $0 } ?? true
        }
        let surplus = later + runs.dropFirst(later.count + kept.count)
        for run in surplus where !run.isCurrent && !run.isPrevious {
            let path = path(of: run.id)
            // A folder of the future was not written in the last hour either.
            guard let age = try age(of: path, at: now), abs(age) >= minimumAgeSeconds else {
                continue
            }
            try remove(run.id)
            removed.append(run.id)
        }
        if !removed.isEmpty { try files.sync(folder: runsPath) }
        return removed
    }

    package func contains(_ name: String, in id: String) throws(PublishingError) -> Bool {
        try files.status(path(of: name, in: id)) != nil
    }

    /// Removes those of the earlier sets that have one of these files, also the one that a rollback would go back to. Readers who are
    /// still in such a set lose it.
    ///
    /// - Parameter isOld: whether a set is one of them.
    /// - Returns: their ids, newest first.
    package func removeEarlier(with names: [String], where isOld: (Run) throws -> Bool) throws -> [String] {
        var removed: [String] = []
        for run in try list() where !run.isCurrent {
            guard try isOld(run), try names.contains(where: { try contains($0, in: run.id) }) else { continue }
            if run.isPrevious { try files.remove(path(of: .previous)) }
            try remove(run.id)
            removed.append(run.id)
        }
        if !removed.isEmpty {
            try files.sync(folder: runsPath)
            try files.sync(folder: root)
        }
        return removed
    }

    func remove(_ id: String) throws(PublishingError) {
        // Hidden first: a removal that is cut short leaves no half set among the runs.
        let gone = runsPath + "/" + Leftover.gone.name(of: id)
        try files.rename(path(of: id), to: gone)
        try files.remove(gone)
    }

    /// Seconds since the folder last changed; nil for a link, which this program does not make there.
    private func age(of path: String, at now: UTCTime) throws(PublishingError) -> Int? {
        guard let status = try files.status(path), status.kind == .folder else { return nil }
        return now.secondsSince1970 - status.modified
    }
}

extension PublicationFolder {
    /// The set that a rollback makes current, found whole.
    ///
    /// - Parameter id: a run of `list()`; nil: what `previous` points at.
    package func rollbackGoal(_ id: String? = nil) throws(PublishingError) -> String {
        let current = try target(of: .current)
        let previous = try target(of: .previous)
        guard let goal = id ?? previous else { throw .nothingToGoBackTo(root: root) }
        guard SafeName.isSafe(goal) else { throw .unsafeName(goal) }
        guard try files.isFolder(path(of: goal)) else { throw .unknownRun(goal) }
        guard id != nil || goal != current else { throw .nothingToGoBackTo(root: root) }
        let findings = try check(goal)
        guard findings.isEmpty else { throw .damaged(run: goal, findings: findings.map(\.description)) }
        return goal
    }

    /// Makes an earlier set the one that readers see; the one they saw becomes `previous`, so a second rollback takes back
    /// the first.
    ///
    /// - Parameter id: as in `rollbackGoal`.
    /// - Returns: the run that readers see now.
    @discardableResult
    package func rollback(to id: String? = nil) throws(PublishingError) -> String {
        let goal = try rollbackGoal(id)
        try makeCurrent(goal)
        return goal
    }

    /// The second half of a rollback.
    ///
    /// - Parameter goal: an answer of `rollbackGoal`: it is not checked a second time.
    package func makeCurrent(_ goal: String) throws(PublishingError) {
        let current = try target(of: .current)
        guard goal != current else { return }
        // `current` first: a stop between the two then needs no second rollback.
        try point(.current, to: goal)
        if let current, try files.isFolder(path(of: current)) {
            try point(.previous, to: current)
            files.touch(path(of: current))
        }
        try files.sync(folder: root)
    }
}
