import Classification
import Foundation
import Hashing
import KPIs
import Operations
import Profiles
import Store
import Trips

/// The store's numbers on their way to readers: tallies → table → `Privacy` → reports.
struct StorePublication {
    let store: TripStore
    let plan: NightlyPlan

    /// What the store says as a scan of all its exports would.
    func result(selection: ReportSelection = .everything) throws -> (result: ScanResult, tally: KPITally) {
        let exports = try store.exports()
        let totals = try store.totals()
        let shape = try store.shape()
        let tally = try store.tally(of: selection.cells.months, shape: shape)
        var counts = ReadCounts()
        for export in exports {
            counts.read += export.read
            counts.skipped += export.skipped
            counts.rejected += export.rejected
            counts.unchanged += export.copiesInside
            counts.superseded += export.supersededInside
        }
        counts.added = totals.trips
        counts.unchanged += totals.copies
        counts.superseded += totals.superseded
        guard counts.isReconciled else { throw ScanError.notReconciled(counts.equation) }
        let lists = try store.lists()
        let context = KPITally.TableContext(
            regions: lists.regions, tripTypes: lists.tripTypes, intervalPairs: Self.pairs(exports))
        guard let table = tally.table(context, selection: selection.cells) else {
            throw StoreError.inconsistent("the patients of a month cannot be told")
        }
        let bases = Set(exports.map(\.dateBasis)).sorted()
        let result = ScanResult(
            table: table, counts: counts, files: [], latestDay: tally.latestDay(in: selection.cells.months),
            dateBasis: bases.isEmpty ? "no exports" : bases.joined(separator: "; "),
            selection: selection.phrases)
        return (result, tally)
    }

    /// The pairs that all exports have in common; where they differ, the standard ones, and the date basis says so.
    private static func pairs(_ exports: [ExportRecord]) -> [TripInterval: EventPair] {
        var pairs = Dictionary(uniqueKeysWithValues: TripInterval.allCases.map { ($0, $0.standardPair) })
        let texts = Set(exports.map(\.intervalPairs))
        guard texts.count == 1, let text = texts.first else { return pairs }
        for part in text.components(separatedBy: "; ") {
            let words = part.split(whereSeparator: { $0 == " " || $0 == "-" }).map(String.init)
            guard words.count == 3, let interval = TripInterval.allCases.first(where: { $0.name == words[0] }),
                let start = TripEvent.allCases.first(where: { $0.field.rawValue == words[1] }),
                let end = TripEvent.allCases.first(where: { $0.field.rawValue == words[2] })
            else { continue }
            pairs[interval] = EventPair(start, end)
        }
        return pairs
    }

    /// SHA-256 over the exports and how they were read: what the trips of the store are a function of.
    static func ledgerDigest(of exports: [ExportRecord]) -> String {
        var hash = ContentHash()
        for export in exports {
            hash.update(
                Array("\(export.sha256) \(export.asOf ?? 0) \(export.source) \(export.profileVersion)\n".utf8))
        }
        return hash.hexadecimal
    }

    /// Says when, and of what: the same store, settings and time give the same id.
    func runID(ledger: String) throws -> String {
        var hash = ContentHash()
        let lists = try store.lists()
        let failed = try store.failedExports().map(\.sha256), waived = try store.waivers().keys.sorted()
        let parts =
            [ledger, plan.rules.version, "\(plan.minimumCell)", plan.tool] + lists.regions.names
            + lists.tripTypes.names + failed + waived
        hash.update(Array(parts.joined(separator: "\n").utf8))
        let time = UTCTime(secondsSince1970: plan.generatedAtEpochSeconds).description
        return time.filter { $0 != "-" && $0 != ":" } + "-" + hash.hexadecimal.prefix(12)
    }
}
