import KPIs
import Store
import Trips

/// What a store must say of a set of exports, worked out plainly from all of their records at once.
struct ReferenceStore {
    private(set) var newest: [StoredTrip] = []
    private(set) var totals = (trips: 0, copies: 0, superseded: 0)
    private(set) var inside: [String: (copies: Int, superseded: Int, trips: Int)] = [:]

    init(_ exports: [StoreFixture.Export]) {
        let ranked = exports.sorted {
            ($0.asOf ?? $0.contentAsOf, $0.modifiedNs, $0.bytes, $0.sha256)
                < ($1.asOf ?? $1.contentAsOf, $1.modifiedNs, $1.bytes, $1.sha256)
        }
        var best: [TripKey: [StoredTrip]] = [:]
        for (rank, export) in ranked.enumerated() {
            var own = (copies: 0, superseded: 0, trips: 0)
            for (key, records) in Dictionary(grouping: export.trips, by: \.key) {
                guard
                    var winner = records.max(by: {
                        ($0.version, $0.recordOffset) < ($1.version, $1.recordOffset)
                    })
                else { continue }
                let copies = records.filter { $0.isCopy(of: winner) }.count - 1
                own.copies += copies
                own.superseded += records.count - 1 - copies
                own.trips += 1
                winner.exportID = Int32(rank)
                best[key, default: []].append(winner)
            }
            inside[export.sha256] = own
        }
        for versions in best.values {
            guard
                let latest = versions.max(by: { ($0.version, $0.exportID) < ($1.version, $1.exportID) }),
                let first = versions.filter({ $0.isCopy(of: latest) }).min(by: { $0.exportID < $1.exportID })
            else { continue }
            newest.append(first)
            let copies = versions.filter { $0.isCopy(of: latest) }.count - 1
            totals.trips += 1
            totals.copies += copies
            totals.superseded += versions.count - 1 - copies
        }
    }

    var tally: KPITally {
        var tally = KPITally(shape: StoreFixture.shape)
        tally.add(StoreFixture.batch(newest))
        return tally
    }
}
