#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension PublicationFolder {
    /// Removes the oldest sets beyond the newest `count`, by the time of their manifest.
    ///
    /// It never removes what `current` or `previous` points at, nor anything that is no published set. A set that was
    /// written, or ceased to be current, less than `minimumAgeSeconds` ago stays too: a reader may still be in it.
    ///
    /// - Parameters:
    ///   - count: at least 1; below that it is taken for 1.
    ///   - nowEpochSeconds: the clock that file times are compared with, never `SOURCE_DATE_EPOCH`.
    /// - Returns: the ids of what was removed, oldest last.
    @discardableResult
    package func keep(
        last count: Int, nowEpochSeconds: Int, minimumAgeSeconds: Int = 3600
    ) throws -> [String] {
        try clearLeftovers()
        var removed: [String] = []
        for run in try list().dropFirst(max(1, count)) where !run.isCurrent && !run.isPrevious {
            let path = path(of: run.id)
            guard let age = age(of: path, nowEpochSeconds: nowEpochSeconds), age >= minimumAgeSeconds else { continue }
            // Hidden first: a removal that is cut short leaves no half set among the runs.
            let gone = runsPath + "/" + Leftover.gone.name(of: run.id)
            try files.rename(path, to: gone)
            try files.remove(gone)
            removed.append(run.id)
        }
        if !removed.isEmpty { try files.sync(folder: runsPath) }
        return removed
    }

    /// Seconds since the folder last changed; nil for a link, which is none of ours.
    private func age(of path: String, nowEpochSeconds: Int) -> Int? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        #if canImport(Glibc)
        return nowEpochSeconds - Int(status.st_mtim.tv_sec)
        #else
        return nowEpochSeconds - Int(status.st_mtimespec.tv_sec)
        #endif
    }
}
