import ExportBytes
import Operations

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the process is told before anything else.
package enum ProcessSetup {
    /// To be called first: what `ProcessSafety` promises, and memory that is returned to the system.
    package static func begin() {
        ProcessSafety.begin()
        MemoryPolicy.returnLargeBlocks()
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
}
