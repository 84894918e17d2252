import Store
import TestSupport
import Testing

@Suite struct InterruptedSessionTests {
    /// A run that is killed before it has tallied leaves months stale; corrections of their trips come with the next.
    @Test func whatWasNeverTalliedIsMadeGoodByTheNextSession() throws {
        for seed in 0..<20 {
            try TemporaryFolder.with { folder in
                var random = SplitMix64(seed: UInt64(seed))
                let exports = StoreFixture.exports(&random, count: 6, trips: 12, rows: 30)
                let store = try StoreFixture.store("store", in: folder)
                for part in [exports[..<3], exports[3...]] {
                    var session = try store.session(shape: StoreFixture.shape)
                    for export in part {
                        try StoreFixture.load(export, into: store, session: &session, &random)
                    }
                    guard part.endIndex == exports.endIndex else { continue }
                    try store.refreshTallies(session, workers: 1)
                }
                let settled = try store.tally(shape: StoreFixture.shape)
                let rows = try store.tallyRows(of: store.months(), shape: StoreFixture.shape, workers: 1)
                #expect(StoreFixture.table(settled) == StoreFixture.table(rows))
            }
        }
    }
}
