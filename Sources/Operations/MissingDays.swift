package import Basics

/// Days without a single trip among busy days: perhaps an export was lost.
///
/// The rule: a day between the first and the last day with trips, with no trip at all, is missing if three of the four
/// same weekdays before it, or three of the four after it, had at least `busyTrips` trips. A fleet that rests on Sundays, or does two
/// trips a week, has no missing days; and a pause of months is reported by its first and last two weeks.
package struct MissingDays: Sendable, Hashable {
    package static let busyTrips = 5
    package static let listedAtMost = 10

    /// In order.
    package let all: [CivilDay]

    /// The latest ones, `listedAtMost` of them, in order.
    package var days: [CivilDay] { all.suffix(Self.listedAtMost) }
    package var count: Int { all.count }

    /// - Parameter tripsByDay: days and their trips, in any order; days without trips may be left out.
    package init(tripsByDay: [CivilDay: Int]) {
        let busy = tripsByDay.filter { $0.value > 0 }.keys
        guard let first = busy.min()?.daysSince1970, let last = busy.max()?.daysSince1970 else {
            all = []
            return
        }
        all = (first...last).map { CivilDay(daysSince1970: $0) }.filter { day in
            guard tripsByDay[day, default: 0] == 0 else { return false }
            return [1...4, -4...(-1)].contains { weeks in
                weeks.count { tripsByDay[day.earlier(weeks: $0), default: 0] >= Self.busyTrips } >= 3
            }
        }
    }

    /// Nil if none is missing.
    package var event: RunEvent? {
        guard count > 0 else { return nil }
        let listed = days.map(\.description)
        let rest = count > days.count ? " and \(count - days.count) before them" : ""
        return RunEvent(
            "days.missing", .warning,
            "\(count) days without any trip: \(listed.joined(separator: ", "))\(rest); was an export lost?",
            [.days: .texts(listed), .missing: .whole(count)])
    }
}

extension CivilDay {
    fileprivate func earlier(weeks: Int) -> CivilDay {
        CivilDay(daysSince1970: daysSince1970 - Int32(7 * weeks))
    }
}
