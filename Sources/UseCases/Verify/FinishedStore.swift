import Basics
import Foundation
import Operations
import Queries
import Store

#if canImport(Glibc)
import Glibc
#endif

/// Reads a store in a finished state, in which rows, ledger and tallies agree.
///
/// Each export is one transaction, which also marks the months it changes as stale; at the end of the loading one
/// transaction writes all their tallies. So every snapshot is either finished or has a stale month. In the second case a
/// run is under way: the reader waits for its end, and gives up with the name of the process that holds the run lock. If
/// no process holds the lock, a run was stopped, and the reader says that.
struct FinishedStore {
    let path: String
    /// A night is loaded in a few seconds.
    var patienceSeconds = 10.0
    var pauseSeconds = 0.1

    /// - Parameter read: gives a value, and whether the store was finished; may be called several times.
    /// - Throws: what `read` throws, `RunLockError.held`, or `QueryError.unfinished` where no run is under way.
    func snapshot<Value>(_ read: () throws -> (Value, isFinished: Bool)) throws -> Value {
        let deadline = Date().addingTimeInterval(patienceSeconds)
        while true {
            let before = holder
            let result = Result { try read() }
            switch result {
            case .success((let value, true)): return value
            case .failure(let error) where !Self.isPassing(error): throw error
            default: break
            }
            let after = holder
            // Free before and after: what was read is what a stopped run has left.
            guard let held = after ?? before else {
                _ = try result.get()
                throw QueryError.unfinished(path: path)
            }
            if Date() >= deadline { throw held }
            Thread.sleep(forTimeInterval: pauseSeconds)
        }
    }

    /// The same where `StoreError.stale` says that the store is not finished.
    func value<Value>(_ read: () throws -> Value) throws -> Value {
        try snapshot { (try read(), isFinished: true) }
    }

    /// Nil where no other process holds the run lock, or where this user may not know.
    private var holder: RunLockError? {
        let now = UTCTime(Date())
        guard let obstacle = RunLock.obstacle(path: path + ".lock", now: now),
            case .held(_, let owner, _, _) = obstacle, owner?.process != getpid()
        else { return nil }
        return obstacle
    }

    /// Whether an error is over when the run is.
    private static func isPassing(_ error: any Error) -> Bool {
        switch error {
        case StoreError.stale, StoreError.busy, QueryError.changed, QueryError.busy: true
        default: false
        }
    }
}
