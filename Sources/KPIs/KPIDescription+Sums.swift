import Basics
package import KPIContract

extension KPIDescription {
    /// The figure that follows from exact sums, in its smallest unit; nil over 0, and for statistics of single trips.
    ///
    /// - Parameter sums: by the names of measures, in trips, cents and hundredths of a mile. `a with b` is the sum of `a` over
    ///   the trips that have both values.
    package func figure(of sums: [String: Int]) -> Int? {
        switch combination {
        case .sum: HalfUp.quotient(sums[name] ?? 0, by: format == .miles ? 10 : 1)
        case .ratio(let dividend, let divisors):
            quotient(sums[dividend] ?? 0, of: dividend, divisors.reduce(0) { $0 + (sums[$1] ?? 0) }, of: divisors[0])
        case .ratioOfTripsWithBoth(let dividend, let divisor):
            quotient(
                sums["\(dividend) with \(divisor)"] ?? 0, of: dividend,
                sums["\(divisor) with \(dividend)"] ?? 0, of: divisor)
        case .statistic: nil
        }
    }

    private func quotient(_ dividend: Int, of name: String, _ divisor: Int, of other: String) -> Int? {
        let scale = (format == .percent ? 100 : format.unitsPerOne) * Self.unitsPerOne(other),
            units = Self.unitsPerOne(name)
        // Powers of ten: one divides the other.
        return scale >= units
            ? HalfUp.quotient(dividend, times: scale / units, by: divisor)
            : HalfUp.quotient(dividend, by: divisor * (units / scale))
    }

    /// Units of an exact sum in one: cents in a dollar, hundredths in a mile.
    private static func unitsPerOne(_ name: String) -> Int {
        switch KPICatalog.description(named: name)?.format {
        case .dollars, .miles: 100
        default: 1
        }
    }
}
