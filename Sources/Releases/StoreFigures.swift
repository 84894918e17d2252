package import Scans
import Encoding
import Events
import Foundation
import KPIContract
package import KPIs
import Privacy
package import Store
package import Trips

/// The store's numbers, from the tallies of its months and its ledger alone: no trip is looked at, but for
/// whom its costs are paid to.
package struct StoreFigures {
    package let store: TripStore
    /// The ledger, read once: it grows by a line an export.
    package let exports: [ExportRecord]

    /// Of events, which stand beside the trips.
    package let eventExports: [EventExportRecord]

    private let limits: MonthLimits

    package init(store: TripStore, months limits: MonthLimits = .none) throws {
        self.store = store
        self.limits = limits
        exports = try store.exports()
        eventExports = try store.eventExports()
    }

    /// What the store says as a scan of all its exports would.
    package func result(selection: ReportSelection = .everything) throws -> (
        result: ScanResult, tally: KPITally
    ) {
        let totals = try store.totals()
        let shape = try store.shape()
        let tally = try tally(for: selection.cells.months, shape: shape)
        var counts = ReadCounts()
        for export in exports {
            counts.read += export.recordsRead
            counts.skipped += export.recordsSkipped
            counts.rejected += export.recordsRejected
            counts.unchanged += export.copiesInside
            counts.superseded += export.supersededInside
        }
        counts.added = totals.trips
        counts.unchanged += totals.copies
        counts.superseded += totals.superseded
        guard counts.isReconciled else {
            throw StoreError.damaged(path: store.path, detail: "its ledger does not add up: \(counts.equation)")
        }
        let lists = try store.lists()
        let partitions = try store.releases().map { try ReleaseRegister.partition($0, path: store.path) }
        let context = KPITally.TableContext(
            regions: lists.regions, tripTypes: lists.tripTypes, intervalPairs: Self.pairs(exports),
            releasedPairs: Self.releasedPairs(exports, partitions))
        guard let table = tally.table(context, selection: selection.cells) else {
            throw StoreError.damaged(path: store.path, detail: "a tally does not say how many patients there are")
        }
        var bases = Set(exports.map(\.dateBasis)).sorted()
        if Set(exports.map(\.intervalPairs)).count > 1 {
            // One table cannot say it of each interval: it says which sources differ.
            bases += Set(exports.filter { !$0.intervalPairs.isEmpty }.map { "\($0.source): \($0.intervalPairs)" })
                .sorted()
        }
        var result = ScanResult(
            table: table, tally: tally, context: context, cells: selection.cells, counts: counts, files: [],
            dateBasis: bases.isEmpty ? "no exports" : bases.joined(separator: "; "),
            selection: limits.phrases + selection.phrases)
        result.events = try store.events()?.filter(months: limits.contains)
        return (result, tally)
    }

    /// The trips of every month, whatever the limits leave out of the figures.
    ///
    /// - Parameter tally: the limited one of every month.
    package func unlimited(_ tally: KPITally) throws -> KPITally {
        limits.isNone ? tally : try store.tally(shape: store.shape())
    }

    /// Of the months asked for, with the year before, which they are compared with: unless that is not finished.
    private func tally(
        for months: ClosedRange<Month>?, shape: KPITally.Shape
    ) throws -> KPITally {
        guard let months else { return try limitedTally(of: Self.everyMonth, shape: shape) }
        do {
            return try limitedTally(of: months.lowerBound.advanced(by: -12)...months.upperBound, shape: shape)
        } catch StoreError.stale {
            return try limitedTally(of: months, shape: shape)
        }
    }

    private static let everyMonth = Month(index: .min)...Month(index: .max)

    private func limitedTally(of months: ClosedRange<Month>, shape: KPITally.Shape) throws -> KPITally {
        guard let months = limits.intersection(months) else { return KPITally(shape: shape) }
        return try store.tally(of: months, shape: shape)
    }

    /// The pairs that all exports have in common; where they differ, the standard ones, and the date basis says so.
    package static func pairs(_ exports: [ExportRecord]) -> [TripInterval: EventPair] {
        let texts = Set(exports.map(\.intervalPairs))
        return Self.pairs(in: texts.count == 1 ? texts.first ?? "" : "")
    }

    /// Each set of event pairs that released trips were measured between.
    static func releasedPairs(
        _ exports: [ExportRecord], _ partitions: [ReleasePartition]
    ) -> [[TripInterval: EventPair]] {
        Set(exports.map(\.intervalPairs) + partitions.flatMap { $0.intervalPairs ?? [] }).sorted().map(pairs(in:))
    }

    /// As the ledger has them; empty: the standard ones.
    package static func pairs(in text: String) -> [TripInterval: EventPair] {
        var pairs = Dictionary(uniqueKeysWithValues: TripInterval.allCases.map { ($0, $0.standardPair) })
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
    package func ledgerDigest() -> String {
        var hash = ContentHash()
        for export in exports {
            hash.update(
                Array("\(export.sha256) \(export.asOf ?? 0) \(export.source) \(export.profileVersion)\n".utf8))
        }
        for export in eventExports {
            hash.update(
                Array("events \(export.sha256) \(export.exportedAt) \(export.source) \(export.profileVersion)\n".utf8))
        }
        return hash.hexadecimal
    }

    /// What only the store knows.
    package func facts(
        missingDays: [CivilDay]
    ) throws -> ScanReport.StoreFacts {
        let failed = try store.failedExports().map(\.sha256), waivers = try store.waivers()
        let waived = failed.filter { waivers[$0] != nil }.count
        var facts = ScanReport.StoreFacts(
            exports: KPISummaryV1.ExportCounts(
                loaded: exports.count, failed: failed.count - waived, waived: waived),
            missingDays: missingDays)
        facts.months = try store.countedMonths().filter(limits.contains)
        return facts
    }
}
