import Dispatch
import Intake
import Synchronization

/// Runs the same work on a number of threads and gathers what each returns.
enum Workers {
    /// - Parameters:
    ///   - count: how often the work is done, each time with another number from 0 on.
    ///   - threads: 1: one after the other.
    /// - Returns: in the order of the numbers.
    static func results<Share: Sendable>(
        of count: Int, threads: Int, _ work: @Sendable (Int) -> Share
    ) -> [Share] {
        guard threads > 1 else { return (0..<count).map(work) }
        let results = Mutex<[Int: Share]>([:])
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = work(index)
            results.withLock { $0[index] = result }
        }
        let gathered = results.withLock { $0 }
        return (0..<count).compactMap { gathered[$0] }
    }

    /// - Returns: one result a worker, in the workers' order. The first error in that order is thrown.
    static func run<Share: Sendable>(
        _ count: Int, _ work: @Sendable (Int) throws(ExportError) -> Share
    ) throws(ScanError) -> [Share] {
        let gathered = results(of: count, threads: count) { worker in
            let result: Result<Share, ExportError>
            do throws(ExportError) {
                result = .success(try work(worker))
            } catch {
                result = .failure(error)
            }
            return result
        }
        // A worker that stopped because another one failed is not the cause.
        let failures = gathered.compactMap { result in
            if case .failure(let error) = result { error } else { nil }
        }
        if let cause = failures.first(where: { !$0.isConsequence }) ?? failures.first { throw .export(cause) }
        return gathered.compactMap { try? $0.get() }
    }
}
