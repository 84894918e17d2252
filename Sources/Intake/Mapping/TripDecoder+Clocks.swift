import Basics
import ExportBytes
import Profiles
import Trips

// Times of day whose date is in another column, and times that are written as 24:00.
extension TripDecoder {
    /// Reads the dates of the batch.
    func decodeDates(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, count: Int) {
        for row in 0..<count {
            columns.dates[row] = DecodingColumns.absent
            switch date(bytes, table, row: row) {
            case .time(let time)?: columns.dates[row] = Self.day(of: time)
            case .bad?, .clock?:
                // Where it is the service date too, that is read where no time is.
                guard plan.serviceDate != plan.date[0] else { break }
                columns.warn(row, WarningBit.badTime)
                unread.append(UnreadCell(field: .serviceDate, slot: plan.date[0], row: row))
            case .placeholder?, nil: break
            }
        }
        if plan.serviceDate != plan.date[0] { noteFilled(.serviceDate, plan.date[0], table, count: count) }
    }

    private static func day(of time: TimeReader.Reading) -> Int { Int(time.localDay.daysSince1970) }

    /// Nil: there is none.
    private func date(_ bytes: UnsafePointer<UInt8>, _ table: SpanTable, row: Int) -> TimeReader.Outcome? {
        let spans = plan.date.map { FieldSpan(packed: table.column($0)[row]) }
        if spans.count == 1 { return spans[0].length == 0 ? nil : outcome(bytes, spans[0], &serviceDateReader) }
        guard spans.count == 3 else { return nil }
        let year = identifier(bytes, spans[0]), month = identifier(bytes, spans[1]), day = identifier(bytes, spans[2])
        if year.isEmpty || month.isEmpty || day.isEmpty { return nil }
        return dateParts.reading(year: year.span, month: month.span, day: day.span)
    }

    /// A time of day with its date; nil: the record has none.
    ///
    /// A time that would lie before the event before it belongs to the next day, unless that is too long after it: then a clock
    /// was wrong, and the interval is negative.
    func placed(
        _ clock: TimeReader.Reading, _ event: TripEvent, row: Int, _ bytes: UnsafePointer<UInt8>, _ table: SpanTable
    ) -> TimeReader.Reading? {
        var time = clock
        if let slot = plan.eventDates[event.rawValue] {
            let span = FieldSpan(packed: table.column(slot)[row])
            guard span.length > 0, case .time(let date)? = outcome(bytes, span, &serviceDateReader) else { return nil }
            time.localSeconds += Self.day(of: date) * 86_400
            return time
        }
        guard !plan.date.isEmpty, columns.dates[row] != DecodingColumns.absent else { return nil }
        guard let before = eventBefore(event, row: row) else {
            time.localSeconds += columns.dates[row] * 86_400
            return time
        }
        let previous = columns.local(before)[row]
        let previousDay = (previous >= 0 ? previous : previous - 86_399) / 86_400
        time.localSeconds += max(previousDay, columns.dates[row]) * 86_400
        let longest = min(
            before == .requested ? Self.longestWaitSeconds : Self.longestStepSeconds, profile.maximumIntervalSeconds)
        if time.localSeconds < previous, time.localSeconds + 86_400 - previous <= longest {
            time.localSeconds += 86_400
        }
        return time
    }

    /// Between two events of a trip, and between the request and the next: a trip that was ordered the day before was not
    /// requested in the night before it.
    private static let longestStepSeconds = 18 * 3600
    private static let longestWaitSeconds = 6 * 3600

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
            findings.beginningMidnights += 1
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
