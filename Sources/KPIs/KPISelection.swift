package import Basics

/// Which leaf cells a table is made of. Nil means all.
package struct KPISelection: Sendable, Hashable {
    package var months: ClosedRange<Month>?
    /// Codes of the configured lists; 0 is Unassigned.
    package var regions: Set<UInt8>?
    package var tripTypes: Set<UInt8>?
    /// Months that are left out of everything, sums too: what is in them is not to be shown.
    package var withheld: Set<Month> = []

    package init(months: ClosedRange<Month>? = nil, regions: Set<UInt8>? = nil, tripTypes: Set<UInt8>? = nil) {
        self.months = months
        self.regions = regions
        self.tripTypes = tripTypes
    }

    package static let everything = KPISelection()

    func holds(month: Month) -> Bool { !withheld.contains(month) && months?.contains(month) ?? true }
    func withholds(month: Month) -> Bool { withheld.contains(month) && months?.contains(month) ?? true }
    func holds(region: Int) -> Bool { regions?.contains(UInt8(truncatingIfNeeded: region)) ?? true }
    func holds(tripType: Int) -> Bool { tripTypes?.contains(UInt8(truncatingIfNeeded: tripType)) ?? true }
}
