package import Basics
import Files
import Foundation
import KPIContract
package import KPIs
package import Privacy
package import Reporting
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
    /// Nil: nothing was removed from the store.
    private let removals: String?

    /// How each export was read.
    private var readings: [SourceReading] { exports.map(SourceReading.init) }

    package init(store: TripStore, months limits: MonthLimits = .none) throws {
        self.store = store
        self.limits = limits
        exports = try store.exports()
        eventExports = try store.eventExports()
        removals = try store.removals()
    }

    /// What the store says as a scan of all its exports would.
    package func result(selection: ReportSelection = .everything) throws -> TrueFigures {
        let totals = try store.totals()
        let shape = try store.shape()
        let tally = try tally(for: selection.cells.months, shape: shape)
        var counts = ReadCounts()
        for export in exports {
            counts.read += export.recordsRead
            counts.skipped += export.recordsSkipped
            counts.rejected += export.recordsRejected
            // The trips of a supplement are parts of others.
            counts.merged += export.recordsMerged + (export.supplements == nil ? 0 : export.trips)
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
            regions: lists.regions, tripTypes: lists.tripTypes, intervalPairs: readings.intervalPairs,
            releasedPairs: Self.releasedPairs(exports.map(\.intervalPairs), partitions))
        guard let table = tally.table(context, selection: selection.cells) else {
            throw StoreError.damaged(path: store.path, detail: "a tally does not say how many patients there are")
        }
        var result = TrueFigures(
            table: table, tally: tally, context: context, cells: selection.cells, counts: counts, files: [],
            dateBasis: readings.dateBasis,
            selection: limits.phrases + selection.phrases)
        result.events = try store.events()?.filter(months: limits.contains)
        return result
    }

    /// The trips of every month, whatever the limits leave out of the figures.
    ///
    /// - Parameter tally: the limited one of every month.
    package func unlimited(_ tally: KPITally) throws -> KPITally {
        limits.isNone ? tally : try store.tally(shape: store.shape())
    }

    /// Of all months, which those asked for are compared with: unless others are not finished.
    private func tally(
        for months: ClosedRange<Month>?, shape: KPITally.Shape
    ) throws -> KPITally {
        do {
            return try limitedTally(of: Self.everyMonth, shape: shape)
        } catch StoreError.stale where months != nil {
            return try limitedTally(of: months ?? Self.everyMonth, shape: shape)
        }
    }

    private static let everyMonth = Month(index: .min)...Month(index: .max)

    private func limitedTally(of months: ClosedRange<Month>, shape: KPITally.Shape) throws -> KPITally {
        guard let months = limits.intersection(months) else { return KPITally(shape: shape) }
        return try store.tally(of: months, shape: shape)
    }

    /// Each set of event pairs that released trips were measured between.
    package static func releasedPairs(
        _ exportPairs: [String], _ partitions: [ReleasePartition]
    ) -> [[TripInterval: EventPair]] {
        Set(exportPairs + partitions.flatMap { $0.intervalPairs ?? [] }).sorted().map(
            [TripInterval: EventPair].init(text:))
    }

    /// SHA-256 over the exports, how they were read, and how much was removed: what the trips of the store are a function of.
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
        if let removals { hash.update(Array("removed \(removals)\n".utf8)) }
        return hash.hexadecimal
    }

    /// What only the store knows.
    package func facts(
        missingDays: [CivilDay]
    ) throws -> FigureReport.StoreStatement {
        let failed = try store.failedExports().map(\.sha256), waivers = try store.waivers()
        let waived = failed.filter { waivers[$0] != nil }.count
        var facts = FigureReport.StoreStatement(
            exports: KPISummaryV1.ExportCounts(
                loaded: exports.count, failed: failed.count - waived, waived: waived),
            missingDays: missingDays)
        facts.months = try store.countedMonths().filter(limits.contains)
        return facts
    }
}
