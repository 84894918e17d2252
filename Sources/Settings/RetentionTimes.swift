package import Basics
import StrictYAML

/// The setting `retention`: how long trips and published sets are kept.
package struct RetentionTimes: Sendable, Hashable {
    /// Nil: for ever.
    package let tripYears: Int?
    /// Nil: as many as `keep_runs` says.
    package let runDays: Int?

    package init(tripYears: Int? = nil, runDays: Int? = nil) {
        self.tripYears = tripYears
        self.runDays = runDays
    }

    /// - Parameter texts: of `texts(_:)`; empty: it is not set.
    init(_ texts: [String]) {
        self.init(tripYears: texts.first.flatMap { Int($0) }, runDays: texts.last.flatMap { Int($0) })
    }

    /// Years and days, empty where they are not set.
    static func texts(_ value: YAMLValue) throws(ConfigurationError) -> [String] {
        let mapping = try value.mapping(allowed: ["trips", "runs"])
        // A shorter time would take months away that revisions and comparisons with the year before need.
        return [
            try number(mapping.optional("trips"), "trips", unit: "years", in: 2...100),
            try number(mapping.optional("runs"), "runs", unit: "days", in: 1...36_500),
        ]
    }

    private static func number(
        _ value: YAMLValue?, _ key: String, unit: String, in range: ClosedRange<Int>
    ) throws(ConfigurationError) -> String {
        guard let value else { return "" }
        let words = try value.string().split(separator: " ")
        guard words.count == 2, words[1] == unit, let number = Int(words[0]), range.contains(number) else {
            throw value.error(
                "\(key) is not a number of \(unit)",
                hint: "write \(range.lowerBound) \(unit) or more, at most \(range.upperBound)")
        }
        return String(number)
    }

    /// The first month whose trips are kept; nil: all are.
    package func firstMonth(at now: UTCTime) -> Month? {
        tripYears.map { now.day.month.advanced(by: -12 * $0) }
    }

    /// When the oldest set may have been made; nil: at any time.
    package func oldestRun(at now: UTCTime) -> UTCTime? { runDays.map { now.advanced(byDays: -$0) } }
}
