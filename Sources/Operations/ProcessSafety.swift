#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What each of the two programs does before anything else.
package enum ProcessSafety {
    /// A crash must not show what was in memory, for identifiers live there while an export is read: no core
    /// file, no backtrace with registers and memory.
    ///
    /// Swift's runtime may have installed a handler that prints memory around each register; the default actions take
    /// its place. New files are for their owner only.
    package static func begin() {
        for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #else
        setrlimit(RLIMIT_CORE, &none)
        #endif
        raiseFileLimit()
        umask(0o077)
        // A reader that goes away (`| head`) ends the program quietly.
        signal(SIGPIPE, SIG_DFL)
        // A file that grows beyond its limit is an error of the write, not the end of the process.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// From here on a reader that goes away is an error of the write, so that what was begun is finished.
    package static func outliveReaders() { signal(SIGPIPE, SIG_IGN) }

    /// Exports of a run stay open where they can, for records are read again to compare versions; a server holds a file for
    /// each connection.
    private static func raiseFileLimit() {
        var files = rlimit()
        #if canImport(Glibc)
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else { return }
        files.rlim_cur = files.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        #endif
    }
}
