package import Settings
package import KPIContract
import KPIs
import Queries
import Store
package import Trips

/// A published set against the store that it was made of, by other ways than it was made: SQL instead of tallies, and
/// tallies made again from the rows.
package struct StoreReconciliation: Sendable {
    private let path: String
    private let data: DataFolder
    private let limits: MonthLimits
    private let progress: @Sendable (String) -> Void

    /// - Parameters:
    ///   - store: path of the database; it is only read.
    ///   - limits: the months of the figures, by the settings.
    ///   - data: where `queries/` is found, as `StoreQuestions` has it.
    ///   - progress: told which part begins.
    package init(
        store path: String, months limits: MonthLimits, data: DataFolder,
        progress: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.path = path
        self.limits = limits
        self.data = data
        self.progress = progress
    }

    /// Whether there is a store at this path.
    ///
    /// - Throws: `StoreError.forbidden` if this user may not even look.
    package static func isThere(_ path: String) throws -> Bool { try !TripStore.isAbsent(path) }

    /// SHA-256 of everything a store says, whatever the order in which it came.
    package static func digest(store path: String) throws -> String { try TripStore(reading: path).digest() }

    /// - Throws: `StoreError` or `QueryError` if the store cannot be read.
    package func findings(_ summary: KPISummaryV1, _ manifest: PublicationManifestV1) throws -> [CheckFinding] {
        let store = try TripStore(reading: path)
        guard try isOf(manifest, store) else { return [Self.movedOn] }
        progress("the store's pages and rows")
        let damage = try damage(of: store)
        guard damage.isEmpty else { return CheckFinding.of("store", damage, ok: "") }
        let catalog = try StoreQuestions.catalog(data)
        let connection = try QueryConnection(store: path, catalog: catalog)
        let findings =
            CheckFinding.of("store", [], ok: "it is the one that the set was made of, and sound")
            + CheckFinding.of(
                "checks", try failedChecks(connection, catalog), ok: "those of queries/ find nothing wrong in the store"
            )
            + CheckFinding.of(
                "tallies", try staleTallies(of: store), ok: "every month's tally is that of its rows")
            + (try figures(of: summary, store, connection, catalog))
        // The parts were read one after the other: a run may have come between them.
        return try isOf(manifest, store) ? findings : [Self.movedOn]
    }

    /// Of the staff set by SQL, every figure. The release shows months as they were when they were released.
    private func figures(
        of summary: KPISummaryV1, _ store: TripStore, _ connection: QueryConnection, _ catalog: QueryCatalog
    ) throws -> [CheckFinding] {
        guard summary.isInternal else {
            progress("the release by its groups")
            return CheckFinding.of(
                "release", try ReleaseReconciliation(store, months: limits).contradictions(to: summary),
                ok: "every figure is that of a union of the \(summary.months.count) released months' groups")
        }
        progress("every figure by SQL")
        let months = try store.months()
        let cells = try StoredCells(
            connection, catalog, months: months,
            withheld: months.filter { !limits.contains($0) }.map(\.description))
        return CheckFinding.of(
            "SQL", cells.contradictions(to: summary),
            ok: "queries/ give every figure that is shown in the set's \(summary.cells.count) cells")
    }

    private static let movedOn = CheckFinding(
        isOK: true, subject: "store", text: "it has moved on since the set was published, and is not compared")

    /// Whether the set tells of the very exports and rules that the store has now.
    private func isOf(_ manifest: PublicationManifestV1, _ store: TripStore) throws -> Bool {
        try StoreFigures(store: store).ledgerDigest() == manifest.ledger
            && store.rules().version == manifest.rules.version
    }

    private func damage(of store: TripStore) throws -> [String] {
        do {
            return try store.integrityErrors()
        } catch StoreError.damaged(_, let detail) {
            return [detail]
        }
    }

    private func failedChecks(_ connection: QueryConnection, _ catalog: QueryCatalog) throws -> [String] {
        try catalog.named.filter { $0.severity == .fail }.compactMap { check in
            progress("the check \(check.name)")
            let rows = try connection.rows(of: check)
            return rows == 0 ? nil : "\(check.name) finds \(rows); `tripkpi query \(check.name) --internal` shows them"
        }
    }

    private func staleTallies(of store: TripStore) throws -> [String] {
        let shape = try store.shape()
        let lists = try store.lists()
        let context = KPITally.TableContext(
            regions: lists.regions, tripTypes: lists.tripTypes, intervalPairs: [:])
        return try store.months().compactMap { month in
            progress("the tally of \(month)")
            let written: KPITally
            do {
                written = try store.tally(of: month...month, shape: shape)
            } catch StoreError.damaged {
                return "\(month): the tally cannot be read"
            } catch StoreError.stale {
                return "\(month): the tally was not finished; `tripkpi run` finishes it"
            }
            let counted = try store.tallyRows(of: [month], shape: shape, workers: 1)
            let isRight =
                written.table(context) == counted.table(context)
                && written.tripsByDay().elementsEqual(counted.tripsByDay(), by: ==)
            return isRight ? nil : "\(month): the tally is not that of the month's rows"
        }
    }
}
