import GRDB
import Trips

/// A slice of a table by trip key, with its own digest. A correction causes its slice to be verified again, so slices are
/// small: about 200 of 400,000 rows of a month.
struct RowSlice: Sendable, Hashable, Comparable {
    /// Unique; the column `part` of `row_digests`. From 0 on: trips that count, by month; the next below: older versions;
    /// the next below these: trips as they were released; the next: parts of trips.
    let number: Int64

    private static let sliceBits: Int64 = 11
    private static let slices: Int64 = 1 << sliceBits
    private static let keyBits: Int64 = 64 - sliceBits

    init(number: Int64) { self.number = number }

    @inline(__always)
    init(_ trip: StoredTrip, in table: VersionTable) {
        let slice = (trip.key.high >> Self.keyBits) + Self.slices / 2
        switch table {
        case .trips: number = Int64(trip.facts.month) * Self.slices + slice
        case .olderVersions: number = slice - Self.slices
        case .releaseChanges: number = slice - 2 * Self.slices
        case .tripParts: number = slice - 3 * Self.slices
        }
    }

    /// The slices of the trips that count in a month.
    static func all(ofMonth month: Int32) -> ClosedRange<RowSlice> {
        let first = Int64(month) * slices
        return RowSlice(number: first)...RowSlice(number: first + slices - 1)
    }

    /// The numbers of a table's slices, as an SQL condition.
    static func condition(of table: VersionTable) -> String {
        switch table {
        case .trips: "part >= 0"
        case .olderVersions: "part BETWEEN -\(slices) AND -1"
        case .releaseChanges: "part BETWEEN -\(2 * slices) AND -\(slices + 1)"
        case .tripParts: "part < -\(2 * slices)"
        }
    }

    var table: VersionTable {
        switch section {
        case 0...: .trips
        case -1: .olderVersions
        case -2: .releaseChanges
        default: .tripParts
        }
    }

    /// Month of a slice of `trips`; -1, -2 and -3 for the other tables. The slices of a section are in the order of their
    /// keys.
    var section: Int64 { (number >= 0 ? number : number - Self.slices + 1) / Self.slices }

    /// The high words of its keys.
    var keys: ClosedRange<Int64> {
        let first = (number - section * Self.slices - Self.slices / 2) << Self.keyBits
        return first...(first + ((1 << Self.keyBits) - 1))
    }

    static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// Verifies the rows of slices against their digests.
struct SliceVerifier {
    private let digest: IntegerStatement
    private let digests: IntegerStatement
    private let rows: [VersionTable: IntegerStatement]

    init(_ db: Database) throws {
        digest = try IntegerStatement(db, "SELECT row_count, high, low FROM row_digests WHERE part = ?")
        digests = try IntegerStatement(
            db, "SELECT part, row_count, high, low FROM row_digests WHERE part BETWEEN ? AND ? ORDER BY part")
        var rows: [VersionTable: IntegerStatement] = [:]
        for table in try VersionTable.existing(db) {
            let month = table == .trips ? "month = ?3 AND " : ""
            rows[table] = try IntegerStatement(
                db,
                """
                SELECT \(TripColumns.names) FROM \(table.rawValue) WHERE \(month)key_high BETWEEN ?1 AND ?2
                ORDER BY key_high
                """)
        }
        self.rows = rows
    }

    /// The stored digest; empty if there is none.
    func digest(of slice: RowSlice) throws -> RowDigest {
        try digest.first(slice.number) { RowDigest($0, from: 0) } ?? RowDigest()
    }

    /// - Parameter slices: of one section.
    /// - Throws: `StoreDamage` if rows are not what was written.
    func verify(_ slices: ClosedRange<RowSlice>) throws {
        let table = slices.lowerBound.table
        guard let rows = rows[table] else { return }
        rows.bind(1, slices.lowerBound.keys.lowerBound)
        rows.bind(2, slices.upperBound.keys.upperBound)
        if table == .trips { rows.bind(3, slices.lowerBound.section) }
        digests.bind(1, slices.lowerBound.number)
        digests.bind(2, slices.upperBound.number)
        defer {
            rows.reset()
            digests.reset()
        }
        var slice = slices.lowerBound, found = RowDigest()
        func finish() throws {
            guard !found.isEmpty else { return }
            guard try digests.step(), digests.column(0) == slice.number, RowDigest(digests, from: 1) == found else {
                throw StoreDamage.changedRows
            }
        }
        while try rows.step() {
            let trip = try rows.readTrip()
            let own = RowSlice(trip, in: table)
            if own != slice {
                try finish()
                (slice, found) = (own, RowDigest())
            }
            found.add(trip)
        }
        try finish()
        guard try !digests.step() else { throw StoreDamage.changedRows }
    }
}

extension StoreDamage {
    static let changedRows = StoreDamage(detail: "rows of trips are not what was written")
}
