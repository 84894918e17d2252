import Dispatch
import Synchronization

/// Runs the same work on a number of threads and gathers what each returns.
package enum Workers {
    /// - Parameters:
    ///   - count: number of calls; each gets its index.
    ///   - threads: 1 runs the calls in sequence.
    /// - Returns: in the order of the indices.
    package static func results<Result: Sendable>(
        of count: Int, threads: Int, _ work: @Sendable (Int) -> Result
    ) -> [Result] {
        guard threads > 1 else { return (0..<count).map(work) }
        let results = Mutex<[Int: Result]>([:])
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = work(index)
            results.withLock { $0[index] = result }
        }
        let gathered = results.withLock { $0 }
        return (0..<count).compactMap { gathered[$0] }
    }

    /// - Returns: one result a worker, in the workers' order. The first error in that order is thrown.
    package static func run<Value: Sendable>(
        _ count: Int, _ work: @Sendable (Int) throws(ExportError) -> Value
    ) throws(ExportError) -> [Value] {
        let gathered = results(of: count, threads: count) { worker in
            Result { () throws(ExportError) in try work(worker) }
        }
        var values: [Value] = []
        var failures: [ExportError] = []
        for result in gathered {
            switch result {
            case .success(let value): values.append(value)
            case .failure(let error): failures.append(error)
            }
        }
        // A worker that stopped because another one failed is not the cause.
        if let cause = failures.first(where: { !$0.isConsequence }) ?? failures.first { throw cause }
        return values
    }
}
