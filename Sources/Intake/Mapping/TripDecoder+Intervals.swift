import ExportBytes
import Profiles
import Trips

// The intervals between times, and those that the export states itself.
extension TripDecoder {
    func decodeIntervals(
        _ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int, into batch: inout TripBatch
    ) {
        let limit = profile.maximumIntervalSeconds
        let missing = IntervalState.missing, negative = IntervalState.negative, tooLong = IntervalState.tooLong
        for interval in TripInterval.allCases {
            let pair = profile.intervalPairs[interval] ?? interval.standardPair
            let isStated = plan.statedIntervals[interval.rawValue] != nil
            let starts = columns.instant(pair.start), ends = columns.instant(pair.end)
            let warnings = columns.warnings
            var counts = IntervalCounts(records: count)
            batch.intervals[interval.rawValue].withUnsafeMutableBufferPointer { out in
                for row in 0..<count {
                    let start = starts[row], end = ends[row]
                    if start == DecodingColumns.absent || end == DecodingColumns.absent {
                        out[row] = missing
                        if !isStated { warnings[row] |= WarningBit.intervalMissing }
                        continue
                    }
                    let seconds = end &- start
                    counts.both &+= 1
                    if seconds == 0 { counts.wholeDays &+= 1 }
                    if seconds >= 0 && seconds <= limit {
                        out[row] = Int32(truncatingIfNeeded: seconds)
                    } else {
                        out[row] = seconds < 0 ? negative : tooLong
                        if !isStated {
                            warnings[row] |= seconds < 0 ? WarningBit.intervalNegative : WarningBit.intervalTooLong
                        }
                        if seconds < 0 { counts.negative += 1 } else if seconds % 86_400 == 0 { counts.wholeDays += 1 }
                    }
                }
            }
            if columns.hasOffsets { excludeMixedClocks(interval, pair, count: count, &batch) }
            if let slot = plan.statedIntervals[interval.rawValue], let stated = profile.statedIntervals[interval] {
                decode(stated, of: interval, bytes, table.column(slot), count: count, &counts, into: &batch)
            }
            findings.note(interval, counts)
        }
        keepIntervalWarnings(of: .completed, count: count, batch)
    }

    /// An interval that is stated counts before the one between times, which stays where none is stated.
    private func decode(
        _ stated: StatedInterval, of interval: TripInterval, _ bytes: UnsafePointer<UInt8>,
        _ spans: UnsafePointer<UInt64>, count: Int, _ counts: inout IntervalCounts, into batch: inout TripBatch
    ) {
        let limit = profile.maximumIntervalSeconds
        var values = StatedIntervalValues()
        for row in 0..<count {
            let span = FieldSpan(packed: spans[row])
            let between = batch.intervals[interval.rawValue][row]
            let mark = span.isLiteral ? DecimalMark.point : profile.decimalMark
            var seconds: Int?
            var isBlank = span.length == 0
            if !isBlank, isPlain(bytes, span) {
                // The span lies in the window.
                let text = UnsafeBufferPointer(start: bytes + span.start, count: span.length).span
                seconds = stated.seconds(text, decimalMark: mark)
            } else if !isBlank {
                let text = identifier(bytes, span)
                isBlank = text.isEmpty
                seconds = stated.seconds(text.span, decimalMark: mark)
            }
            if let seconds {
                values.note(seconds: seconds)
                if between >= 0 {
                    values.compared += 1
                    if abs(seconds - Int(between)) > 60 { values.differing += 1 }
                } else {
                    counts.both += 1
                }
                batch.intervals[interval.rawValue][row] =
                    seconds < 0
                    ? IntervalState.negative
                    : seconds > limit ? IntervalState.tooLong : Int32(truncatingIfNeeded: seconds)
            } else if !isBlank {
                values.filled += 1
                values.unread += 1
                if values.shapes.count < StatedIntervalValues.mostShapes {
                    values.shapes.insert(
                        ValueShape.of(FieldSpan.bytes(bytes + span.start, span.length, span.escaping)))
                }
                // What is stated and cannot be read is not replaced.
                batch.intervals[interval.rawValue][row] = IntervalState.missing
            }
            switch batch.intervals[interval.rawValue][row] {
            case IntervalState.missing: columns.warn(row, WarningBit.intervalMissing)
            case IntervalState.negative: columns.warn(row, WarningBit.intervalNegative)
            case IntervalState.tooLong: columns.warn(row, WarningBit.intervalTooLong)
            default: break
            }
        }
        findings.note(values, of: interval)
    }

    /// Without a zone, a time that states its offset and one that does not have no known distance.
    private func excludeMixedClocks(_ interval: TripInterval, _ pair: EventPair, count: Int, _ batch: inout TripBatch) {
        let both: UInt8 = 1 << UInt8(pair.start.rawValue) | 1 << UInt8(pair.end.rawValue)
        for row in 0..<count where batch.intervals[interval.rawValue][row] != IntervalState.missing {
            let stated = columns.offsets[row] & both
            if stated == 0 || stated == both { continue }
            batch.intervals[interval.rawValue][row] = IntervalState.missing
            findings.times.mixedIntervals += 1
            columns.warn(row, WarningBit.badTime)
        }
    }

    /// Intervals are measures of completed trips. Those of other trips are not counted: the count would disclose how
    /// many others there are.
    private func keepIntervalWarnings(of status: TripStatus, count: Int, _ batch: TripBatch) {
        let bits = WarningBit.intervalMissing | WarningBit.intervalNegative | WarningBit.intervalTooLong
        let code = status.rawValue
        for row in 0..<count where batch.status[row] != code { columns.warnings[row] &= ~bits }
    }
}
