import KPIs
package import Trips

/// One version of a trip in the store, from one export, without anything that points at a person: the day instead of the
/// times, intervals instead of clock readings, pseudonyms instead of ids, and texts by their number in `TextTable`.
package struct StoredTrip: Sendable, Hashable {
    package var key: TripKey
    package var exportID: Int32
    /// Byte offset of the record in the export: of equal versions of one export the later record counts.
    package var recordOffset: Int
    package var version: TripVersion
    package var facts: TripFacts

    package init(key: TripKey, exportID: Int32, recordOffset: Int, version: TripVersion, facts: TripFacts) {
        self.key = key
        self.exportID = exportID
        self.recordOffset = recordOffset
        self.version = version
        self.facts = facts
    }

    /// Whether both are the same version with the same facts. The classification is not compared: one of two copies may
    /// have been loaded under other rules.
    package func isCopy(of other: StoredTrip) -> Bool {
        guard version == other.version else { return false }
        var own = facts
        own.sourcing = other.facts.sourcing
        own[.rule] = other.facts[.rule]
        return own == other.facts
    }
}

extension TripFacts {
    /// Above any trip's cost in cents or distance in hundredths of a mile; totals over all trips do not overflow.
    private static let largestAmount = 1 << 40

    /// Whether a trip can have these values: damaged bytes must not become the index of an array or overflow a total.
    /// Regions, trip types and the longest interval are checked by `TripBatch.append(stored:for:)`.
    @inline(__always)
    var isPossible: Bool {
        guard Month.storable ~= month else { return false }
        let first = CivilDay.days(year: Int(month) / 12, month: Int(month) % 12 + 1, day: 1)
        return first...first + 30 ~= day && TripStatus(rawValue: status) != nil && Sourcing(rawValue: sourcing) != nil
            && warnings >> UInt32(Self.warningCount) == 0 && intervals.min() >= IntervalState.tooLong
            && Self.isPossible(amount: costCents) && Self.isPossible(amount: loadedHundredths)
            && Self.isPossible(amount: unloadedHundredths)
    }

    private static let warningCount = WarningCode.allCases.count

    @inline(__always)
    private static func isPossible(amount: Int) -> Bool {
        amount == AmountState.absent || isPossible(amount: .some(amount))
    }

    /// - Parameter amount: nil: none.
    static func isPossible(amount: Int?) -> Bool { amount.map { -largestAmount...largestAmount ~= $0 } ?? true }
}

extension Month {
    /// The indices of the months that a store can hold.
    static let storable: ClosedRange<Int32> = 1900 * 12...2300 * 12 - 1
}

extension StoredTrip {
    /// The trip in row `row` of a batch with versions. The caller fills in the texts.
    ///
    /// - Parameter batch: borrowed, because a copy retains all its columns, row by row.
    package init(_ batch: borrowing TripBatch, row: Int, exportID: Int32) {
        let stamp = batch.versions[row]
        var facts = TripFacts()
        facts.month = batch.month[row]
        facts.day = batch.day[row]
        facts.status = batch.status[row]
        facts.region = batch.region[row]
        facts.tripType = batch.tripType[row]
        facts.sourcing = batch.sourcing[row]
        facts.warnings = batch.warnings[row]
        for interval in batch.intervals.indices { facts.intervals[interval] = batch.intervals[interval][row] }
        facts.costCents = batch.costCents[row]
        facts.loadedHundredths = batch.loadedHundredths[row]
        facts.unloadedHundredths = batch.unloadedHundredths[row]
        facts.patient = batch.patientHashes[row]
        self.init(
            key: TripKey(
                high: Int64(bitPattern: batch.keyHashes[row]), low: Int64(bitPattern: stamp.keyCheck)),
            exportID: exportID, recordOffset: RecordLocation(batch.offsets[row]).offset, version: stamp.version,
            facts: facts)
    }
}

extension TripBatch {
    /// Adds a trip of the store as a row, for tallies.
    ///
    /// - Throws: `StoreDamage` for a trip that does not fit tallies of this shape.
    mutating func append(stored trip: TripFacts, for shape: KPITally.Shape) throws {
        do {
            try append(trip, for: shape)
        } catch {
            throw StoreDamage(detail: error.description)
        }
    }
}
