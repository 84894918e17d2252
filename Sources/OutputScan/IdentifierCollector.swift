import Synchronization

/// Brings together what the workers of a run remember of identifiers, export after export.
///
/// 64 tables, each under a lock of its own, that grow with what they hold: 11 to 23 bytes an identifier. They stop
/// growing at `IdentifierSet.standardLimit`; what comes then is looked for by its shape alone, and the audit log says so.
package final class IdentifierCollector: Sendable {
    private final class Shard: Sendable {
        let table = Mutex(IdentifierTable())
    }

    private let hash: IdentifierHash
    private let shardLimit: Int
    private let shards = (0..<IdentifierCode.shards).map { _ in Shard() }

    /// - Parameter limit: how many distinct identifiers are remembered, give or take a hundredth.
    package init(seed: UInt64 = .random(in: .min ... .max), limit: Int = IdentifierSet.standardLimit) {
        hash = IdentifierHash(seed: seed)
        shardLimit = max(1, limit / IdentifierCode.shards)
    }

    /// What one worker remembers an export by.
    package func gatherer() -> IdentifierGatherer { IdentifierGatherer(hash, collector: self) }

    /// Takes what a worker has not handed over yet.
    package func add(_ gatherers: [IdentifierGatherer]) {
        for gatherer in gatherers { gatherer.finish() }
    }

    func take(_ codes: ArraySlice<UInt64>, shard: Int) {
        shards[shard].table.withLock { table in
            for code in codes { table.insert(code, limit: shardLimit) }
        }
    }

    /// All that is remembered.
    package var identifiers: IdentifierSet {
        IdentifierSet(hash, tables: shards.map { shard in shard.table.withLock { $0 } })
    }
}
