import Trips

/// The clocks of a place in the United States: a standard offset, and daylight saving from the second Sunday of March
/// to the first of November, both at 02:00 (15 USC 260a, since 2007). Enough for samples, with no zone files to read.
package struct SampleZone: Sendable {
    /// Seconds east of UTC from an instant on.
    struct Change {
        var instant: Int
        var offset: Int
    }

    /// Names that samples know.
    package static let names = [
        "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Phoenix", "UTC",
    ]

    let standardOffset: Int
    private let changes: [Change]

    /// Nil for a zone that is not in `names`.
    init?(named name: String, from firstMonth: Month, months: Int) {
        let hours: Int
        switch name {
        case "America/New_York": hours = -5
        case "America/Chicago": hours = -6
        case "America/Denver", "America/Phoenix": hours = -7
        case "America/Los_Angeles": hours = -8
        case "UTC": hours = 0
        default: return nil
        }
        standardOffset = hours * 3600
        guard name != "America/Phoenix", name != "UTC" else {
            changes = []
            return
        }
        var changes: [Change] = []
        for year in (firstMonth.year - 1)...(firstMonth.advanced(by: months).year + 1) {
            let spring = Self.sunday(number: 2, month: 3, year: year)
            let autumn = Self.sunday(number: 1, month: 11, year: year)
            changes.append(Change(instant: spring * 86_400 + 7200 - standardOffset, offset: standardOffset + 3600))
            changes.append(Change(instant: autumn * 86_400 + 3600 - standardOffset, offset: standardOffset))
        }
        self.changes = changes
    }

    private static func sunday(number: Int, month: Int, year: Int) -> Int {
        let first = Int(CivilDay.days(year: year, month: month, day: 1))
        return first + (10 - first % 7) % 7 + 7 * (number - 1)
    }

    /// Seconds east of UTC.
    func offset(at instant: Int) -> Int {
        for change in changes.reversed() where change.instant <= instant { return change.offset }
        return standardOffset
    }

    /// The instant of a local time; that of the first pass in the repeated hour, an hour on in the skipped one.
    func instant(ofLocal local: Int) -> Int {
        let early = local - standardOffset - 3600
        return offset(at: early) == standardOffset + 3600 ? early : local - standardOffset
    }

    /// Whether the clocks are put forward within the span.
    func springsForward(after instant: Int, within seconds: Int) -> Bool {
        changes.contains { $0.offset != standardOffset && $0.instant > instant && $0.instant <= instant + seconds }
    }
}
