import Synchronization

/// Brings together what the workers of a run remember of identifiers, export after export.
package final class IdentifierCollector: Sendable {
    private struct State {
        var hashes: [UInt64] = []
        var compactAt = 1 << 16
        var isComplete = true
    }

    private let hash: IdentifierHash
    private let limit: Int
    private let workers: Int
    private let state = Mutex(State())

    package init(
        workers: Int, seed: UInt64 = .random(in: .min ... .max), limit: Int = IdentifierSet.standardLimit
    ) {
        hash = IdentifierHash(seed: seed)
        self.limit = limit
        self.workers = max(1, workers)
    }

    /// What one worker remembers an export by.
    package func gatherer() -> IdentifierGatherer { IdentifierGatherer(hash, limit: max(1, limit / workers)) }

    package func add(_ gatherers: [IdentifierGatherer]) {
        state.withLock { state in
            for gatherer in gatherers {
                state.isComplete = state.isComplete && !gatherer.isFull
                state.hashes += gatherer.hashes
                guard state.hashes.count >= state.compactAt else { continue }
                state.hashes = IdentifierSet.distinct(state.hashes)
                if state.hashes.count > limit {
                    state.hashes.removeLast(state.hashes.count - limit)
                    state.isComplete = false
                }
                state.compactAt = max(1 << 16, state.hashes.count * 2)
            }
        }
    }

    /// All that is remembered.
    package var identifiers: IdentifierSet {
        state.withLock { state in
            IdentifierSet(hash, hashes: IdentifierSet.distinct(state.hashes), isComplete: state.isComplete)
        }
    }
}
