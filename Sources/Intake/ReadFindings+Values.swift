import Basics
package import ExportBytes
import Profiles
import Trips

// What was found in the values of columns: those that cannot be read, currencies, times that are dates, odd intervals.

/// The values of one column, counted in any order.
struct ColumnValues: Sendable {
    /// Not blank, and no word for no value.
    var filled = 0
    /// Times at 0:00.
    var midnights = 0
    /// Of times: the hours of the day that occur, as bits; `unknownHours` if some were not looked at.
    var hours: UInt32 = 0
    static let unknownHours: UInt32 = 1 << 31
    var unread: [ValueFault: UnreadValues] = [:]
    var order = DateOrder()

    /// Dates whose order says which number is the day.
    struct DateOrder: Sendable {
        var dates = 0
        /// Whether one of them is of a day up to 12, which might be a month.
        var hasEarlyDay = false

        /// - Parameters:
        ///   - seconds: since 1970, on the clock that the time is written by.
        ///   - forms: what read it.
        mutating func note(_ seconds: Int, _ forms: TimeForms) {
            guard forms.lastWasByOrder else { return }
            dates += 1
            guard !hasEarlyDay else { return }
            let day = CivilDay(daysSince1970: Int32(clamping: (seconds >= 0 ? seconds : seconds - 86_399) / 86_400))
            hasEarlyDay = day.components.day <= 12
        }

        mutating func merge(_ other: DateOrder) {
            dates += other.dates
            hasEarlyDay = hasEarlyDay || other.hasEarlyDay
        }
    }

    /// Whether a spreadsheet seems to have swapped day and month wherever it could: a text such as 05/03/2025 became the third of
    /// May, and 25/03/2025, which is no date to it, stayed a text. So no text is of a day up to 12, and there are other dates.
    var hasSwappedDates: Bool {
        let others = filled - order.dates - unread.values.reduce(0) { $0 + $1.count }
        return order.dates >= 11 && !order.hasEarlyDay && others >= 11
    }

    /// Values with one fault.
    struct UnreadValues: Sendable {
        var count = 0
        /// The first of them by place, and some more: see `ReadFindings.firstUnread`.
        var first: [ReadFindings.BlockRecord<UnreadValue>] = []
    }

    /// Whether many times of many hours are all from 1:00 to 12:59.
    var isOfTwelveHours: Bool {
        let twelve: UInt32 = 0b1_1111_1111_1110
        return filled >= 20 && hours & ~twelve == 0 && hours.nonzeroBitCount >= 6
    }

    mutating func merge(_ other: ColumnValues) {
        filled += other.filled
        midnights += other.midnights
        hours |= other.hours
        order.merge(other.order)
        for (fault, values) in other.unread {
            unread[fault, default: UnreadValues()].count += values.count
            unread[fault]?.first += values.first
        }
    }
}

/// The intervals of a kind that were measured.
struct IntervalCounts: Sendable {
    var records = 0
    /// Records with both times.
    var both = 0
    var negative = 0
    /// 0 seconds, or whole days.
    var wholeDays = 0

    mutating func merge(_ other: IntervalCounts) {
        records += other.records
        both += other.both
        negative += other.negative
        wholeDays += other.wholeDays
    }
}

extension ReadFindings {
    /// How many unread values of a column are kept in detail; all are counted.
    static let maximumUnreadDetails = 20
    /// Fewer values than this show nothing of a column.
    private static let leastValues = 10
    private static let leastTimes = 20

    /// Counts the values of a column of a batch.
    ///
    /// - Parameter hours: see `ColumnValues.hours`.
    mutating func note(
        _ field: CanonicalField, filled: Int, midnights: Int = 0, hours: UInt32 = 0,
        order: ColumnValues.DateOrder = .init()
    ) {
        guard filled > 0 else { return }
        values[field, default: ColumnValues()].filled += filled
        values[field]?.midnights += midnights
        values[field]?.hours |= hours
        values[field]?.order.merge(order)
    }

    /// Notes a value that cannot be read. A worker's records come in the order of the file, so its first ones are enough.
    mutating func noteUnread(
        _ field: CanonicalField, _ fault: ValueFault, _ window: RecordWindow, record: Int, shape: () -> String
    ) {
        var unread = values[field, default: ColumnValues()].unread[fault] ?? ColumnValues.UnreadValues()
        unread.count += 1
        if unread.count <= Self.maximumUnreadDetails {
            let offset = window.baseOffset + window.recordStart(record)
            unread.first.append(
                BlockRecord(
                    block: window.ordinal, recordInBlock: Int(window.recordNumbers[record]), byteOffset: offset,
                    remark: UnreadValue(recordNumber: 0, byteOffset: offset, shape: shape())))
        }
        values[field, default: ColumnValues()].unread[fault] = unread
    }

