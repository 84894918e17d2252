import Dispatch
import Intake
import Synchronization

/// Runs the same work on a number of threads and gathers what each returns.
enum Workers {
    /// - Returns: one result a worker, in the workers' order. The first error in that order is thrown.
    static func run<Share: Sendable>(
        _ count: Int, _ work: @Sendable (Int) throws(ExportError) -> Share
    ) throws(ScanError) -> [Share] {
        let results = Mutex<[Int: Result<Share, ExportError>]>([:])
        DispatchQueue.concurrentPerform(iterations: count) { worker in
            let result: Result<Share, ExportError>
            do throws(ExportError) {
                result = .success(try work(worker))
            } catch {
                result = .failure(error)
            }
            results.withLock { $0[worker] = result }
        }
        let gathered = results.withLock { $0 }
        var shares: [Share] = []
        // A worker that stopped because another one failed is not the cause.
        let failures = (0..<count).compactMap { worker -> ExportError? in
            if case .failure(let error) = gathered[worker] { error } else { nil }
        }
        if let cause = failures.first(where: { !$0.isConsequence }) ?? failures.first { throw .export(cause) }
        for worker in 0..<count {
            if case .success(let share) = gathered[worker] { shares.append(share) }
        }
        return shares
    }
}
