import Basics

/// A time zone of the United States: a standard offset, and daylight saving time from the second Sunday of March to the
/// first Sunday of November, both at 02:00 (15 USC 260a, since 2007). Samples need no zone files.
package struct SampleZone: Sendable {
    private static let zones: [(name: String, hours: Int, hasDaylightSaving: Bool)] = [
        ("America/New_York", -5, true), ("America/Chicago", -6, true), ("America/Denver", -7, true),
        ("America/Los_Angeles", -8, true), ("America/Phoenix", -7, false), ("UTC", 0, false),
    ]

    /// The names that samples know.
    package static let names = zones.map(\.name)

    private let standardOffset: Int
    private let hasDaylightSaving: Bool

    /// Nil for a zone that is not in `names`.
    init?(named name: String) {
        guard let zone = Self.zones.first(where: { $0.name == name }) else { return nil }
        standardOffset = zone.hours * 3600
        hasDaylightSaving = zone.hasDaylightSaving
    }

    /// Seconds east of UTC at an instant from 1970 on.
    func offset(at instant: Int) -> Int {
        guard hasDaylightSaving else { return standardOffset }
        let standard = instant + standardOffset
        let year = CivilDay(daysSince1970: Int32(standard / 86_400)).components.year
        let start = Self.sunday(number: 2, month: 3, year: year) * 86_400 + 7200
        let end = Self.sunday(number: 1, month: 11, year: year) * 86_400 + 3600
        return standardOffset + (start..<end ~= standard ? 3600 : 0)
    }

    private static func sunday(number: Int, month: Int, year: Int) -> Int {
        let first = Int(CivilDay.days(year: year, month: month, day: 1))
        return first + (10 - first % 7) % 7 + 7 * (number - 1)
    }

    /// The instant of a local time. A repeated hour is read as its first pass, a skipped hour as one hour later.
    func instant(ofLocal local: Int) -> Int {
        let early = local - standardOffset - 3600
        return offset(at: early) == standardOffset + 3600 ? early : local - standardOffset
    }

    /// Whether daylight saving time starts within the hours after an instant.
    func springsForward(after instant: Int, hours: Int) -> Bool {
        offset(at: instant) < offset(at: instant + hours * 3600)
    }
}
