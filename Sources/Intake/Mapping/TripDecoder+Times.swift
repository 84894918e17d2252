import Basics
import ExportBytes
import Profiles
import Trips

// Times, the month they place a trip in, and the intervals between them.
extension TripDecoder {
    func decodeTimes(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int) {
        if !plan.date.isEmpty { decodeDates(bytes, table, count: count) }
        for event in TripEvent.allCases {
            let local = columns.local(event), instant = columns.instant(event)
            guard event != .requested || needsRequested, let slot = plan.events[event.rawValue] else {
                local.update(repeating: DecodingColumns.absent, count: count)
                instant.update(repeating: DecodingColumns.absent, count: count)
                continue
            }
            decodeEvent(event, slot, bytes, table, count: count, local: local, instant: instant)
            // A date has no instant.
            if isDate(event) { instant.update(repeating: DecodingColumns.absent, count: count) }
        }
        if !columns.endsOfDay.isEmpty { resolveEndsOfDay() }
        if !columns.ambiguous.isEmpty { resolveRepeatedHours() }
    }

    /// `requested_at` measures nothing unless the profile says so; else it is only read where all other times miss. Times of day
    /// begin with it: the call may have come before midnight.
    var needsRequested: Bool {
        plan.hasClocks || profile.intervalPairs.values.contains { $0.start == .requested || $0.end == .requested }
    }

    /// Reads one column of times. Most rows have the date of the event before, so that one is kept for each row: where the
    /// ten bytes are the same, only the time of day is read.
    private func decodeEvent(
        _ event: TripEvent, _ slot: Int, _ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int,
        local: UnsafeMutablePointer<Int>, instant: UnsafeMutablePointer<Int>
    ) {
        let spans = table.column(slot)
        let reader = timeReaders[event.rawValue]
        let zone = zones.isSingle ? zones.tables[0] : nil
        let months = columns.dateMonths, days = columns.dateDays
        let isSingle = zones.isSingle && readsPlainly
        var segment = ZoneSegment(zone, near: 0)
        var blanks = 0, midnights = 0, looked = 0
        var hours: UInt32 = 0
        var order = ColumnValues.DateOrder()
        func place(_ row: Int, _ span: FieldSpan) {
            switch placeSlowly(event, row: row, bytes, table, span, local: local, instant: instant) {
            case .blank: blanks += 1
            case .unread(let slot): unread.append(UnreadCell(field: event.field, slot: slot, row: row))
            case .midnight:
                midnights += 1
                hours |= 1
                order.note(local[row], timeReaders[event.rawValue].forms)
            case .time:
                order.note(local[row], timeReaders[event.rawValue].forms)
                let second = local[row] % 86_400
                hours |= 1 << UInt32(truncatingIfNeeded: (second < 0 ? second + 86_400 : second) / 3600)
            }
            looked += 1
        }
        for row in 0..<count {
            let span = FieldSpan(packed: spans[row])
            guard span.length == 19, isSingle else {
                place(row, span)
                continue
            }
            // The window's padding makes the words beyond the value readable.
            let p = bytes + span.start
            let seconds = TimeReader.plainTime(p)
            let month = TimeReader.yearAndMonth(p), day = TimeReader.dayDigits(p)
            if month != months[row] || day != UInt16(truncatingIfNeeded: days[row]) {
                let midnight = reader.plainDate(month, day)
                months[row] = midnight == TimeReader.bad ? 0 : month
                days[row] = midnight << 16 | Int(day)
            }
            guard seconds != TimeReader.bad, months[row] != 0 else {
                place(row, span)
                continue
            }
            let found = days[row] >> 16 &+ seconds
            if !segment.holds(found), let zone { segment = ZoneSegment(zone, near: found) }
            guard segment.holds(found) else {
                place(row, span)
                continue
            }
            if seconds == 0 { midnights &+= 1 }
            local[row] = found
            instant[row] = found &- segment.offsetSeconds
        }
        if looked < count { hours |= ColumnValues.unknownHours }
        findings.note(event.field, filled: count - blanks, midnights: midnights, hours: hours, order: order)
    }

    /// What a value of a column of times is.
    private enum Placed {
        case blank, midnight, time
        /// It, or its date in another column, cannot be read.
        case unread(slot: Int)
    }

    /// Whether the times of an event are dates: see `ExportReader.dateEvents`.
    private func isDate(_ event: TripEvent) -> Bool { dateEvents & 1 << UInt8(event.rawValue) != 0 }

