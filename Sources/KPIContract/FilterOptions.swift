/// What the dashboard can filter by; `"All"` comes first in each.
public struct FilterOptions: Decodable, Sendable, Hashable {
    /// `All`, then the months shown.
    public var months: [String]
    /// `All`, then the regions.
    public var regions: [String]
    /// `All`, then the trip types.
    public var tripTypes: [String]

    /// Every value as it is to be published; nothing is checked.
    public init(months: [String], regions: [String], tripTypes: [String]) {
        self.months = months
        self.regions = regions
        self.tripTypes = tripTypes
    }
}

extension FilterOptions: CanonicalValue {
    package var canonical: CanonicalJSON { ["months": months, "regions": regions, "tripTypes": tripTypes] }
}
