package import KPIs
import Trips

/// Turns true numbers into numbers that may be shown. It is the only road from a `KPITable` to a `Publishable`.
///
/// First the cells to be hidden as a whole are chosen, over the table; then each cell is written with what it may show.
package struct DisclosureControl: Sendable {
    /// Counts from 1 to one below this are hidden; 0 is shown (SPEC §5).
    package let minimumCell: Int

    package init(minimumCell: Int = 11) {
        self.minimumCell = minimumCell
    }

    /// - Throws: `DisclosureError` if nothing may be published, or the threshold cannot be kept.
    package func publish(_ table: KPITable, mode: DisclosureMode) throws(DisclosureError) -> Publishable {
        let suppression = PrimarySuppression(minimumCell: minimumCell)
        var hidden: Set<CellScope> = []
        if mode == .suppressed {
            try checkThreshold(for: table)
            hidden = Set(table.cells.filter(suppression.hidesAll(of:)).map(\.scope))
        }
        let cells = table.cells.map { cell in
            if mode == .internalUse { return PublishedCell(unmasked: cell) }
            return hidden.contains(cell.scope) ? PublishedCell(hidden: cell) : suppression.masked(cell)
        }
        guard let overall = cells.first(where: { $0.scope == CellScope() }) else { throw .overallCellMissing }
        guard !overall.suppressed else { throw .overallTotalHidden(minimumCell: minimumCell) }

        var warnings: [WarningCode: Int?] = [:]
        for code in WarningCode.allCases {
            let count = table.warnings[code] ?? 0
            warnings.updateValue(mode == .suppressed && suppression.isSmall(count) ? nil : count, forKey: code)
        }
        return Publishable(
            table: table, overall: overall, cells: cells, warnings: warnings, mode: mode, minimumCell: minimumCell)
    }

    /// Below 2 nothing would be hidden; above the cap "at least 11 patients" could still be too few.
    private func checkThreshold(for table: KPITable) throws(DisclosureError) {
        let largest = table.countsPatients ? PatientCount.cap : Int.max
        guard minimumCell >= 2, minimumCell <= largest else {
            throw .thresholdOutOfRange(minimumCell: minimumCell, largest: table.countsPatients ? largest : nil)
        }
    }
}
