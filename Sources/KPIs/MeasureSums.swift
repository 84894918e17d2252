package import KPIContract

/// The sums over trips that measures follow from, in trips, cents and hundredths of a mile.
package struct MeasureSums: Sendable, Hashable {
    private var sums = [Int](repeating: 0, count: Measure.allCases.count)
    /// Of the trips that also have loaded miles.
    package var costCentsWithLoadedMiles = 0
    /// Of the trips that also have a cost.
    package var loadedHundredthsWithCost = 0

    package init() {}

    /// Of a measure that is a sum; 0 of others.
    package subscript(measure: Measure) -> Int {
        get { sums[measure.rawValue] }
        set { sums[measure.rawValue] = newValue }
    }
}
