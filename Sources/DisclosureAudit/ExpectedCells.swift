import Basics
import KPIContract

/// Every cell and group that the documents of a release must have, recomputed from the true groups.
struct ExpectedCells {
    /// A cell, or a group of several leaves, as `kpi-cells.csv` has it.
    struct Row {
        var cell: KPISummaryV1.Cell
        /// Empty for a group.
        var patients = ""
        /// Empty for a cell.
        var population = ""
    }

    /// In the document's order.
    let rows: [Row]
    /// The cells of each released month, also of months that the document leaves out.
    let everyMonth: [KPISummaryV1.Cell]
    /// Those that the selection reaches into, in the document's order.
    let groups: [KPISummaryV1.Group]
    /// `All`, and the regions and trip types that the document lists.
    let regions: [String]
    let tripTypes: [String]

    init(_ release: AuditedRelease, findings: FindingList) {
        let regions = [CellKey.all] + Self.listed(release.regions, release.selection.regions, \.region, release)
        let tripTypes = [CellKey.all] + Self.listed(release.tripTypes, release.selection.tripTypes, \.tripType, release)
        let figures = ExpectedFigures(release, findings: findings)
        func rows(_ months: [String]) -> [Row] {
            months.flatMap { month in
                regions.flatMap { region in
                    tripTypes.map { figures.row(at: CellKey(month: month, region: region, tripType: $0)) }
                }
            }
        }
        let months = rows(release.months), shown = Set(release.shownMonths)
        self.rows = rows([CellKey.all]) + months.filter { shown.contains($0.cell.month) }
        everyMonth = months.map(\.cell)
        self.regions = regions
        self.tripTypes = tripTypes
        groups = Self.publishedGroups(of: release).map(figures.group)
    }

    /// The rows of groups of several leaves.
    var groupRows: [Row] { groups.filter(\.isMerged).map(Self.row) }

    /// What readers of version 1.1 know of `groups`.
    var mergedGroups: [KPISummaryV1.MergedGroup] {
        groups.filter { $0.isMerged && $0.population.isCompleted }.map {
            .init(month: $0.month, regions: $0.regions, tripTypes: $0.tripTypes, trips: $0.trips)
        }
    }

    /// The selected configured names, and `Unassigned` where a group may hold such trips.
    private static func listed(
        _ names: [String], _ selected: Set<String>?, _ name: KeyPath<AuditedLeaf, String>, _ release: AuditedRelease
    ) -> [String] {
        let shown = Set(release.shownMonths)
        let mayHoldUnassigned = release.groups.contains { group in
            group.population.isCompleted && shown.contains(group.month)
                && group.leaves.contains { $0[keyPath: name] == CellKey.unassigned }
        }
        let configured = names.filter { $0 != CellKey.unassigned }
        return (configured + (mayHoldUnassigned ? [CellKey.unassigned] : []))
            .filter { selected?.contains($0) ?? true }
    }

    /// By month, population and first leaf.
    private static func publishedGroups(of release: AuditedRelease) -> [Int] {
        let shown = Set(release.shownMonths)
        let order = release.groups.enumerated().compactMap { place, group -> (place: Int, rank: (String, Int, Int))? in
            guard shown.contains(group.month), group.leaves.contains(where: release.selection.contains),
                let population = AuditedPopulation.allCases.firstIndex(of: group.population),
                let leaf = group.leaves.map(release.rank).min()
            else { return nil }
            return (place, (group.month, population, leaf))
        }
        return order.sorted { $0.rank < $1.rank }.map(\.place)
    }

    /// The group's figures in the columns of a cell's. Trips that were not run are in their own column.
    private static func row(of group: KPISummaryV1.Group) -> Row {
        var cell = KPISummaryV1.Cell(
            month: group.month, region: group.regionsText, tripType: group.tripTypesText, suppressed: false,
            complete: true,
            revisionPending: group.revisionPending, sourcingSuppressed: true, sourcingBasis: "classified",
            incompleteMeasures: [])
        cell.figures = group.figures.figures
        if !group.population.isCompleted {
            cell.trips = nil
            cell[group.population.trips] = group.trips
        }
        return Row(cell: cell, population: group.population.rawValue)
    }
}

extension AuditedRelease {
    /// The order of leaves: by region, then by trip type, each in the order of its list.
    func rank(of leaf: AuditedLeaf) -> Int {
        (regions.firstIndex(of: leaf.region) ?? 0) * tripTypes.count + (tripTypes.firstIndex(of: leaf.tripType) ?? 0)
    }
}
