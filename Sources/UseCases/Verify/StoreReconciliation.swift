import Basics
package import KPIContract
import KPIs
package import Privacy
import Queries
import Reporting
import Reports
package import Settings
import Store
package import Trips

/// A published set against the store that it was made of, by other ways than it was made.
///
/// Every figure is made again from the months' tallies, each of which has a checksum. Of the months that are read
/// (`VerificationExtent`), the tally is made again from the rows, and SQL gives each figure from the rows.
package struct StoreReconciliation: Sendable {
    private let path: String
    private let data: DataFolder
    private let limits: MonthLimits
    private let extent: VerificationExtent
    private let progress: @Sendable (String) -> Void

    /// - Parameters:
    ///   - store: path of the database; it is only read.
    ///   - limits: the months of the figures, by the settings.
    ///   - data: where `queries/` is found, as `StoreQuestions` has it.
    ///   - extent: how much is read.
    ///   - progress: told which part begins.
    package init(
        store path: String, months limits: MonthLimits, data: DataFolder, extent: VerificationExtent,
        progress: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.path = path
        self.limits = limits
        self.data = data
        self.extent = extent
        self.progress = progress
    }

    /// Whether there is a store at this path.
    ///
    /// - Throws: `StoreError.forbidden` if this user may not even look.
    package static func isThere(_ path: String) throws -> Bool { try !TripStore.isAbsent(path) }

    /// SHA-256 of everything a store says, whatever the order in which it came.
    package static func digest(store path: String) throws -> String { try TripStore(reading: path).digest() }

    /// The store by itself, once for all sets that were made of it, and then each set.
    ///
    /// - Throws: `StoreError` or `QueryError` if the store cannot be read.
    package func findings(
        _ sets: [(audience: Audience, summary: KPISummaryV1, manifest: PublicationManifestV1)]
    ) throws -> [CheckFinding] {
        let store = try TripStore(reading: path)
        let (own, moved) = try sets.divided { try isOf($0.manifest, store) }
        let left = moved.map { Self.movedOn($0.audience) }
        guard !own.isEmpty else { return left }
        progress("the store's pages and rows")
        let totals = try store.totals(), rows = totals.trips + totals.copies + totals.superseded
        let damage = try damage(of: store, rows: rows)
        guard damage.isEmpty else { return CheckFinding.of("store", damage, ok: "") + left }
        let catalog = try StoreQuestions.catalog(data)
        let connection = try QueryConnection(store: path, catalog: catalog)
        let months = try store.months(), read = extent.months(of: months, rows: rows)
        let isWhole = read.count == months.count
        let checks = catalog.named.filter { $0.severity == .fail && (isWhole || !$0.readsTrips) }
        // What is wrong with it the other checks may say more exactly.
        let errors = extent.isWhole(rows: rows) ? try store.contentErrors() : []
        var findings =
            CheckFinding.of(
                "store", errors,
                ok: "it is the one that the sets were made of, and \(isWhole ? "sound" : "what was looked at is sound")"
            )
            + CheckFinding.of(
                "checks", try failedChecks(connection, checks),
                ok: "\(isWhole ? "those" : "those that read no trips") of queries/ find nothing wrong in the store")
            + CheckFinding.of(
                "tallies", try staleTallies(of: store, months, counted: Set(read)),
                ok: isWhole
                    ? "every month's tally is that of its rows"
                    : "every month's is whole; \(Self.named(read)) \(read.count == 1 ? "is that of its" : "are those of their") rows"
            )
        for set in own {
            findings += try figures(of: set.summary, store, connection, catalog, months: months, read: read)
        }
        // The parts were read one after the other: a run may have come between them.
        let (still, since) = try own.divided { try isOf($0.manifest, store) }
        return (still.count == own.count ? findings : since.map { Self.movedOn($0.audience) }) + left
    }

    private static func named(_ months: [Month]) -> String { months.map(\.description).joined(separator: ", ") }

    /// Of the staff set every figure by its tallies, and by SQL those of the months that are read. The release shows months as they
    /// were when they were released.
    private func figures(
        of summary: KPISummaryV1, _ store: TripStore, _ connection: QueryConnection, _ catalog: QueryCatalog,
        months: [Month], read: [Month]
    ) throws -> [CheckFinding] {
        guard summary.isInternal else {
            progress("the release by its groups")
            return CheckFinding.of(
                "release", try ReleaseReconciliation(store, months: limits).contradictions(to: summary),
                ok: "every figure is that of a union of the \(summary.months.count) released months' groups")
        }
        let isWhole = read.count == months.count
        var findings: [CheckFinding] = []
        if !isWhole {
            progress("every figure by the tallies")
            findings += CheckFinding.of(
                "figures by tallies", try differences(from: summary, store),
                ok: "every figure of the set's \(summary.cells.count) cells is that of the tallies")
        }
        progress("figures by SQL")
        let cells = try StoredCells(
            connection, catalog, months: read, hasTotals: isWhole,
            withheld: months.filter { !limits.contains($0) }.map(\.description))
        return findings
            + CheckFinding.of(
                "SQL", cells.contradictions(to: summary),
                ok: isWhole
                    ? "queries/ give every figure that is shown in the set's \(summary.cells.count) cells"
                    : "queries/ give every figure of \(Self.named(read)); `verify --full` asks for all months")
    }

    /// Cells that the tallies give otherwise; each in words, without a figure.
    private func differences(from summary: KPISummaryV1, _ store: TripStore) throws -> [String] {
        let expected: [KPISummaryV1.Cell]
        do {
            let table = try StoreFigures(store: store, months: limits).result().table
            expected = SummaryReport.cells(of: try Publishable(forStaff: table))
        } catch StoreError.stale, StoreError.damaged {
            // It is a finding of the tallies.
            return []
        }
        guard expected.count == summary.cells.count else { return ["the cells are not those of the tallies"] }
        return zip(summary.cells, expected).compactMap { cell, expected in
            cell.agrees(with: expected)
                ? nil : "\(cell.month), \(cell.region), \(cell.tripType): not the figures of the tallies"
        }
    }

    private static func movedOn(_ audience: Audience) -> CheckFinding {
        CheckFinding(
            isOK: true, subject: "store",
            text: "it has moved on since the \(audience.rawValue) set was published, and is not compared")
    }

    /// Whether the set tells of the very exports and rules that the store has now.
    private func isOf(_ manifest: PublicationManifestV1, _ store: TripStore) throws -> Bool {
        try StoreFigures(store: store).ledgerDigest() == manifest.ledger
            && store.rules().version == manifest.rules.version
    }

    private func damage(of store: TripStore, rows: Int) throws -> [String] {
        do {
            guard case .sample(let day) = extent, !extent.isWhole(rows: rows) else {
                return try store.integrityErrors()
            }
            try store.checkIntegrity(on: day)
            return []
        } catch StoreError.damaged(_, let detail) {
            return [detail]
        }
    }

    private func failedChecks(_ connection: QueryConnection, _ checks: [Query]) throws -> [String] {
        try checks.compactMap { check in
            progress("the check \(check.name)")
            let rows = try connection.rows(of: check)
            return rows == 0 ? nil : "\(check.name) finds \(rows); `tripkpi query \(check.name) --internal` shows them"
        }
    }

    /// - Parameter counted: the months whose rows are read.
    private func staleTallies(of store: TripStore, _ months: [Month], counted: Set<Month>) throws -> [String] {
        let shape = try store.shape()
        let lists = try store.lists()
        let context = KPITally.TableContext(
            regions: lists.regions, tripTypes: lists.tripTypes, intervalPairs: [:])
        return try months.compactMap { month in
            progress("the tally of \(month)")
            let written: KPITally
            do {
                written = try store.tally(of: month...month, shape: shape)
            } catch StoreError.damaged {
                return "\(month): the tally cannot be read"
            } catch StoreError.stale {
                return "\(month): the tally was not finished; `tripkpi run` finishes it"
            }
            guard counted.contains(month) else { return nil }
            let again = try store.tallyRows(of: [month], shape: shape, workers: 1)
            let isRight =
                written.table(context) == again.table(context)
                && written.tripsByDay().elementsEqual(again.tripsByDay(), by: ==)
            return isRight ? nil : "\(month): the tally is not that of the month's rows"
        }
    }
}

extension Array {
    /// The elements of which something holds, and the others.
    fileprivate func divided(by holds: (Element) throws -> Bool) rethrows -> (holding: [Element], others: [Element]) {
        var holding: [Element] = [], others: [Element] = []
        for element in self { if try holds(element) { holding.append(element) } else { others.append(element) } }
        return (holding, others)
    }
}
