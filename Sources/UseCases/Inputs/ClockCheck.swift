package import Basics
package import Privacy
package import Store
package import Trips

/// Whether the machine's clock can be right, by the times that earlier runs have left.
///
/// A clock that is behind would date sets and exports before those that are there. One that is ahead would close months that
/// are not over, and release them for good. Neither is believed until a person says so: `publish --clock-is-right`.
package struct ClockCheck {
    /// A pause between two runs that is longer is taken for a wrong clock.
    static let longestPauseDays = 400
    /// After a longer pause nothing is removed by its age, which cannot be undone, until a person says that the clock is right.
    static let longestPauseOfRetentionDays = 40

    /// Whether what is too old by this clock may be removed: it is not far ahead of the last run that was believed. Before the first one
    /// a trip of the last days must show that the clock is right: earlier runs may have had the same wrong clock.
    static func believes(_ now: UTCTime, _ store: TripStore) throws -> Bool {
        let today = now.day.daysSince1970
        guard let day = try store.clockDay() else {
            return try store.hasTrip(on: today - Int32(longestPauseOfRetentionDays)...today + 1)
        }
        return Int(today) - day <= longestPauseOfRetentionDays
    }

    private let store: TripStore?
    private let published: PublishedSets
    private let audiences: [Audience]

    /// - Parameters:
    ///   - store: nil: the published sets alone are looked at.
    ///   - audiences: for whom sets are published now.
    package init(store: TripStore?, published: PublishedSets, audiences: [Audience]) {
        self.store = store
        self.published = published
        self.audiences = audiences
    }

    /// - Throws: `ClockError`, or `PublishingError.clockBehind`.
    package func require(_ now: UTCTime) throws {
        // Over a set that is held nothing is published.
        let open = try audiences.filter { try !published.isHeld($0) }
        try published.checkClock(now.description, open)
        let times = [
            try store?.newestTime(), try published.newestTime(open).flatMap(UTCTime.init)?.secondsSince1970,
        ]
        guard let newest = times.compactMap(\.self).max() else { return }
        if newest > now.secondsSince1970 {
            throw ClockError.behind(clock: now, earlier: UTCTime(secondsSince1970: newest))
        }
        if now.secondsSince1970 - newest > Self.longestPauseDays * 86_400 {
            throw ClockError.ahead(clock: now, earlier: UTCTime(secondsSince1970: newest))
        }
    }
}

/// A clock that earlier runs contradict.
package enum ClockError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    case behind(clock: UTCTime, earlier: UTCTime)
    case ahead(clock: UTCTime, earlier: UTCTime)

    package var failureKind: FailureKind { .configuration }

    package var description: String {
        switch self {
        case .behind(let clock, let earlier):
            "the clock says \(clock), but an earlier run was at \(earlier); set the clock right, or, if it is right now, run "
                + "tripkpi publish --clock-is-right"
        case .ahead(let clock, let earlier):
            "the clock says \(clock), but the last run was at \(earlier), more than \(ClockCheck.longestPauseDays) days "
                + "before; set the clock right, or, if it is right, run tripkpi publish --clock-is-right"
        }
    }
}
