package import Trips

/// For whom figures are made.
package enum Audience: String, CaseIterable, Sendable, Hashable {
    /// Anybody: groups of at least `minimumCell` trips and patients, closed months only.
    case release
    /// The health system's own people: every figure, exact. Each output is stamped and its use is audited.
    case staff
}

/// Whether the release shows how many trips have a value, and so how many lack it.
///
/// These counts are of missing values, not of people, so the release publishes them by default. An organisation whose
/// policy is stricter leaves them out, with every figure that they can be computed from.
package enum MissingCountPolicy: String, CaseIterable, Sendable, Hashable {
    case publish, omit
}

/// What a named person must approve before it is released.
package enum ReleaseApproval: String, CaseIterable, Sendable, Hashable {
    /// The first release of a store.
    case first
    /// Each month, and each revision.
    case each
    /// Nothing.
    case never
}

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
