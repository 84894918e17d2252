import GRDB

/// What follows from the rows that one transaction adds and removes: the digests of their slices and the costs by line.
/// `write` puts both into their tables at the end of the transaction, so that they are committed together with the rows.
final class RowChanges {
    private let costs: CostLineChanges?
    private var changes: [RowSlice: RowDigest] = [:]
    /// Slices that rows were removed from. They are verified before the commit.
    private var reduced: Set<RowSlice> = []
    /// At most so many rows are verified in a transaction, which takes under a second. Newest months come first.
    private static let mostRowsRead = 1_000_000
    /// The slice of the row before: rows mostly come in the order of their keys.
    private var slice = RowSlice(number: .max)
    private var digest = RowDigest()

    /// - Parameter changesCosts: false: the rows are only read again, and their costs stay as they are.
    init(changesCosts: Bool = true) { costs = changesCosts ? CostLineChanges() : nil }

    @inline(__always)
    func add(_ trip: StoredTrip, to table: VersionTable) {
        select(RowSlice(trip, in: table))
        digest.add(trip)
        if table == .trips { costs?.add(trip.facts) }
    }

    func remove(_ trip: StoredTrip, from table: VersionTable) {
        select(RowSlice(trip, in: table))
        reduced.insert(slice)
        digest.remove(trip)
        if table == .trips { costs?.remove(trip.facts) }
    }

    @inline(__always)
    private func select(_ own: RowSlice) {
        guard own != slice else { return }
        flush()
        slice = own
    }

    private func flush() {
        if !digest.isEmpty { changes[slice, default: RowDigest()].merge(digest) }
        digest = RowDigest()
    }

    /// Call it once, when all rows of the transaction are written.
    ///
    /// A row that was damaged and then removed leaves a digest that its slice cannot have. Slices that rows were removed
    /// from are therefore verified.
    ///
    /// - Throws: `StoreDamage` if their other rows are not what was written.
    func write(_ db: Database) throws {
        flush()
        let verifier = try SliceVerifier(db)
        let delete = try IntegerStatement(db, "DELETE FROM row_digests WHERE part = ?")
        let insert = try IntegerStatement(db, "INSERT OR REPLACE INTO row_digests VALUES (?, ?, ?, ?)")
        for (slice, change) in changes.sorted(by: { $0.key < $1.key }) where !change.isEmpty {
            var digest = try verifier.digest(of: slice)
            digest.merge(change)
            if digest.isEmpty {
                try delete.run(slice.number)
            } else {
                try insert.run(
                    slice.number, Int64(digest.rows), Int64(bitPattern: digest.high), Int64(bitPattern: digest.low))
            }
        }
        changes = [:]
        var rows = 0
        for slice in reduced.sorted(by: >) {
            rows += try verifier.digest(of: slice).rows
            guard rows <= Self.mostRowsRead else { break }
            try verifier.verify(slice...slice)
        }
        reduced = []
        try costs?.write(db)
    }
}
