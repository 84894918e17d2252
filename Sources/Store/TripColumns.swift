import Trips

/// How a stored trip lies in the columns of `StoreSchema.tripColumns`.
enum TripColumns {
    static let count = Int32(StoreSchema.tripColumns.count)
    static let names = StoreSchema.tripColumns.joined(separator: ", ")
    static let marks = StoreSchema.tripColumns.map { _ in "?" }.joined(separator: ", ")

    static func bind(_ trip: StoredTrip, to statement: IntegerStatement) {
        let facts = trip.facts
        statement.bind(1, Int64(facts.month))
        statement.bind(2, trip.key.high)
        statement.bind(3, trip.key.low)
        statement.bind(4, Int64(trip.exportID))
        statement.bind(5, Int64(trip.recordOffset))
        bind(optional: trip.version.updatedAt, 6, statement)
        bind(optional: trip.version.sequence, 7, statement)
        statement.bind(8, Int64(facts.day))
        statement.bind(9, Int64(facts.status))
        statement.bind(10, Int64(facts.region))
        statement.bind(11, Int64(facts.tripType))
        statement.bind(12, Int64(facts.sourcing))
        for interval in 0..<6 { statement.bind(Int32(13 + interval), Int64(facts.intervals[interval])) }
        bind(optional: facts.costCents, 19, statement)
        bind(optional: facts.loadedHundredths, 20, statement)
        bind(optional: facts.unloadedHundredths, 21, statement)
        if facts.patient == 0 {
            statement.bindNull(22)
        } else {
            statement.bind(22, Int64(bitPattern: facts.patient))
        }
        statement.bind(23, Int64(facts.warnings))
        for text in 0..<7 { statement.bind(Int32(24 + text), Int64(facts.texts[text])) }
    }

    @inline(__always)
    private static func bind(optional value: Int, _ index: Int32, _ statement: IntegerStatement) {
        if value == .min { statement.bindNull(index) } else { statement.bind(index, Int64(value)) }
    }

    /// The row the statement stands on; its first columns are those of `names`.
    static func read(_ statement: IntegerStatement) -> StoredTrip {
        StoredTrip(
            key: TripKey(high: statement.column(1), low: statement.column(2)),
            exportID: Int32(truncatingIfNeeded: statement.column(3)), recordOffset: Int(statement.column(4)),
            version: TripVersion(updatedAt: read(optional: 5, statement), sequence: read(optional: 6, statement)),
            facts: readFacts(statement))
    }

    static func readFacts(_ statement: IntegerStatement) -> TripFacts {
        var facts = TripFacts()
        facts.month = Int32(truncatingIfNeeded: statement.column(0))
        facts.day = Int32(truncatingIfNeeded: statement.column(7))
        facts.status = UInt8(truncatingIfNeeded: statement.column(8))
        facts.region = UInt8(truncatingIfNeeded: statement.column(9))
        facts.tripType = UInt8(truncatingIfNeeded: statement.column(10))
        facts.sourcing = UInt8(truncatingIfNeeded: statement.column(11))
        for interval in 0..<6 {
            facts.intervals[interval] = Int32(truncatingIfNeeded: statement.column(Int32(12 + interval)))
        }
        facts.costCents = read(optional: 18, statement)
        facts.loadedHundredths = read(optional: 19, statement)
        facts.unloadedHundredths = read(optional: 20, statement)
        facts.patient = UInt64(bitPattern: statement.column(21))
        facts.warnings = UInt32(truncatingIfNeeded: statement.column(22))
        for text in 0..<7 { facts.texts[text] = Int32(truncatingIfNeeded: statement.column(Int32(23 + text))) }
        return facts
    }

    @inline(__always)
    private static func read(optional index: Int32, _ statement: IntegerStatement) -> Int {
        // 0 is what SQLite says of NULL too; only then its type is asked for.
        let value = Int(statement.column(index))
        return value == 0 && statement.isNull(index) ? .min : value
    }
}
