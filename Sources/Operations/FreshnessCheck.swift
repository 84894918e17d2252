package import Basics

/// The age of the newest trip: it shows that exports have stopped coming even if every run succeeds.
package struct FreshnessCheck: Sendable, Hashable {
    package enum State: String, Sendable, CaseIterable {
        case ok, warn, fail
    }

    package let newestDay: CivilDay
    /// Whole days from the newest trip to the run; 0 if the newest trip is of today or, by a wrong clock, of a later day.
    package let ageDays: Int
    package let state: State

    /// - Parameters:
    ///   - warnDays, failDays: the ages from which on it is a warning and a failure; nil: never.
    package init(newestDay: CivilDay, generatedOn: CivilDay, warnDays: Int?, failDays: Int?) {
        self.newestDay = newestDay
        ageDays = max(0, Int(generatedOn.daysSince1970) - Int(newestDay.daysSince1970))
        if let failDays, ageDays >= failDays {
            state = .fail
        } else if let warnDays, ageDays >= warnDays {
            state = .warn
        } else {
            state = .ok
        }
    }

    package var event: RunEvent {
        let levels: [State: RunEvent.Level] = [.warn: .warning, .fail: .error]
        let advice = state == .ok ? "" : "; are exports still coming?"
        return RunEvent(
            "freshness.\(state.rawValue)", levels[state] ?? .info,
            "the newest trip is of \(newestDay), \(ageDays) days ago\(advice)",
            [.day: .text(newestDay.description), .ageDays: .whole(ageDays)])
    }
}
