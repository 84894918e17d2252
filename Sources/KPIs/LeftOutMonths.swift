package import Basics
package import Trips

/// Months with trips that `first_month` and `last_month` leave out of the figures.
package struct LeftOutMonths: Sendable, Hashable {
    /// Ascending.
    package let months: [Month]
    /// Whether some of them are no edges (`EdgeMonths`): a limit that was set for stray dates leaves out real trips by now.
    package let hasRealMonths: Bool

    /// - Parameters:
    ///   - trips: of each month that is loaded.
    ///   - thisMonth: it has only begun, so it is real however few its trips are.
    package init(_ trips: [Month: Int], _ limits: MonthLimits, thisMonth: Month) {
        months = trips.filter { $0.value > 0 && !limits.contains($0.key) }.keys.sorted()
        let edges = EdgeMonths(trips).without(thisMonth)
        hasRealMonths = !Set(months).isSubset(of: edges.first + edges.last)
    }
}