    /// What a value is; nil if there is none. Only a value with escapes, or with something around it, is copied.
    func outcome(
        _ bytes: UnsafePointer<UInt8>, _ span: FieldSpan, _ reader: inout TimeReader
    ) -> TimeReader.Outcome? {
        if isPlain(bytes, span) {
            // The span lies in the window.
            return reader.nextReading(UnsafeBufferPointer(start: bytes + span.start, count: span.length).span)
        }
        let text = identifier(bytes, span)
        return text.isEmpty ? nil : reader.nextReading(text.span)
    }

    /// Every other form, other zones by row, and the hours that daylight saving repeats or skips.
    @inline(never)
    private func placeSlowly(
        _ event: TripEvent, row: Int, _ bytes: UnsafePointer<UInt8>, _ table: SpanTable, _ span: FieldSpan,
        local: UnsafeMutablePointer<Int>, instant: UnsafeMutablePointer<Int>
    ) -> Placed {
        local[row] = DecodingColumns.absent
        instant[row] = DecodingColumns.absent
        guard span.length > 0 else { return .blank }
        let reading: TimeReader.Reading
        switch outcome(bytes, span, &timeReaders[event.rawValue]) {
        case .time(let time)?: reading = time
        case .clock(let clock)?:
            switch placed(clock, event, row: row, bytes, table) {
            case .time(let time): reading = time
            case .undated: return .blank
            case .unread(let slot):
                columns.warn(row, WarningBit.badTime)
                return .unread(slot: slot)
            }
        case nil, .placeholder?: return .blank
        case .bad?:
            columns.warn(row, WarningBit.badTime)
            return .unread(slot: plan.events[event.rawValue] ?? 0)
        }
        local[row] = reading.localSeconds
        guard reading.hasTime else { return .time }
        let placed = reading.localSeconds % 86_400 == 0 ? Placed.midnight : .time
        if reading.isEndOfDay { columns.endsOfDay.append((row, event)) }
        if isDate(event) { return placed }
        let zone = zones.tables[zones.isSingle ? 0 : Int(columns.zones[row])]
        if let offset = reading.offsetSeconds {
            instant[row] = reading.localSeconds - offset
            if let zone {
                local[row] = zone.local(instant: instant[row])
            } else {
                columns.offsets[row] |= 1 << UInt8(event.rawValue)
                columns.hasOffsets = true
            }
            return placed
        }
        guard let zone else {
            instant[row] = reading.localSeconds
            return placed
        }
        switch zone.resolve(local: reading.localSeconds) {
        case .instant(let seconds): instant[row] = seconds
        case .skipped: columns.warn(row, WarningBit.skippedLocalTime)
        case .repeated(let earlier, _):
            instant[row] = earlier
            columns.ambiguous.append((row, 1 << UInt8(event.rawValue)))
        }
        return placed
    }

    /// A local time in the repeated hour is the first of its two instants that does not come before the event before
    /// it, unless the event after it rules that one out. Where both fit, the time is not used: its intervals are excluded, and
    /// the trip is flagged.
    private func resolveRepeatedHours() {
        var eventsByRow: [Int: UInt8] = [:]
        for entry in columns.ambiguous { eventsByRow[entry.row, default: 0] |= entry.events }
        for (row, events) in eventsByRow {
            guard let zone = zones.tables[zones.isSingle ? 0 : Int(columns.zones[row])] else { continue }
            var before: Int?
            for event in TripEvent.allCases {
                let instants = columns.instant(event)
                guard instants[row] != DecodingColumns.absent else { continue }
                if events & (1 << UInt8(event.rawValue)) != 0,
                    case .repeated(let earlier, let later) = zone.resolve(local: columns.local(event)[row])
                {
                    let after = unambiguousInstant(after: event, row: row, ambiguous: events)
                    let earlierFits = before.map { earlier >= $0 } ?? true
                    let laterFits = after.map { later <= $0 } ?? true
                    before = earlierFits ? earlier : later
                    if earlierFits && laterFits {
                        columns.warn(row, WarningBit.ambiguousLocalTime)
                        instants[row] = DecodingColumns.absent
                    } else {
                        instants[row] = earlierFits ? earlier : later
                    }
                } else {
                    before = instants[row]
                }
            }
        }
    }

    private func unambiguousInstant(after event: TripEvent, row: Int, ambiguous: UInt8) -> Int? {
        for later in TripEvent.allCases where later.rawValue > event.rawValue {
            let instant = columns.instant(later)[row]
            if instant != DecodingColumns.absent, ambiguous & (1 << UInt8(later.rawValue)) == 0 { return instant }
        }
        return nil
    }

    // MARK: - Month

