package import Basics

/// A row of numbers as a row of bars, one character each: `▁` the lowest, `█` the highest. A hidden one is `•`, a month
/// of which nothing is known a blank: gaps, not zeros.
package enum Sparkline {
    /// What a place of it holds.
    package enum Point: Sendable, Hashable {
        case value(Int)
        case hidden
        case absent
    }

    package static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// The bars stand between the lowest and the highest of the numbers, not on 0: what they show is the shape. Equal
    /// numbers are bars of half the height.
    package static func text(_ points: [Point]) -> String {
        let values = points.compactMap { if case .value(let value) = $0 { value } else { nil } }
        guard let lowest = values.min(), let highest = values.max() else {
            return String(points.map { $0 == .hidden ? "•" : " " })
        }
        return String(
            points.map { point -> Character in
                switch point {
                case .hidden: "•"
                case .absent: " "
                case .value(let value):
                    highest == lowest ? bars[3] : bars[(value - lowest) * (bars.count - 1) / (highest - lowest)]
                }
            })
    }

    /// A point for each of the last `count` months up to `last`, in order; none before the first month there is. A month
    /// that leaves out trips is a gap, since bars compare.
    package static func points(_ history: [MonthOfTrips], upTo last: Month, count: Int) -> [Point] {
        guard let first = history.first?.month, first <= last else { return [] }
        let known = Dictionary(
            history.map { ($0.month, $0.isComplete ? $0.trips : nil) }, uniquingKeysWith: { first, _ in first })
        let from = max(first.index, last.index - Int32(count) + 1)
        return (from...last.index).map { index in
            guard let trips = known[Month(index: index)] else { return .absent }
            return trips.map(Point.value) ?? .hidden
        }
    }
}
