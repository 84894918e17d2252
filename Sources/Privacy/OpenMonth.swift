package import Trips

/// Which month is still open: it grows, so it is not released before it is closed (SPEC §5.3).
package enum OpenMonth {
    /// Days that the exports of a month may come late.
    private static let latenessDays: Int32 = 2
    /// After so many days nobody waits for the rest of a month.
    private static let patienceDays: Int32 = 31

    /// The first month that is not closed. The newest month with trips is open until a later one begins, or until its
    /// end is past and trips of its last two days are there, or until 31 days have gone; then it is the month after it.
    ///
    /// A month of the future is a slip of a date, as long as there are others; if there are none, the clock is wrong.
    ///
    /// - Parameters:
    ///   - begun: months with trips, in any order.
    ///   - newestDay: the newest day with a trip of a month; nil where it is not known.
    /// - Returns: nil if no month has begun.
    package static func first(
        after begun: [Month], newestDay: (Month) -> CivilDay?, on today: CivilDay
    ) -> Month? {
        guard let newest = begun.filter({ $0 <= today.month }).max() else { return begun.max() }
        let isThere =
            newestDay(newest).map { CivilDay(daysSince1970: $0.daysSince1970 + latenessDays).month > newest } ?? false
        return newest < today.month && (isThere || isLongPast(newest, on: today)) ? newest.advanced(by: 1) : newest
    }

    /// Whether a month is closed whatever trips it has: 31 days have gone since its end.
    static func isLongPast(_ month: Month, on today: CivilDay) -> Bool {
        CivilDay(daysSince1970: today.daysSince1970 - patienceDays).month > month
    }
}
