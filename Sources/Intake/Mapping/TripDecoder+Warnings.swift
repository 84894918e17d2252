import ExportBytes
import Profiles
import Trips

// Where the first warnings of an export are: gathered only for a load, and only until there are enough of each code.
extension TripDecoder {
    /// All codes, as `DecodingColumns.warnings` has them.
    static var everyWarning: UInt32 { (1 << UInt32(WarningCode.allCases.count)) - 1 }

    /// Notes the rows with a warning of which more are wanted. Nothing is noted of a record that is rejected, or that
    /// counts in nothing.
    @inline(never)
    func noteWarnings(
        _ window: RecordWindow, _ table: SpanTable, records: UnsafePointer<Int32>, count: Int, _ batch: TripBatch
    ) {
        for row in 0..<count where columns.warnings[row] & wantedWarnings != 0 {
            guard columns.verdicts[row] == 0, batch.status[row] != TripStatus.void.rawValue else { continue }
            for code in WarningCode.allCases where columns.warnings[row] & wantedWarnings & bit(code) != 0 {
                let column = column(of: code, window, table, row: row, batch)
                let shape = column?.slot.flatMap { slot -> String? in
                    let span = FieldSpan(packed: table.column(slot)[row])
                    if span.length == 0 { return nil }
                    return ValueShape.of(FieldSpan.bytes(window.bytes + span.start, span.length, span.escaping))
                }
                let record = Int(records[row])
                let isEnough = findings.warn(
                    window, at: window.recordStart(record), recordInBlock: Int(window.recordNumbers[record]),
                    field: column?.field, code: code, shape: shape)
                if isEnough { wantedWarnings &= ~bit(code) }
            }
        }
    }

    private func bit(_ code: WarningCode) -> UInt32 { 1 << UInt32(code.index) }

    private typealias Column = (field: CanonicalField, slot: Int?)

    /// The column to blame, found by reading the values again; nil if it is not one column.
    private func column(
        of code: WarningCode, _ window: RecordWindow, _ table: SpanTable, row: Int, _ batch: TripBatch
    ) -> Column? {
        func value(_ slot: Int) -> ArraySlice<UInt8> {
            identifier(UnsafePointer(window.bytes), FieldSpan(packed: table.column(slot)[row]))
        }
        func amount(_ slot: Int) -> AmountReader.Reading {
            let span = FieldSpan(packed: table.column(slot)[row])
            return AmountReader.hundredths(amountText(window.bytes, span), isNumber: span.isLiteral)
        }
        let miles: [Column] = [
            (.loadedMiles, plan.loadedMiles), (.unloadedMiles, plan.unloadedMiles),
            (.odometerStart, plan.odometerStart),
            (.odometerEnd, plan.odometerEnd),
        ]
        switch code {
        case .badTime:
            return times.first { time in
                guard let slot = time.slot, !value(slot).isEmpty else { return false }
                return time.reader.reading(value(slot)) == .bad
            }.map { ($0.field, $0.slot) }
        case .skippedLocalTime, .ambiguousLocalTime:
            guard let zone = zones.tables[zones.isSingle ? 0 : Int(columns.zones[row])] else { return nil }
            return times.first { time in
                guard let reading = time.slot.flatMap({ time.reader.read(value($0)) }), reading.hasTime,
                    reading.offsetSeconds == nil
                else { return false }
                switch zone.resolve(local: reading.localSeconds) {
                case .skipped: return code == .skippedLocalTime
                case .repeated: return code == .ambiguousLocalTime
                case .instant: return false
                }
            }.map { ($0.field, $0.slot) }
        case .badVersion:
            let isUpdatedAt = plan.updatedAt.map { !value($0).isEmpty && updatedAtReader.reading(value($0)) == .bad }
            return isUpdatedAt == true ? (.updatedAt, plan.updatedAt) : (.sequence, plan.sequence)
        case .badCost, .costOnUncompletedTrip: return (.cost, plan.cost)
        case .badMiles: return miles.first { $0.slot.map(amount) == .bad }
        case .negativeMiles:
            return miles.first { column in
                if case .value(let hundredths)? = column.slot.map(amount) { hundredths < 0 } else { false }
            }
        case .odometerReversed: return (.odometerEnd, plan.odometerEnd)
        case .implausibleMiles:
            let ground = profile.maximumMiles.ground * 100
            return miles.prefix(2).first { column in
                if case .value(let hundredths)? = column.slot.map(amount) { hundredths > ground } else { false }
            } ?? (.odometerEnd, plan.odometerEnd)
        case .intervalMissing, .intervalNegative, .intervalTooLong: return intervalColumn(code, row: row, batch)
        case .unmappedRegion: return (.region, plan.region)
        case .unmappedTripType: return (.tripType, plan.tripType)
        }
    }

    /// The columns of times with their readers; that of the request is read last, as where a trip has no other time.
    private var times: [(field: CanonicalField, slot: Int?, reader: TimeReader)] {
        TripEvent.monthOrder.map { ($0.field, plan.events[$0.rawValue], timeReaders[$0.rawValue]) }
            + [(.serviceDate, plan.serviceDate, serviceDateReader)]
    }

    /// The time that the first such interval lacks, or at which it ends.
    private func intervalColumn(_ code: WarningCode, row: Int, _ batch: TripBatch) -> Column? {
        let state =
            switch code {
            case .intervalMissing: IntervalState.missing
            case .intervalNegative: IntervalState.negative
            default: IntervalState.tooLong
            }
        for interval in TripInterval.allCases where batch.intervals[interval.rawValue][row] == state {
            let pair = profile.intervalPairs[interval] ?? interval.standardPair
            let isStartMissing =
                code == .intervalMissing && columns.instant(pair.start)[row] == DecodingColumns.absent
            let event = isStartMissing ? pair.start : pair.end
            return (event.field, plan.events[event.rawValue])
        }
        return nil
    }
}