    func decodeMonths(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int, into batch: inout TripBatch) {
        let first = columns.local(.unitNotified)
        // Seconds of the deciding event, in the column that nothing reads after the instants are known.
        let days = first
        let noUsableDate = DecodingColumns.code(of: .noUsableDate)
        // These are read only where there is no other time; their share is of all of them.
        if !needsRequested { noteFilled(.requestedAt, plan.events[TripEvent.requested.rawValue], table, count: count) }
        if !isServiceDateDecoded { noteFilled(.serviceDate, plan.serviceDate, table, count: count) }
        for row in 0..<count {
            var seconds = first[row]
            if seconds == DecodingColumns.absent {
                seconds = laterLocalTime(row)
                if seconds == DecodingColumns.absent { seconds = fallbackDate(bytes, table, row: row) }
                if seconds == DecodingColumns.absent {
                    if columns.verdicts[row] == 0 { columns.verdicts[row] = noUsableDate }
                    seconds = 0
                }
            }
            days[row] = seconds
        }
        batch.day.withUnsafeMutableBufferPointer { out in
            for row in 0..<count {
                let seconds = days[row]
                let day = seconds >= 0 ? seconds / 86_400 : (seconds &- 86_399) / 86_400
                out[row] = Int32(truncatingIfNeeded: day)
            }
        }
        var months = monthOfDay
        batch.month.withUnsafeMutableBufferPointer { out in
            for row in 0..<count { out[row] = months.month(of: Int(batch.day[row])) }
        }
        monthOfDay = months
        if !profile.vocabulary.regionValidity.isEmpty { unassignOutdatedRegions(count: count, &batch) }
    }

    private func laterLocalTime(_ row: Int) -> Int {
        for event in TripEvent.monthOrder {
            let seconds = columns.local(event)[row]
            if seconds != DecodingColumns.absent { return seconds }
        }
        return DecodingColumns.absent
    }

    private func fallbackDate(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, row: Int) -> Int {
        if !needsRequested, let slot = plan.events[TripEvent.requested.rawValue] {
            let local = columns.local(.requested), instant = columns.instant(.requested)
            let span = FieldSpan(packed: table.column(slot)[row])
            let placed = placeSlowly(.requested, row: row, bytes, table, span, local: local, instant: instant)
            if case .unread(let slot) = placed {
                unread.append(UnreadCell(field: .requestedAt, slot: slot, row: row))
            }
            if local[row] != DecodingColumns.absent { return local[row] }
        }
        if isServiceDateDecoded {
            let day = columns.dates[row]
            return day == DecodingColumns.absent || day == DecodingColumns.unread
                ? DecodingColumns.absent : day * 86_400
        }
        guard let slot = plan.serviceDate else { return DecodingColumns.absent }
        let span = FieldSpan(packed: table.column(slot)[row])
        guard span.length > 0 else { return DecodingColumns.absent }
        switch outcome(bytes, span, &serviceDateReader) {
        case .time(let time)?: return localSeconds(time, row: row)
        case nil, .placeholder?: return DecodingColumns.absent
        case .bad?, .clock?:
            unread.append(UnreadCell(field: .serviceDate, slot: slot, row: row))
            columns.warn(row, WarningBit.badTime)
            return DecodingColumns.absent
        }
    }

    /// The time of a date. With an offset it is that on the clock of the row's zone, unless it is a midnight: then it is a date, and
    /// taken as it is written.
    func localSeconds(_ time: TimeReader.Reading, row: Int) -> Int {
        guard let offset = time.offsetSeconds, time.localSeconds % 86_400 != 0 else { return time.localSeconds }
        if let zone = zones.tables[zones.isSingle ? 0 : Int(columns.zones[row])] {
            return zone.local(instant: time.localSeconds - offset)
        }
        if offset == 0 { findings.times.datesOfUTC += 1 }
        return time.localSeconds
    }

    private func unassignOutdatedRegions(count: Int, _ batch: inout TripBatch) {
        for row in 0..<count {
            if let dates = profile.vocabulary.regionValidity[batch.region[row]],
                !dates.contains(CivilDay(daysSince1970: batch.day[row]))
            {
                batch.region[row] = 0
                columns.warn(row, WarningBit.unmappedRegion)
            }
        }
    }
}

/// The stretch of local time around some time in which a zone's offset is one and the same.
struct ZoneSegment {
    let offsetSeconds: Int
    private let from: Int
    private let to: Int

    /// Without a zone, local times count as if their clock were UTC.
    init(_ zone: ZoneTable?, near local: Int) {
        guard let zone else {
            (offsetSeconds, from, to) = (0, Int.min, Int.max)
            return
        }
        (offsetSeconds, from, to) = zone.stretch(near: local)
    }

    @inline(__always)
    func holds(_ local: Int) -> Bool { local >= from && local < to }
}
