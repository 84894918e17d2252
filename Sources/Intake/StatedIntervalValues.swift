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
        shapes = Set(shapes.union(other.shapes).sorted().prefix(Self.mostShapes))
    }

    /// What must be said though the export is read: a sentence each.
    func remarks(_ interval: TripInterval) -> [String] {
        var remarks: [String] = []
        if unread > 0 { remarks.append("\(faults(interval)); \(Self.remedy(interval))") }
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
