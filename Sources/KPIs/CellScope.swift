package import Basics

/// Where a cell lies. Nil means "All".
package struct CellScope: Sendable, Hashable {
    package var month: Month?
    package var region: UInt8?
    package var tripType: UInt8?

    package init(month: Month? = nil, region: UInt8? = nil, tripType: UInt8? = nil) {
        self.month = month
        self.region = region
        self.tripType = tripType
    }
}
