package import Basics
package import Trips

/// The configured lists of regions and trip types. A region may be dated; outside its dates a trip is Unassigned.
package struct Vocabulary: Sendable, Hashable {
    package var regions: NamedList
    /// First and last day (inclusive) by region code; a missing entry has no bounds.
    package var regionValidity: [UInt8: ClosedRange<CivilDay>]
    package var tripTypes: NamedList
    /// Of `region` and `trip_type`: the fields whose list is not configured.
    package var openLists: Set<CanonicalField> = []

    package init(regions: NamedList, regionValidity: [UInt8: ClosedRange<CivilDay>] = [:], tripTypes: NamedList) {
        self.regions = regions
        self.regionValidity = regionValidity
        self.tripTypes = tripTypes
    }

    /// The entry of the standard list of `region` or `trip_type` that a value is, in any case; nil if it is none.
    package static func standardEntry(_ value: String, _ field: CanonicalField) -> String? {
        let list = field == .region ? standard.regions : standard.tripTypes
        return list.code(ignoringCase: value).map { list.names[Int($0)] }
    }

    package static let standard: Vocabulary = {
        var standard = Vocabulary(
            regions: NamedList(["North", "South", "East", "West"]), tripTypes: NamedList(["Emergency", "Routine"]))
        standard.openLists = [.region, .tripType]
        return standard
    }()
}