    /// Columns with values that cannot be read, in the order of the fields.
    package var unreadableColumns: [UnreadableColumn] {
        CanonicalField.allCases.flatMap { field in
            [ValueFault.unreadable, .notUTF8].compactMap { fault in
                guard let column = values[field], let unread = column.unread[fault] else { return nil }
                let first = unread.first.sorted { $0.byteOffset < $1.byteOffset }.prefix(Self.maximumUnreadDetails)
                return UnreadableColumn(
                    field: field, fault: fault, filled: column.filled, unread: unread.count,
                    values: numbered(first, \.recordNumber))
            }
        }
    }

    /// What must be said of the values, though the export is read: a sentence each.
    ///
    /// - Parameters:
    ///   - dates: times that are read as dates.
    ///   - pairs: the times of each interval whose columns the export has.
    ///   - fields: times whose patterns do not read AM and PM.
    func remarks(
        dates: [CanonicalField], pairs: [TripInterval: EventPair], withoutDayPeriod fields: Set<CanonicalField>
    ) -> [String] {
        unreadableColumns.map(\.description) + foreignCurrency + costs.remarks + tooFar
            + dates.compactMap(dateRemark)
            + TripInterval.allCases.flatMap { statedIntervals[$0]?.remarks($0) ?? [] } + times.remarks
            + twelveHourRemarks(of: fields)
            + midnightRemarks(except: dates)
            + TripInterval.allCases.compactMap { pairs[$0] == nil ? nil : intervalRemark($0) }
    }

    private var foreignCurrency: [String] {
        guard let currency = currencies.keys.first, currency != .usd else { return [] }
        let count = currencies[currency] ?? 0
        return [
            "\(count) \(count == 1 ? "cost is" : "costs are") in \(currency.code): all figures show them as dollars"
        ]
    }

    private var tooFar: [String] {
        guard implausibleMiles > 0 else { return [] }
        let are = implausibleMiles == 1 ? "1 distance is" : "\(implausibleMiles) distances are"
        return ["\(are) over the limit of one trip (max_miles) and in no sum: warning implausible_miles"]
    }

    private func dateRemark(_ field: CanonicalField) -> String? {
        guard let column = values[field] else { return nil }
        let timed = column.filled - column.midnights - (column.unread[.unreadable]?.count ?? 0)
        let what = "\(field.rawValue) is at 0:00 in the first records: it is read as a date, which measures no interval"
        return timed == 0 ? what : what + "; \(timed) of \(column.filled) values have a time of day that is not used"
    }

    private func midnightRemarks(except dates: [CanonicalField]) -> [String] {
        TripEvent.allCases.map(\.field).compactMap { field in
            guard !dates.contains(field), let column = values[field] else { return nil }
            if column.midnights == column.filled, column.filled >= Self.leastMidnights {
                return
                    "all \(column.filled) values of \(field.rawValue) are at 0:00: dates, it seems, and no times; map the column as "
                    + "service_date"
            }
            guard column.midnights >= Self.leastTimes, column.midnights * 20 > column.filled else { return nil }
            return
                "\(column.midnights) of \(column.filled) values of \(field.rawValue) are at 0:00: where these are dates "
                + "without a time, the intervals from or to them are wrong"
        }
    }

    /// One time at 0:00 may be a trip at midnight.
    private static let leastMidnights = 3

    /// Columns in which no time is after 12:59 or before 1:00, though they are of many hours.
    ///
    /// - Parameter fields: those whose patterns do not read AM and PM.
    private func twelveHourRemarks(of fields: Set<CanonicalField>) -> [String] {
        TripEvent.allCases.map(\.field).compactMap { field in
            guard fields.contains(field), let column = values[field], column.isOfTwelveHours else { return nil }
            return
                "all times of \(field.rawValue) are from 1:00 to 12:59: if its clock has twelve hours, morning and afternoon cannot be "
                + "distinguished, and months and intervals are wrong; have it exported with AM and PM, or with 24 hours"
        }
    }

    private func intervalRemark(_ interval: TripInterval) -> String? {
        guard let counts = intervals[interval], counts.records >= Self.leastTimes else { return nil }
        if counts.both == 0 { return "\(interval.name) has no trip with both times, of \(counts.records)" }
        let all = "\(counts.both) trips with both times; are its columns the right ones?"
        if counts.both >= Self.leastTimes, counts.negative * 2 > counts.both {
            return "\(interval.name) is negative in \(counts.negative) of \(all)"
        }
        if counts.both >= Self.leastTimes, counts.wholeDays * 2 > counts.both {
            return "\(interval.name) is 0:00 or whole days in \(counts.wholeDays) of \(all)"
        }
        return nil
    }

