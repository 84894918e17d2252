package import Basics
package import KPIs
package import Trips

/// Figures that an audience may see: the only thing the writers in `Reports` take.
///
/// It is made in two ways. `init(releasing:…)` takes the partitions of released months and publishes unions of their
/// groups. `init(forStaff:…)` takes a table and publishes it as it is; whoever writes it stamps it. It owns no file and
/// keeps no way back to the true numbers.
package struct Publishable: Sendable {
    package let audience: Audience
    /// Months with figures; ascending.
    package let months: [Month]
    /// Months that are not shown at all: open ones, and those with too few trips or patients; ascending.
    package let withheldMonths: [Month]
    package let regionCodes: [UInt8]
    package let tripTypeCodes: [UInt8]
    package let regions: NamedList
    package let tripTypes: NamedList
    package let intervalPairs: [TripInterval: EventPair]
    /// In the order All, then months × All, then regions × All, then trip types; the first is `overall`.
    package let cells: [PublishedCell]
    /// Release: every group that reaches into the selection. Staff: none.
    package private(set) var groups: [PublishedGroup] = []
    /// Staff: trips by warning. Release: nil, since they would be counts of single records.
    package private(set) var warnings: [WarningCode: Int]?
    /// Fewest trips and patients of a group of the release.
    package let minimumCell: Int
    /// Of the release. Staff see every count.
    package private(set) var missingCounts = MissingCountPolicy.publish
    /// Release: intervals whose means are left out, since other means add up to them. None if every mean is left out.
    package private(set) var intervalsWithoutMean: [TripInterval] = []
    private let positions: [CellScope: Int]

    /// All months, regions and types together.
    package var overall: PublishedCell { cells[0] }

    /// Cells of which nothing is shown.
    package var suppressedCells: Int { cells.count { $0.suppressed } }

    /// Nil where there is no such cell.
    package func cell(at scope: CellScope) -> PublishedCell? {
        positions[scope].map { cells[$0] }
    }

    /// Everything, exact, for the health system's own people.
    ///
    /// - Parameter minimumCell: of the release, for what the document says of it.
    /// - Throws: `DisclosureError.overallCellMissing`.
    package init(forStaff table: KPITable, minimumCell: Int = MinimumCell.standard) throws(DisclosureError) {
        guard table.cells.first?.scope == CellScope() else { throw .overallCellMissing }
        audience = .staff
        months = table.months
        withheldMonths = table.withheldMonths
        regionCodes = table.regionCodes
        tripTypeCodes = table.tripTypeCodes
        regions = table.regions
        tripTypes = table.tripTypes
        intervalPairs = table.intervalPairs
        cells = table.cells.map(PublishedCell.init(exact:))
        warnings = table.warnings
        self.minimumCell = minimumCell
        positions = Self.positions(of: cells)
    }

    /// What anybody may see of released months.
    ///
    /// - Parameters:
    ///   - released: with partitions that have groups; ascending.
    ///   - tally: holds each of these months as it was when it was released.
    ///   - withheld: months that are not released.
    ///   - selection: "All" means all of it.
    ///   - missingCounts: whether counts of trips with or without a value are shown.
    /// - Throws: `DisclosureError.nothingToRelease` if no group lies in the selection.
    package init(
        releasing released: [ReleasedMonth], tally: KPITally, withholding withheld: [Month],
        context: KPITally.TableContext, selection: KPISelection = .everything,
        minimumCell: Int = MinimumCell.standard, missingCounts: MissingCountPolicy = .publish
    ) throws(DisclosureError) {
        let shown = released.filter {
            $0.partition.isPublished && selection.months?.contains($0.month) ?? true
        }
        let small = released.filter { !$0.partition.isPublished }.map(\.month)
        let withoutMean = IntervalChain.redundant(context)
        var table = ReleasedCells(
            shown, tally: tally, selection: selection, withoutMean: withoutMean, missingCounts: missingCounts)
        regionCodes = table.codes(tally.shape.regionCount, within: selection.regions, \.region)
        tripTypeCodes = table.codes(tally.shape.tripTypeCount, within: selection.tripTypes, \.tripType)
        var cells: [PublishedCell] = []
        for month in [nil] + shown.map({ Optional($0.month) }) {
            for region in [nil] + regionCodes.map(Optional.some) {
                for type in [nil] + tripTypeCodes.map(Optional.some) {
                    cells.append(table.cell(CellScope(month: month, region: region, tripType: type)))
                }
            }
        }
        let left = (withheld + small).filter { selection.months?.contains($0) ?? true }.sorted()
        // Without any trip in the selection every figure is 0, which discloses nothing.
        guard !cells[0].suppressed, !shown.isEmpty || left.isEmpty else {
            throw .nothingToRelease(minimumCell: minimumCell)
        }
        audience = .release
        months = shown.map(\.month)
        withheldMonths = left
        regions = context.regions
        tripTypes = context.tripTypes
        intervalPairs = context.intervalPairs
        intervalsWithoutMean = missingCounts == .omit ? [] : TripInterval.allCases.filter(withoutMean.contains)
        self.cells = cells
        groups = table.groups()
        self.minimumCell = minimumCell
        self.missingCounts = missingCounts
        positions = Self.positions(of: cells)
    }

    private static func positions(of cells: [PublishedCell]) -> [CellScope: Int] {
        Dictionary(cells.enumerated().map { ($0.element.scope, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }
}
