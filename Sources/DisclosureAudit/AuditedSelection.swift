/// Which part of a release a document is about; nil: all of it.
package struct AuditedSelection: Sendable, Hashable {
    package var months: Set<String>?
    package var regions: Set<String>?
    package var tripTypes: Set<String>?

    package init(months: Set<String>? = nil, regions: Set<String>? = nil, tripTypes: Set<String>? = nil) {
        self.months = months
        self.regions = regions
        self.tripTypes = tripTypes
    }

    func contains(_ leaf: AuditedLeaf) -> Bool {
        (regions?.contains(leaf.region) ?? true) && (tripTypes?.contains(leaf.tripType) ?? true)
    }

    var isEverything: Bool { months == nil && regions == nil && tripTypes == nil }
}
