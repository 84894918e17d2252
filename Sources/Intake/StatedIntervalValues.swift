import ExportBytes
import Profiles
import Trips

/// What was found in a column that states an interval.
struct StatedIntervalValues: Sendable {
    /// Not blank, and no word for no value.
    var filled = 0
    var unread = 0
    /// Records that have the interval's times too, and those whose times are over a minute apart from what is stated.
    var compared = 0
    var differing = 0
    /// Values under a minute, but for 0, and values over four hours.
    var short = 0
    var long = 0
    /// Of the first values that cannot be read.
    var shapes: Set<String> = []

    static let mostShapes = 3
    /// Fewer values than this show nothing of a column.
    private static let leastValues = 10

    mutating func merge(_ other: StatedIntervalValues) {
        filled += other.filled
        unread += other.unread
        compared += other.compared
        differing += other.differing
        short += other.short
        long += other.long
        shapes = Set(shapes.union(other.shapes).sorted().prefix(Self.mostShapes))
    }

    mutating func note(seconds: Int) {
        filled += 1
        if 1..<60 ~= seconds { short += 1 }
        if seconds > Self.longestSeconds { long += 1 }
    }

    private static let longestSeconds = 4 * 3600

    /// What must be said though the export is read: a sentence each.
    func remarks(_ interval: TripInterval) -> [String] {
        var remarks: [String] = []
        if unread > 0 { remarks.append("\(faults(interval)); \(Self.remedy(interval))") }
        // Crews turn out within a minute.
        if interval != .turnout, filled >= Self.leastValues, short * 2 > filled {
            remarks.append(
                "the stated \(interval.name) is under a minute in \(short) of \(filled) records: if the values are minutes, or hours and "
                    + "minutes, all figures of it are wrong; \(Self.remedy(interval))")
        }
        if filled >= Self.leastValues, long * 2 > filled {
            remarks.append(
                "the stated \(interval.name) is over four hours in \(long) of \(filled) records: if the values are seconds, all figures of "
                    + "it are wrong; \(Self.remedy(interval))")
        }
        if differing > 0 {
            remarks.append(
                "the stated \(interval.name) differs by more than a minute from that between its times in \(differing) of "
                    + "\(compared) records: the stated one counts")
        }
        return remarks
    }

    /// - Throws: if too many of the values cannot be read.
    func check(_ interval: TripInterval, file: String, maximumPerMillion limit: Int) throws(ExportError) {
        guard filled >= Self.leastValues, unread * 1_000_000 > filled * limit else { return }
        throw ExportError(
            kind: .unreadableValues, file: file,
            problem: "\(faults(interval)): more than the \(ReadFindings.percent(limit)) allowed (max_unreadable)",
            remedy: Self.remedy(interval))
    }

    private func faults(_ interval: TripInterval) -> String {
        let looks = shapes.sorted().joined(separator: ", ")
        return "\(unread) of \(filled) values of the stated \(interval.name) cannot be read (they look like \(looks))"
    }

    private static func remedy(_ interval: TripInterval) -> String {
        "write the right unit into the profile, such as “intervals: {\(interval.name): {column: …, unit: clock}}” for 8:30, "
            + "“minutes” for 8.5 or “seconds” for 510"
    }
}
