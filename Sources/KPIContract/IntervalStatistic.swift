/// What is published of an interval, in the contract's order.
///
/// A percentile that is added here is computed, released and audited, and is in every output but those that choose their
/// measures. Add it to `Measure`, to the schema, to `queries/marts/kpi_intervals.sql` and its description, and to `docs/kpis.md` too.
package enum IntervalStatistic: String, CaseIterable, Sendable {
    /// Trips whose interval counts.
    case used
    /// Trips where it is missing, negative or too long.
    case excluded
    /// Tenths of a second.
    case mean
    /// Seconds, nearest rank.
    case p50, p90

    /// So many in a hundred trips took this long or less; nil for what is no percentile.
    package var percent: Int? {
        switch self {
        case .used, .excluded, .mean: nil
        case .p50: 50
        case .p90: 90
        }
    }

    /// In words, before the two events.
    var meaning: String {
        switch self {
        case .used, .excluded: "Trips whose time"
        case .mean: "Mean time"
        case .p50: "Median time"
        case .p90: "Nine in ten trips took this long or less"
        }
    }

    /// Whether it is a number of trips.
    package var isCount: Bool { self == .used || self == .excluded }

    package static let percentiles = allCases.filter { $0.percent != nil }

    /// In `allCases`.
    var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
