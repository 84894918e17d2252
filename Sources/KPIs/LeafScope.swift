/// A leaf of a month's table: one region and one trip type, by their codes; 0 is Unassigned.
package struct LeafScope: Sendable, Hashable, Comparable, Codable {
    package var region: UInt8
    package var tripType: UInt8

    package init(region: UInt8, tripType: UInt8) {
        self.region = region
        self.tripType = tripType
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.region, left.tripType) < (right.region, right.tripType)
    }
}
