/// The dates that systems write where there is none: the first and last days of their calendars.
package enum PlaceholderDates {
    /// 1970-01-01, and the day before, on which the epoch began by the clocks west of UTC.
    package static let epochDays = -1...0
    /// 2000-01-01
    package static let millennium = 10_957
    /// 2079-06-06, the last day of a `smalldatetime`.
    package static let lastSmallDate = 39_968

    /// Whether it is a day that systems write before a time of day that has no date.
    static func isDateOfClocks(year: Int, month: Int, day: Int) -> Bool {
        switch (year, month, day) {
        case (1, 1, 1), (1753, 1, 1), (1899, 12, 30), (1899, 12, 31), (1900, 1, 1), (1970, 1, 1), (2000, 1, 1): true
        default: false
        }
    }

    /// Of the first days only midnight is one, of the epoch the hour at which it began in any zone, and of 2000-01-01 only a midnight
    /// that is written.
    static func isOne(year: Int, month: Int, day: Int, secondOfDay: Int, hasTime: Bool) -> Bool {
        switch (year, month, day) {
        case (0, 0, 0), (1, 1, 1), (9999, _, _), (2079, 6, 6): true
        case (1899, 12, 30), (1899, 12, 31), (1900, 1, 0), (1900, 1, 1), (1753, 1, 1): secondOfDay == 0
        case (1970, 1, 1): secondOfDay % 3600 == 0 && secondOfDay <= 14 * 3600
        case (1969, 12, 31): secondOfDay % 3600 == 0 && secondOfDay >= 12 * 3600
        case (2000, 1, 1): hasTime && secondOfDay == 0
        default: false
        }
    }
}
