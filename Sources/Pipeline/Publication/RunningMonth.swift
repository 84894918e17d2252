import Trips

/// Which month still grows: it is kept back (`running_month`), and what a set hides of it need not stay hidden.
enum RunningMonth {
    /// Days that the exports of a month may come late.
    private static let latenessDays: Int32 = 2
    /// From when on nobody waits for the rest of a month.
    private static let patienceDays: Int32 = 31

    /// The first month that is not over: the newest one, until a later one has begun, or until its end is past and its
    /// exports are there; then the one after it.
    ///
    /// A month of the future is a slip, as long as there are others; if there are none it is the clock that is wrong.
    ///
    /// - Parameters:
    ///   - known: months that have begun, in any order.
    ///   - newestDay: of a month, with a trip; nil where it is not known.
    /// - Returns: nil if no month is known.
    static func first(of known: [Month], newestDay: (Month) -> CivilDay?, on today: CivilDay) -> Month? {
        guard let newest = known.filter({ $0 <= today.month }).max() else { return known.max() }
        // Of no other month: the day of a slip says nothing of how much of this one is there.
        let isThere =
            newestDay(newest).map { CivilDay(daysSince1970: $0.daysSince1970 + latenessDays).month > newest } ?? false
        let isLongPast = CivilDay(daysSince1970: today.daysSince1970 - patienceDays).month > newest
        return newest < today.month && (isThere || isLongPast) ? newest.advanced(by: 1) : newest
    }
}
