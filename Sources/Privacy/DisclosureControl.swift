package import KPIs
import Trips

/// Turns true numbers into numbers that may be shown. It is the only road from a `KPITable` to a `Publishable`.
///
/// First it is decided over the whole table what each cell hides (`SuppressionPattern`); then each is written with what
/// it may show.
package struct DisclosureControl: Sendable {
    /// Counts from 1 to one below this are hidden; 0 is shown (SPEC §5).
    package let minimumCell: Int

    private let isComplementary: Bool

    /// - Parameter isComplementary: whether to hide also what would give hidden counts away across cells. No command does
    ///   so yet: a month of a few trips would take another month's total with it (docs/decisions/0012).
    package init(minimumCell: Int = 11, isComplementary: Bool = false) {
        self.minimumCell = minimumCell
        self.isComplementary = isComplementary
    }

    /// - Throws: `DisclosureError` if nothing may be published, or the threshold cannot be kept.
    package func publish(_ table: KPITable, mode: DisclosureMode) throws(DisclosureError) -> Publishable {
        guard table.cells.first?.scope == CellScope() else { throw .overallCellMissing }
        var cells: [PublishedCell]
        switch mode {
        case .internalUse:
            cells = table.cells.map(PublishedCell.init(unmasked:))
        case .suppressed:
            try checkThreshold(for: table)
            let pattern = try SuppressionPattern(table, minimumCell: minimumCell, isComplementary: isComplementary)
            cells = zip(table.cells, pattern.parts).map { PublishedCell($0, hiding: $1) }
        }
        let suppression = PrimarySuppression(minimumCell: minimumCell)
        var warnings: [WarningCode: Int?] = [:]
        for code in WarningCode.allCases {
            let count = table.warnings[code] ?? 0
            warnings.updateValue(mode == .suppressed && suppression.isSmall(count) ? nil : count, forKey: code)
        }
        return Publishable(
            table: table, overall: cells[CellLattice.overall], cells: cells, warnings: warnings, mode: mode,
            minimumCell: minimumCell, auditPassed: mode == .suppressed && isComplementary ? true : nil)
    }

    /// Below 2 nothing would be hidden; above the cap "at least 11 patients" could still be too few.
    private func checkThreshold(for table: KPITable) throws(DisclosureError) {
        let largest = table.countsPatients ? PatientCount.cap : Int.max
        guard minimumCell >= 2, minimumCell <= largest else {
            throw .thresholdOutOfRange(minimumCell: minimumCell, largest: table.countsPatients ? largest : nil)
        }
    }
}
