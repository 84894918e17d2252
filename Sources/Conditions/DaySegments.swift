internal import Trips

/// The calendar cut at every day on which a dated clause or roster entry begins or ends: within a segment all of them
/// stay as they are. Segment 0 stands for a day that is not known.
struct DaySegments: Sendable {
    /// First days of segments 2, 3, …; segment 1 reaches back for ever. Ascending.
    private let cuts: [Int32]
    /// Segment by day from the first cut on, where the cuts lie close enough together.
    private let table: [Int32]

    /// - Parameter spans: first and last days, both included; nil for no bound.
    init(spans: [(from: CivilDay?, to: CivilDay?)]) {
        var days: Set<Int32> = []
        for span in spans {
            if let from = span.from { days.insert(from.daysSince1970) }
            if let to = span.to { days.insert(to.daysSince1970 + 1) }
        }
        cuts = days.sorted()
        guard let first = cuts.first, let last = cuts.last, last - first < Self.maximumTable else {
            table = []
            return
        }
        var table: [Int32] = []
        var segment: Int32 = 1
        for day in first...last {
            if days.contains(day) { segment += 1 }
            table.append(segment)
        }
        self.table = table
    }

    private static let maximumTable: Int32 = 1 << 16

    /// How many segments there are, with the one for unknown days.
    var count: Int { cuts.count + 2 }

    /// A day that stands for all of the segment.
    func day(of segment: Int) -> CivilDay? {
        switch segment {
        case 0: nil
        case 1: CivilDay(daysSince1970: cuts.first.map { $0 - 1 } ?? 0)
        default: CivilDay(daysSince1970: cuts[segment - 2])
        }
    }

    func segment(of day: Int32) -> Int {
        guard let first = cuts.first, day >= first else { return 1 }
        if !table.isEmpty {
            let offset = Int(day) - Int(first)
            return offset < table.count ? Int(table[offset]) : cuts.count + 1
        }
        var low = 0, high = cuts.count
        while low < high {
            let middle = (low + high) / 2
            if cuts[middle] <= day { low = middle + 1 } else { high = middle }
        }
        return low + 1
    }
}
