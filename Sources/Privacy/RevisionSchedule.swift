package import Basics

/// How often the release is revised.
package enum RevisionSchedule: String, CaseIterable, Sendable, Hashable {
    /// With the first run of a calendar month, of a calendar quarter, or of a fiscal year (from October on).
    case monthly, quarterly, yearly

    /// Whether a period has begun since.
    ///
    /// - Parameter last: the day of the last revision; if there was none, of the first release.
    package func isDue(since last: CivilDay, on today: CivilDay) -> Bool { period(of: today) > period(of: last) }

    private func period(of day: CivilDay) -> Int {
        switch self {
        case .monthly: Int(day.month.index)
        case .quarterly: Int(day.month.index) / 3
        case .yearly: day.month.fiscalYear
        }
    }
}
