/// One region and one trip type, by name; `Unassigned` where a trip has none.
package struct AuditedLeaf: Sendable, Hashable {
    package var region: String
    package var tripType: String

    package init(region: String, tripType: String) {
        self.region = region
        self.tripType = tripType
    }
}
