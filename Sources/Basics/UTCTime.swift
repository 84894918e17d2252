package import Foundation

/// A point in time to the second, as logs and the lock file write it: RFC 3339 in UTC.
package struct UTCTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    package static let secondsPerDay = 86_400

    package let secondsSince1970: Int

    package init(secondsSince1970: Int) {
        self.secondsSince1970 = secondsSince1970
    }

    /// `2026-11-21T04:00:00Z`, or nil.
    package init?(_ text: some StringProtocol) {
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count == 2, halves[1].hasSuffix("Z"), let day = CivilDay(halves[0]) else { return nil }
        let clock = halves[1].dropLast().split(separator: ":", omittingEmptySubsequences: false)
        let parts = clock.compactMap { $0.utf8.count == 2 && $0.first?.isNumber == true ? Int($0) : nil }
        guard clock.count == 3, parts.count == 3, parts[0] < 24, parts[1] < 60, parts[2] < 60 else { return nil }
        self.init(
            secondsSince1970: Int(day.daysSince1970) * 86_400 + parts[0] * 3600 + parts[1] * 60 + parts[2])
    }

    package var day: CivilDay {
        CivilDay(daysSince1970: Int32(clamping: (secondsSince1970 - secondOfDay) / 86_400))
    }

    package var description: String {
        let parts = [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60]
        return "\(day)T" + parts.map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":") + "Z"
    }

    /// For names of files, in the order of time: `20261121T040000Z`.
    package var compact: String { description.filter { $0 != "-" && $0 != ":" } }

    package func advanced(byDays days: Int) -> UTCTime {
        UTCTime(secondsSince1970: secondsSince1970 + days * Self.secondsPerDay)
    }

    /// Whole days; negative if it is earlier.
    package func days(until later: UTCTime) -> Int { (later.secondsSince1970 - secondsSince1970) / Self.secondsPerDay }

    package static func < (left: UTCTime, right: UTCTime) -> Bool { left.secondsSince1970 < right.secondsSince1970 }

    private var secondOfDay: Int {
        let rest = secondsSince1970 % 86_400
        return rest < 0 ? rest + 86_400 : rest
    }
}

extension UTCTime {
    /// The second in which a point in time lies.
    package init(_ date: Date) { self.init(secondsSince1970: Int(date.timeIntervalSince1970.rounded(.down))) }
}
