import Basics
package import KPIContract

extension KPIDescription {
    /// The figure that follows from exact sums, in its smallest unit; nil over 0, and for statistics of single trips.
    package func figure(of sums: MeasureSums) -> Int? {
        switch combination {
        case .sum: HalfUp.quotient(sums[measure], by: format == .miles ? 10 : 1)
        case .ratio(let dividend, let divisors):
            quotient(sums[dividend], of: dividend, divisors.reduce(0) { $0 + sums[$1] }, of: divisors[0])
        case .ratioOfTripsWithBoth(let dividend, let divisor):
            quotient(sums.costCentsWithLoadedMiles, of: dividend, sums.loadedHundredthsWithCost, of: divisor)
        case .statistic: nil
        }
    }

    private func quotient(_ dividend: Int, of measure: Measure, _ divisor: Int, of other: Measure) -> Int? {
        let scale = (format == .percent ? 100 : format.unitsPerOne) * Self.unitsPerOne(other),
            units = Self.unitsPerOne(measure)
        // Powers of ten: one divides the other.
        return scale >= units
            ? HalfUp.quotient(dividend, times: scale / units, by: divisor)
            : HalfUp.quotient(dividend, by: divisor * (units / scale))
    }

    /// Units of an exact sum in one: cents in a dollar, hundredths in a mile.
    private static func unitsPerOne(_ measure: Measure) -> Int {
        switch measure.kpi.format {
        case .dollars, .miles: 100
        default: 1
        }
    }
}