    /// - Throws: if more than one record in twenty is a line for mileage: the costs of the trips are in other records.
    func checkMileageLines(file: String) throws(ExportError) {
        guard mileageLines >= Self.leastValues, mileageLines * 20 > counts.read else { return }
        throw ExportError(
            kind: .unclearRecords, file: file,
            problem:
                "\(mileageLines) of \(counts.read) records have the code of mileage (A0425, A0435, A0436): they are charge lines",
            remedy:
                "have all lines of a trip exported in one file, and write `records: lines` into its profile; if each record is a trip "
                + "all the same, write `records: versions`")
    }

    /// - Throws: if the costs of several exports are in more than one currency.
    package static func checkCurrencies(of exports: [ReadFindings]) throws(ExportError) {
        var all: [Currency: Int] = [:]
        for findings in exports { all.merge(findings.currencies, uniquingKeysWith: +) }
        try checkCurrencies(all, file: "the exports", whose: "their", remedy: "read those of one currency at a time")
    }

    private static func checkCurrencies(
        _ currencies: [Currency: Int], file: String, whose: String, remedy: String
    ) throws(ExportError) {
        guard currencies.count > 1 else { return }
        let list = currencies.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
            .map { "\($0.value) in \($0.key.code)" }.joined(separator: ", ")
        throw ExportError(
            kind: .mixedCurrencies, file: file, problem: "\(whose) costs are in more than one currency (\(list))",
            remedy: "\(remedy): no figure adds up two")
    }

    /// - Throws: if too many values of a column cannot be read, or costs are in more than one currency: nothing of the
    ///   export may be used.
    func checkValues(file: String, profile: Profile) throws(ExportError) {
        try Self.checkCurrencies(currencies, file: file, whose: "its", remedy: "have it sent with one currency")
        if points.isInDoubt {
            throw ExportError(
                kind: .unreadableValues, file: file,
                problem:
                    "\(points.unclear) costs have a point before three digits, as 9.999, and none has another fraction: it may divide "
                    + "thousands or begin a fraction",
                remedy:
                    "write `decimal: comma` in a profile if it divides thousands, or `decimal: point` if it begins a fraction"
            )
        }
        if costs.haveTotals {
            throw ExportError(
                kind: .malformed, file: file,
                problem: "its largest costs are the sum of all others: it has rows of totals",
                remedy: "have it exported without these rows, or leave them out with `filter:` in a profile")
        }
        let swapped = CanonicalField.allCases.first {
            values[$0]?.hasSwappedDates == true && !profile.acceptedUnreadable.contains($0)
        }
        if let swapped {
            throw ExportError(
                kind: .unreadableValues, file: file,
                problem:
                    "\(values[swapped]?.order.dates ?? 0) dates of \(swapped.rawValue) have their day before or after the month in the "
                    + "order of the profile, and none of them is of a day up to 12, while other dates are written in another way: a "
                    + "spreadsheet has swapped day and month wherever it could",
                remedy:
                    "have the export sent as the system writes it, not opened and saved in a spreadsheet; if its dates are right, write "
                    + "“accept_unreadable: [\(swapped.rawValue)]” in the profile")
        }
        let limit = profile.maximumUnreadablePerMillion
        for interval in TripInterval.allCases {
            try statedIntervals[interval]?.check(interval, file: file, maximumPerMillion: limit)
        }
        let failing = unreadableColumns.filter {
            $0.filled >= Self.leastValues && $0.unread * 1_000_000 > $0.filled * limit
                && !profile.acceptedUnreadable.contains($0.field)
        }
        guard let first = failing.first else { return }
        let columns = failing.map(\.count).joined(separator: "; ")
        let fields = (profile.acceptedUnreadable.union(failing.map(\.field))).map(\.rawValue).sorted()
        var error = ExportError(
            kind: .unreadableValues, file: file,
            problem: "\(columns): more than the \(Self.percent(limit)) allowed (max_unreadable)",
            remedy: "\(first.remedy); to load it without these values, write “accept_unreadable: "
                + "[\(fields.joined(separator: ", "))]” in the profile")
        error.counts = counts
        error.places = failing.flatMap { column in
            column.values.map { value in
                "record \(value.recordNumber) at byte \(value.byteOffset), \(column.field.rawValue): looks like \(value.shape)"
            }
        }
        throw error
    }
}
