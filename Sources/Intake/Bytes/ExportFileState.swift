#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The identity, size and times of a regular file at one moment. Two equal states of a file mean equal content.
///
/// The time of the last status change is part of it: a program can set the modification time back, but not that one.
struct ExportFileState: Sendable, Equatable {
    private let bytes: Int
    private let modified: Timestamp
    private let statusChanged: Timestamp
    private let inode: UInt64
    private let device: UInt64

    private struct Timestamp: Equatable {
        var seconds: Int
        var nanoseconds: Int

        init(_ time: timespec) {
            seconds = time.tv_sec
            nanoseconds = time.tv_nsec
        }
    }

    /// - Parameter status: of a regular file.
    init(_ status: stat) {
        bytes = Int(status.st_size)
        inode = UInt64(status.st_ino)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        #if canImport(Glibc)
        modified = Timestamp(status.st_mtim)
        statusChanged = Timestamp(status.st_ctim)
        #else
        modified = Timestamp(status.st_mtimespec)
        statusChanged = Timestamp(status.st_ctimespec)
        #endif
    }

    /// Whether a change from now on must show in the times: the file system's clock has ticked since the last change.
    ///
    /// The kernel stamps files with a clock that stands still for some milliseconds, and some file systems keep whole
    /// seconds. A time ahead of this machine's clock was given by another machine, whose clock cannot be asked.
    var showsLaterChanges: Bool {
        #if canImport(Glibc)
        var now = timespec()
        guard clock_gettime(CLOCK_REALTIME_COARSE, &now) == 0 else { return true }
        let clock = Timestamp(now)
        let isAhead = statusChanged.seconds > clock.seconds + 1
        if isAhead || clock.seconds > statusChanged.seconds { return true }
        if statusChanged.nanoseconds == 0 { return false }
        return clock.seconds == statusChanged.seconds && clock.nanoseconds > statusChanged.nanoseconds
        #else
        return true
        #endif
    }
}
