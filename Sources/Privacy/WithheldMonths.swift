package import Trips

/// Which months are withheld because they are not closed: an open month grows, so it is not released. `ReleaseRegister`
/// also withholds a closed month while it has too few trips for a group.
package enum WithheldMonths {
    /// A month with fewer trips has not begun: their dates may be wrong.
    package static let tripsOfABegunMonth = 11

    /// A month ends later where clocks are behind UTC.
    private static let farthestWestSeconds = 12 * 3600
    /// Days that the exports of a month may come late.
    private static let latenessDays: Int32 = 2
    /// After so many days a month is closed even if its last days are missing.
    private static let patienceDays: Int32 = 31

    /// The first month that is not closed. The newest month with trips is closed when a later month has trips, when its
    /// end is past and its last two days have trips, or 31 days after its end. The month after it is then open.
    ///
    /// Months in the future are taken for wrong dates and ignored, unless all months are in the future.
    ///
    /// - Parameters:
    ///   - begun: months with trips, in any order.
    ///   - newestDay: the newest day with a trip of a month; nil where it is not known.
    /// - Returns: nil if no month has begun.
    package static func firstOpen(
        after begun: [Month], newestDay: (Month) -> CivilDay?, on today: CivilDay
    ) -> Month? {
        guard let newest = begun.filter({ $0 <= today.month }).max() else { return begun.max() }
        let isThere =
            newestDay(newest).map { CivilDay(daysSince1970: $0.daysSince1970 + latenessDays).month > newest } ?? false
        return newest < today.month && (isThere || isLongPast(newest, on: today)) ? newest.advanced(by: 1) : newest
    }

    /// The day that has begun everywhere.
    ///
    /// - Parameter now: seconds since 1970-01-01T00:00:00Z.
    package static func today(_ now: Int) -> CivilDay {
        let seconds = now - farthestWestSeconds
        return CivilDay(daysSince1970: Int32(clamping: (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400))
    }

    /// Whether 31 days have gone since the month's end, so that it is closed even if its last days are missing.
    package static func isLongPast(_ month: Month, on today: CivilDay) -> Bool {
        CivilDay(daysSince1970: today.daysSince1970 - patienceDays).month > month
    }
}
