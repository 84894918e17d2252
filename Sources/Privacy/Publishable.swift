package import KPIs
package import Trips

/// Numbers that may be shown, the only thing the writers in `Reports` take.
///
/// Enters: a `KPITable` of true numbers, through `DisclosureControl.publish`; nothing else can make one of these.
/// Leaves: the same cells with every number that may not be shown replaced by nil. It owns no file and keeps no way
/// back to the true numbers. In `DisclosureMode.internalUse` nothing is hidden, and whoever writes it stamps it so.
package struct Publishable: Sendable {
    /// As in the `KPITable`.
    package let months: [Month]
    package let withheldMonths: [Month]
    package let regionCodes: [UInt8]
    package let tripTypeCodes: [UInt8]
    package let regions: NamedList
    package let tripTypes: NamedList
    package let countsPatients: Bool
    package let intervalPairs: [TripInterval: EventPair]

    /// All months, regions and types together. Its `trips` are always shown.
    package let overall: PublishedCell
    /// In the order of the table; the first is `overall`.
    package let cells: [PublishedCell]
    /// For every code there is; nil is a hidden count.
    package let warnings: [WarningCode: Int?]
    package let mode: DisclosureMode
    package let release: Release
    /// Whether it is about some of the trips only.
    let isPart: Bool
    /// Counts from 1 to one below this are hidden.
    package let minimumCell: Int
    /// Nil: costs of one provider are not hidden for that.
    package let costDominancePercent: Int?
    /// Whether the audit found that nothing hidden can be computed; nil: none was made. A failed one makes no `Publishable`.
    package let auditPassed: Bool?
    /// Cells hidden with all their measures.
    package let suppressedCells: Int

    private let positions: [CellScope: Int]

    init(
        table: KPITable, overall: PublishedCell, cells: [PublishedCell], warnings: [WarningCode: Int?],
        mode: DisclosureMode, release: Release, isPart: Bool, minimumCell: Int, costDominancePercent: Int?,
        auditPassed: Bool?
    ) {
        self.release = release
        self.isPart = isPart
        months = table.months
        withheldMonths = table.withheldMonths
        regionCodes = table.regionCodes
        tripTypeCodes = table.tripTypeCodes
        regions = table.regions
        tripTypes = table.tripTypes
        countsPatients = table.countsPatients
        intervalPairs = table.intervalPairs
        self.overall = overall
        self.cells = cells
        self.warnings = warnings
        self.mode = mode
        self.minimumCell = minimumCell
        self.costDominancePercent = costDominancePercent
        self.auditPassed = auditPassed
        suppressedCells = cells.count { $0.suppressed }
        positions = Dictionary(
            cells.enumerated().map { ($0.element.scope, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    /// Nil where the table has no such cell.
    package func cell(at scope: CellScope) -> PublishedCell? {
        positions[scope].map { cells[$0] }
    }
}

/// For whom numbers are made.
package enum DisclosureMode: Sendable, Hashable {
    /// For everyone: small counts and whatever reveals them are hidden.
    case suppressed
    /// For those who may see the data (`--internal`): nothing is hidden; every output is stamped.
    case internalUse
}
