import Basics
package import KPIContract

/// One interval over the completed trips of a cell. `used + excluded` is the number of those trips.
package struct IntervalStatistics: Sendable, Hashable {
    package var used: Int
    package var excluded: Int
    package var sumSeconds: Int
    /// By `IntervalStatistic.percentiles`: nearest rank, `ceil(p·n)`; nil over none.
    package var percentileSeconds: [Int?]

    package init(used: Int, excluded: Int, sumSeconds: Int, percentileSeconds: [Int?]) {
        self.used = used
        self.excluded = excluded
        self.sumSeconds = sumSeconds
        self.percentileSeconds = percentileSeconds
    }

    /// In the smallest unit of the measure; nil over none.
    package subscript(statistic: IntervalStatistic) -> Int? {
        switch statistic {
        case .used: used
        case .excluded: excluded
        case .mean: HalfUp.quotient(sumSeconds, times: 10, by: used)
        default: IntervalStatistic.percentiles.firstIndex(of: statistic).flatMap { percentileSeconds[$0] }
        }
    }
}
