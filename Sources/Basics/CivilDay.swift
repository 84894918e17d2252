/// A day of the proleptic Gregorian calendar, as the number of days since 1970-01-01.
///
/// The conversions are Howard Hinnant's `days_from_civil` and `civil_from_days`, exact for all years used here.
package struct CivilDay: Sendable, Hashable, Comparable, CustomStringConvertible {
    package var daysSince1970: Int32

    package init(daysSince1970: Int32) {
        self.daysSince1970 = daysSince1970
    }

    /// Nil where the calendar has no such day.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.daysInMonth(year: year, month: month)
        else { return nil }
        self.init(daysSince1970: Self.days(year: year, month: month, day: day))
    }

    /// `YYYY-MM-DD`, or nil.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2, parts[2].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    @inlinable
    package static func daysInMonth(year: Int, month: Int) -> Int {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31
    }

    /// Days since 1970 of a date known to be in the calendar.
    @inlinable
    package static func days(year: Int, month: Int, day: Int) -> Int32 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int32(era * 146_097 + dayOfEra - 719_468)
    }

    package var components: (year: Int, month: Int, day: Int) {
        let shifted = Int(daysSince1970) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthIndex + 2) / 5 + 1)
    }

    package var month: Month {
        let parts = components
        return Month(year: parts.year, month: parts.month)
    }

    /// `YYYY-MM-DD`.
    package var description: String {
        let parts = components
        let day = String(parts.day)
        return "\(Month(year: parts.year, month: parts.month))-\(day.count == 1 ? "0" : "")\(day)"
    }

    package func advanced(by days: Int) -> CivilDay {
        CivilDay(daysSince1970: Int32(clamping: Int(daysSince1970) + days))
    }

    package static func < (left: CivilDay, right: CivilDay) -> Bool { left.daysSince1970 < right.daysSince1970 }
}
