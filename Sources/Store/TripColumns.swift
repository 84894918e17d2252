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
    ///
    /// - Throws: `StoreDamage` for a row that was never written: a value lies beyond what its column is for.
    static func read(_ statement: IntegerStatement) throws -> StoredTrip {
        guard let exportID = Int32(exactly: statement.column(3)) else { throw damage }
        return StoredTrip(
            key: TripKey(high: statement.column(1), low: statement.column(2)),
            exportID: exportID, recordOffset: Int(statement.column(4)),
            version: TripVersion(updatedAt: read(optional: 5, statement), sequence: read(optional: 6, statement)),
            facts: try readFacts(statement))
    }

    static func readFacts(_ statement: IntegerStatement) throws -> TripFacts {
        var facts = TripFacts()
        var isExact = true
        facts.month = number(0, statement, &isExact)
        facts.day = number(7, statement, &isExact)
        facts.status = number(8, statement, &isExact)
        facts.region = number(9, statement, &isExact)
        facts.tripType = number(10, statement, &isExact)
        facts.sourcing = number(11, statement, &isExact)
        for interval in 0..<6 { facts.intervals[interval] = number(Int32(12 + interval), statement, &isExact) }
        facts.costCents = read(optional: 18, statement)
        facts.loadedHundredths = read(optional: 19, statement)
        facts.unloadedHundredths = read(optional: 20, statement)
        facts.patient = UInt64(bitPattern: statement.column(21))
        facts.warnings = number(22, statement, &isExact)
        for text in 0..<7 { facts.texts[text] = number(Int32(23 + text), statement, &isExact) }
        guard isExact, facts.isPossible else { throw damage }
        return facts
    }

    private static var damage: StoreDamage { StoreDamage(detail: "a trip has a value that no trip can have") }

    /// A column that is never NULL; 0, and noted, if it does not fit.
    @inline(__always)
    private static func number<Number: FixedWidthInteger>(
        _ index: Int32, _ statement: IntegerStatement, _ isExact: inout Bool
    ) -> Number {
        let value = statement.column(index)
        let number = Number(truncatingIfNeeded: value)
        if Int64(number) != value { isExact = false }
        return number
    }

    @inline(__always)
    private static func read(optional index: Int32, _ statement: IntegerStatement) -> Int {
        // 0 is what SQLite says of NULL too; only then its type is asked for.
        let value = Int(statement.column(index))
        return value == 0 && statement.isNull(index) ? .min : value
    }
}
