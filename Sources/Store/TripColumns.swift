import Trips

/// Visits the columns of a stored trip. `visitColumns` is the one description of the tables of trip versions: the
/// schema, the bound parameters and the values that are read all come from it.
private protocol TripColumnVisitor {
    /// - Parameter null: the value that the table has as NULL; nil for a column that is never NULL.
    mutating func visit<Number: FixedWidthInteger>(_ name: StaticString, _ value: inout Number, null: Number?)
}

extension StoredTrip {
    @inline(__always)
    fileprivate mutating func visitColumns(_ visitor: inout some TripColumnVisitor) {
        visitor.visit("month", &facts.month, null: nil)
        visitor.visit("key_high", &key.high, null: nil)
        visitor.visit("key_low", &key.low, null: nil)
        visitor.visit("export_id", &exportID, null: nil)
        visitor.visit("record_offset", &recordOffset, null: nil)
        visitor.visit("updated_at", &version.updatedAt, null: AmountState.absent)
        visitor.visit("sequence", &version.sequence, null: AmountState.absent)
        facts.visitColumnsAfterMonth(&visitor)
    }
}

extension TripFacts {
    /// Position of the first column that `visitColumnsAfterMonth` visits.
    fileprivate static let firstColumn: Int32 = 7

    @inline(__always)
    fileprivate mutating func visitColumnsAfterMonth(_ visitor: inout some TripColumnVisitor) {
        visitor.visit("day", &day, null: nil)
        visitor.visit("status", &status, null: nil)
        visitor.visit("region", &region, null: nil)
        visitor.visit("trip_type", &tripType, null: nil)
        visitor.visit("sourcing", &sourcing, null: nil)
        visitor.visit("duration", &intervals[0], null: nil)
        visitor.visit("response", &intervals[1], null: nil)
        visitor.visit("turnout", &intervals[2], null: nil)
        visitor.visit("scene", &intervals[3], null: nil)
        visitor.visit("transport", &intervals[4], null: nil)
        visitor.visit("turnaround", &intervals[5], null: nil)
        visitor.visit("cost_cents", &costCents, null: AmountState.absent)
        visitor.visit("loaded_hundredths", &loadedHundredths, null: AmountState.absent)
        visitor.visit("unloaded_hundredths", &unloadedHundredths, null: AmountState.absent)
        visitor.visit("patient", &patient, null: 0)
        visitor.visit("warnings", &warnings, null: nil)
        visitor.visit("rule", &texts[0], null: nil)
        visitor.visit("provider_id", &texts[1], null: nil)
        visitor.visit("provider_name", &texts[2], null: nil)
        visitor.visit("contract_number", &texts[3], null: nil)
        visitor.visit("hcpcs_code", &texts[4], null: nil)
        visitor.visit("hcpcs_modifiers", &texts[5], null: nil)
        visitor.visit("evidence", &texts[6], null: nil)
    }
}

// MARK: - Names

/// The columns of the tables of trip versions, for SQL.
enum TripColumns {
    static let all: [String] = described.map(\.name)
    static let count = Int32(all.count)
    static let names = all.joined(separator: ", ")
    static let marks = all.map { _ in "?" }.joined(separator: ", ")
    /// As `CREATE TABLE` declares them.
    static let declarations = described.map { "\($0.name) INTEGER" + ($0.isOptional ? "" : " NOT NULL") }
        .joined(separator: ", ")
    /// The columns of texts.
    static let texts = all.suffix(StoredText.allCases.count)

    /// The names with the alias of a table before each.
    static func names(of alias: String) -> String { all.map { "\(alias).\($0)" }.joined(separator: ", ") }

    private static let described: [(name: String, isOptional: Bool)] = {
        var names = ColumnNames()
        var trip = StoredTrip(
            key: TripKey(high: 0, low: 0), exportID: 0, recordOffset: 0, version: TripVersion(), facts: TripFacts())
        trip.visitColumns(&names)
        return names.columns
    }()
}

private struct ColumnNames: TripColumnVisitor {
    var columns: [(name: String, isOptional: Bool)] = []

    mutating func visit<Number: FixedWidthInteger>(_ name: StaticString, _ value: inout Number, null: Number?) {
        columns.append(("\(name)", null != nil))
    }
}

// MARK: - Values

private struct ColumnBinder: TripColumnVisitor {
    let statement: IntegerStatement
    var index: Int32 = 1

    @inline(__always)
    mutating func visit<Number: FixedWidthInteger>(_ name: StaticString, _ value: inout Number, null: Number?) {
        if let null, value == null {
            statement.bindNull(index)
        } else {
            statement.bind(index, Int64(truncatingIfNeeded: value))
        }
        index += 1
    }
}

private struct ColumnReader: TripColumnVisitor {
    let statement: IntegerStatement
    var index: Int32 = 0
    /// Whether every value fits its type.
    var isExact = true

    @inline(__always)
    mutating func visit<Number: FixedWidthInteger>(_ name: StaticString, _ value: inout Number, null: Number?) {
        let stored = statement.column(index)
        value = Number(truncatingIfNeeded: stored)
        if Int64(truncatingIfNeeded: value) != stored { isExact = false }
        // SQLite returns 0 for NULL too; only then its type is read.
        if let null, stored == 0, statement.isNull(index) { value = null }
        index += 1
    }
}

extension IntegerStatement {
    @inline(__always)
    func bind(_ trip: StoredTrip) {
        var trip = trip
        var binder = ColumnBinder(statement: self)
        trip.visitColumns(&binder)
    }

    /// The trip of a row whose first columns are `TripColumns.names`.
    ///
    /// - Throws: `StoreDamage` for a value that is out of range for its column.
    @inline(__always)
    func readTrip() throws -> StoredTrip {
        var trip = StoredTrip(key: readKey(), exportID: 0, recordOffset: 0, version: TripVersion(), facts: TripFacts())
        var reader = ColumnReader(statement: self)
        trip.visitColumns(&reader)
        guard reader.isExact, trip.facts.isPossible else { throw Self.impossibleTrip }
        return trip
    }

    /// The same without the key, the export and the version.
    @inline(__always)
    func readFacts() throws -> TripFacts {
        var facts = TripFacts()
        var reader = ColumnReader(statement: self)
        reader.visit("month", &facts.month, null: nil)
        reader.index = TripFacts.firstColumn
        facts.visitColumnsAfterMonth(&reader)
        guard reader.isExact, facts.isPossible else { throw Self.impossibleTrip }
        return facts
    }

    /// The key in a row whose first columns are `TripColumns.names`.
    @inline(__always)
    func readKey() -> TripKey { TripKey(high: column(1), low: column(2)) }

    private static var impossibleTrip: StoreDamage { StoreDamage(detail: "a trip has a value that no trip can have") }
}
