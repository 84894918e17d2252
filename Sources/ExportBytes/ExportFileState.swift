import Foundation

/// The identity, size and times of a regular file at one moment. Two equal states of a file mean equal content.
///
/// The time of the last status change is part of it: a program can set the modification time back, but not that one.
struct ExportFileState: Sendable, Equatable {
    private let file: ExportFileStat

    /// - Parameter status: of a regular file.
    init(_ status: stat) {
        file = ExportFileStat(status)
    }

    /// Whether a change from now on must show in the times: the file system's clock has ticked since the last change.
    ///
    /// The kernel stamps files with a clock that ticks every few milliseconds, and some file systems store whole seconds.
    /// A time ahead of this machine's clock was set by another machine, whose clock cannot be read.
    var showsLaterChanges: Bool {
        #if canImport(Glibc)
        var now = timespec()
        guard clock_gettime(CLOCK_REALTIME_COARSE, &now) == 0 else { return true }
        let (changedSecond, changedFraction) = file.changedNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        if changedSecond > now.tv_sec + 1 || now.tv_sec > changedSecond { return true }
        if changedFraction == 0 { return false }
        return now.tv_sec == changedSecond && now.tv_nsec > changedFraction
        #else
        return true
        #endif
    }
}

extension timespec {
    var nanoseconds: Int { tv_sec * 1_000_000_000 + tv_nsec }
}

extension stat {
    #if canImport(Glibc)
    var modified: timespec { st_mtim }
    var statusChanged: timespec { st_ctim }
    #else
    var modified: timespec { st_mtimespec }
    var statusChanged: timespec { st_ctimespec }
    #endif
}
