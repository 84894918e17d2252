import Basics
import ExportBytes
import Profiles
import Trips

// Times of day whose date is in another column, and times that are written as 24:00.
extension TripDecoder {
    /// Reads the dates of the batch.
    func decodeDates(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int) {
        for row in 0..<count {
            switch date(bytes, table, row: row) {
            case .time(let time)?: columns.dates[row] = day(of: time, row: row)
            case .bad?, .clock?:
                columns.dates[row] = DecodingColumns.unread
                columns.warn(row, WarningBit.badTime)
                unread.append(UnreadCell(field: .serviceDate, slot: plan.date[0], row: row))
            case .placeholder?, nil: columns.dates[row] = DecodingColumns.absent
            }
        }
        noteFilled(.serviceDate, plan.date[0], table, count: count)
    }

    /// Whether the date of times of day is the service date too.
    var isServiceDateDecoded: Bool { plan.serviceDate.map { plan.date == [$0] } ?? !plan.date.isEmpty }

    private func day(of time: TimeReader.Reading, row: Int) -> Int {
        let local = localSeconds(time, row: row)
        return (local >= 0 ? local : local - 86_399) / 86_400
    }

    /// Nil: there is none.
    private func date(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, row: Int) -> TimeReader.Outcome? {
        let spans = plan.date.map { FieldSpan(packed: table.column($0)[row]) }
        if spans.count == 1 { return spans[0].length == 0 ? nil : outcome(bytes, spans[0], &serviceDateReader) }
        guard spans.count == 3 else { return nil }
        let year = identifier(bytes, spans[0]), month = identifier(bytes, spans[1]), day = identifier(bytes, spans[2])
        if year.isEmpty || month.isEmpty || day.isEmpty { return nil }
        return dateParts.reading(year: year.span, month: month.span, day: day.span)
    }

    /// A time of day with its date.
    enum PlacedClock {
        case time(TimeReader.Reading)
        /// The record has no date.
        case undated
        /// The date cannot be read.
        case unread(slot: Int)
    }

    /// A time that would lie before the event before it belongs to the next day, unless that is too long after it: then a clock
    /// was wrong, or has twelve hours, and the interval is negative.
    func placed(
        _ clock: TimeReader.Reading, _ event: TripEvent, row: Int, _ bytes: UnsafePointer<UInt8>, _ table: SpanTable
    ) -> PlacedClock {
        var time = clock
        if let slot = plan.eventDates[event.rawValue] {
            let span = FieldSpan(packed: table.column(slot)[row])
            guard span.length > 0 else { return .undated }
            switch outcome(bytes, span, &serviceDateReader) {
            case .time(let date)?: time.localSeconds += day(of: date, row: row) * 86_400
            case .bad?, .clock?: return .unread(slot: slot)
            case .placeholder?, nil: return .undated
            }
            return .time(time)
        }
        let date = plan.date.isEmpty ? DecodingColumns.absent : columns.dates[row]
        if date == DecodingColumns.unread { return .unread(slot: plan.date[0]) }
        guard date != DecodingColumns.absent else { return .undated }
        findings.times.clocks += 1
        guard let before = eventBefore(event, row: row) else {
            time.localSeconds += date * 86_400
            return .time(time)
        }
        let previous = columns.local(before)[row]
        // The request does not move the trip: it may have come the day before, and its own date is not known.
        let previousDay = before == .requested ? date : (previous >= 0 ? previous : previous - 86_399) / 86_400
        time.localSeconds += max(previousDay, date) * 86_400
        let longest = min(
            before == .requested ? Self.longestWaitSeconds : Self.longestStepSeconds, profile.maximumIntervalSeconds)
        if time.localSeconds < previous, 0...longest ~= time.localSeconds + 86_400 - previous {
            time.localSeconds += 86_400
            findings.times.nextDays += 1
        }
        return .time(time)
    }

    /// Between two events of a trip: less than the twelve hours by which a clock without AM and PM is wrong. Between the request
    /// and the next event less: a trip that was ordered in the evening before is not of the day after its date.
    private static let longestStepSeconds = 10 * 3600
    private static let longestWaitSeconds = 3600

    private func eventBefore(_ event: TripEvent, row: Int) -> TripEvent? {
        var place = event.rawValue - 1
        while place >= 0, let earlier = TripEvent(rawValue: place) {
            if columns.local(earlier)[row] != DecodingColumns.absent { return earlier }
            place -= 1
        }
        return nil
    }

    private func eventAfter(_ event: TripEvent, row: Int) -> TripEvent? {
        var place = event.rawValue + 1
        while let later = TripEvent(rawValue: place) {
            if columns.local(later)[row] != DecodingColumns.absent { return later }
            place += 1
        }
        return nil
    }

    /// 24:00 is the next midnight. Some systems write it for the midnight that begins the day: where only that one fits between the
    /// other times of the trip, it is meant.
    func resolveEndsOfDay() {
        let limit = profile.maximumIntervalSeconds
        for (row, event) in columns.endsOfDay {
            let before = eventBefore(event, row: row).map { columns.local($0)[row] }
            let after = eventAfter(event, row: row).map { columns.local($0)[row] }
            func fits(_ local: Int) -> Bool {
                (before.map { 0...limit ~= local - $0 } ?? true) && (after.map { 0...limit ~= $0 - local } ?? true)
            }
            let local = columns.local(event)[row], first = local - 86_400
            guard before != nil || after != nil, !fits(local), fits(first) else { continue }
            columns.local(event)[row] = first
            findings.times.beginningMidnights += 1
            let instant = columns.instant(event)
            guard instant[row] != DecodingColumns.absent else { continue }
            guard let zone = zones.tables[zones.isSingle ? 0 : Int(columns.zones[row])],
                columns.offsets[row] & 1 << UInt8(event.rawValue) == 0, zone.local(instant: instant[row]) == local
            else {
                instant[row] -= 86_400
                continue
            }
            if case .instant(let found) = zone.resolve(local: first) {
                instant[row] = found
            } else {
                instant[row] -= 86_400
            }
        }
    }
}
