import ExportBytes
import Operations

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the process is told before anything else.
package enum ProcessSetup {
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
        MemoryPolicy.returnLargeBlocks()
        umask(0o077)
        // A reader that goes away (`| head`) ends the program quietly.
        signal(SIGPIPE, SIG_DFL)
        // A file that grows beyond its limit is an error of the write, not the end of the process.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Ends the process by the signal that asked it to stop, if that is what the error says: its parent then sees a
    /// process that was stopped, status 128 + signal in a shell. To be called when all is tidied up and told.
    package static func endIfStopped(by error: any Error) {
        if let stopped = error as? Stopped { stopped.endProcess() }
    }

    /// How many exports may stay open at a time: what the limit of open files leaves beside standard streams, outputs and
    /// what threads open for a moment, at most 64. To be asked after `begin`.
    package static var mostOpenExports: Int {
        var files = rlimit()
        #if canImport(Glibc)
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else { return mostOpenExportsOfAny }
        #else
        guard getrlimit(RLIMIT_NOFILE, &files) == 0 else { return mostOpenExportsOfAny }
        #endif
        let limit = Int(clamping: files.rlim_cur)
        return min(mostOpenExportsOfAny, max(1, limit - otherOpenFiles))
    }

    private static let mostOpenExportsOfAny = 64
    private static let otherOpenFiles = 32

    /// Exports of a run stay open where they can, for records are read again to compare versions.
    private static func raiseFileLimit() {
        var files = rlimit()
        #if canImport(Glibc)
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else { return }
        files.rlim_cur = files.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        #endif
    }
}
