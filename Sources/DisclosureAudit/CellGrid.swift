/// The place of every cell of a release in one array: month, region, trip type; 0 where summed.
struct CellGrid {
    /// A cell that a group reaches into, within its month.
    struct Reach {
        var region: Int
        var tripType: Int
        /// The whole group lies in the cell.
        var isInside: Bool
    }

    let months: [String]
    let regions: [String]
    let tripTypes: [String]
    private let monthSlots: [String: Int]
    private let regionSlots: [String: Int]
    private let tripTypeSlots: [String: Int]

    init(_ release: AuditedRelease) {
        months = release.months
        regions = release.regions
        tripTypes = release.tripTypes
        monthSlots = Self.slots(release.months)
        regionSlots = Self.slots(release.regions)
        tripTypeSlots = Self.slots(release.tripTypes)
    }

    var count: Int { (months.count + 1) * cellsOfAMonth }
    var cellsOfAMonth: Int { (regions.count + 1) * (tripTypes.count + 1) }

    func place(month: Int, region: Int, tripType: Int) -> Int {
        (month * (regions.count + 1) + region) * (tripTypes.count + 1) + tripType
    }

    /// Nil for a name that the release does not have.
    func place(month: String, region: String, tripType: String) -> Int? {
        guard let month = monthSlot(month), let region = Self.slot(region, regionSlots),
            let tripType = Self.slot(tripType, tripTypeSlots)
        else { return nil }
        return place(month: month, region: region, tripType: tripType)
    }

    func monthSlot(_ name: String) -> Int? { Self.slot(name, monthSlots) }

    func has(_ leaf: AuditedLeaf) -> Bool { regionSlots[leaf.region] != nil && tripTypeSlots[leaf.tripType] != nil }

    /// The cells of a month that the group reaches into, as far as it is selected.
    func reach(of leaves: [AuditedLeaf], _ selection: AuditedSelection) -> [Reach] {
        var counts: [Int: Int] = [:]
        for leaf in leaves where selection.contains(leaf) {
            guard let region = regionSlots[leaf.region], let tripType = tripTypeSlots[leaf.tripType] else { continue }
            for (region, tripType) in [(0, 0), (region, 0), (0, tripType), (region, tripType)] {
                counts[region * (tripTypes.count + 1) + tripType, default: 0] += 1
            }
        }
        return counts.map { slot, count in
            Reach(
                region: slot / (tripTypes.count + 1), tripType: slot % (tripTypes.count + 1),
                isInside: count == leaves.count)
        }
    }

    private static func slots(_ names: [String]) -> [String: Int] {
        Dictionary(names.enumerated().map { ($0.element, $0.offset + 1) }, uniquingKeysWith: { first, _ in first })
    }

    private static func slot(_ name: String, _ slots: [String: Int]) -> Int? {
        name == AuditedRelease.all ? 0 : slots[name]
    }
}
