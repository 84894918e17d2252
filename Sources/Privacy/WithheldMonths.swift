package import Basics

/// Which months are withheld because they are not closed: an open month grows, so it is not released. `ReleaseRegister`
/// also withholds a closed month while it has too few trips for a group.
package enum WithheldMonths {
    /// A month ends later where clocks are behind UTC.
    private static let farthestWestSeconds = 12 * 3600
    /// Days that the exports of a month may come late.
    private static let latenessDays = 2
    /// After so many days a month is closed even if its last days are missing.
    private static let patienceDays = 31

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
            newestDay(newest).map { $0.advanced(by: latenessDays).month > newest } ?? false
        return newest < today.month && (isThere || isLongPast(newest, on: today)) ? newest.advanced(by: 1) : newest
    }

    /// The day that has begun everywhere.
    package static func today(_ now: UTCTime) -> CivilDay {
        UTCTime(secondsSince1970: now.secondsSince1970 - farthestWestSeconds).day
    }

    /// Whether 31 days have gone since the month's end, so that it is closed even if its last days are missing.
    package static func isLongPast(_ month: Month, on today: CivilDay) -> Bool {
        today.advanced(by: -patienceDays).month > month
    }
}
