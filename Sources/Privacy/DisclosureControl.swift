package import KPIs
package import Trips

/// Turns true numbers into numbers that may be shown. It is the only road from a `KPITable` to a `Publishable`.
///
/// First it is decided over the whole table what each cell hides (`SinglePattern`, `SeriesPattern`); then each is written
/// with what it may show.
package struct DisclosureControl: Sendable {
    /// Counts from 1 to one below this are hidden; 0 is shown (SPEC §5).
    package let minimumCell: Int

    package let release: Release
    private let isComplementary: Bool

    /// - Parameters:
    ///   - release: what else is published of the same trips.
    ///   - isComplementary: false only to show what primary suppression alone gives away.
    package init(
        minimumCell: Int = 11, release: Release = .single, isComplementary: Bool = Self.isComplementaryAsBuilt
    ) {
        self.minimumCell = minimumCell
        self.release = release
        self.isComplementary = isComplementary
    }

    /// False only in a build for `Tests/Tools/check_disclosure.py`, to see that its attack finds what is then open.
    #if PRIMARY_SUPPRESSION_ONLY
    package static let isComplementaryAsBuilt = false
    #else
    package static let isComplementaryAsBuilt = true
    #endif

    /// Months of too few trips or patients to be shown. They are to be left out of the table altogether: as a part of
    /// "All" each would take another month's total with it, and be known from the two "All" before and after.
    ///
    /// None if that would be all of them.
    package func monthsToWithhold(_ table: KPITable) -> Set<Month> {
        let suppression = PrimarySuppression(minimumCell: minimumCell)
        let small = table.cells.filter { cell in
            cell.scope.month != nil && cell.scope.region == nil && cell.scope.tripType == nil
                && suppression.parts(of: cell).contains(.whole)
        }
        return small.count < table.months.count ? Set(small.compactMap(\.scope.month)) : []
    }

    /// A part of a larger table, which hides what the larger one hides.
    package struct Part: Sendable {
        /// Of all trips, with the same months withheld.
        package var whole: KPITable
        package var selection: KPISelection

        package init(of whole: KPITable, _ selection: KPISelection) {
            self.whole = whole
            self.selection = selection
        }
    }

    /// - Parameter part: what the table is a part of; nil: it is the whole.
    /// - Throws: `DisclosureError` if nothing may be published, or the threshold cannot be kept.
    package func publish(
        _ table: KPITable, as part: Part? = nil, mode: DisclosureMode
    ) throws(DisclosureError) -> Publishable {
        guard table.cells.first?.scope == CellScope() else { throw .overallCellMissing }
        var cells: [PublishedCell]
        switch mode {
        case .internalUse:
            cells = table.cells.map(PublishedCell.init(unmasked:))
        case .suppressed:
            try checkThreshold(for: table)
            cells = zip(table.cells, try parts(of: table, as: part)).map { PublishedCell($0, hiding: $1) }
        }
        return Publishable(
            table: table, overall: cells[CellLattice.overall], cells: cells, warnings: warnings(of: table, part, mode),
            mode: mode, release: release, isPart: part != nil, minimumCell: minimumCell,
            auditPassed: mode == .suppressed && isComplementary ? true : nil)
    }

    private func warnings(of table: KPITable, _ part: Part?, _ mode: DisclosureMode) -> [WarningCode: Int?] {
        let suppression = PrimarySuppression(minimumCell: minimumCell)
        let all = table.warnings
        // Of some regions or trip types, a count would tell that of the rest.
        let others = part.map { $0.selection.isOfAllCells && release == .series ? [:] : $0.whole.warnings } ?? [:]
        var warnings: [WarningCode: Int?] = [:]
        for code in WarningCode.allCases {
            let count = all[code] ?? 0
            // With one set that has a month and one that has it not, the month's count would be known.
            let counts = release == .series ? table.warningsByMonth.values.map { $0[code] ?? 0 } : [count]
            let isHidden = counts.contains(where: suppression.isSmall) || others[code] != nil
            warnings.updateValue(mode == .suppressed && isHidden ? nil : count, forKey: code)
        }
        return warnings
    }

    private func parts(of table: KPITable, as part: Part?) throws(DisclosureError) -> [HiddenParts] {
        // All of a part's months may be withheld.
        guard !table.months.isEmpty || table.withheldMonths.isEmpty else {
            throw .overallTotalHidden(minimumCell: minimumCell)
        }
        let whole = part?.whole ?? table, selection = part?.selection ?? .everything
        let parts =
            switch release {
            case .single:
                SelectedPattern(
                    table, selection,
                    try SinglePattern(whole, minimumCell: minimumCell, isComplementary: isComplementary)
                ).parts
            case .series:
                SelectedPattern(
                    table, selection,
                    try SeriesPattern(whole, minimumCell: minimumCell, isComplementary: isComplementary)
                ).parts
            }
        guard !parts[CellLattice.overall].contains(.whole) else { throw .overallTotalHidden(minimumCell: minimumCell) }
        return parts
    }

    /// Below 2 nothing would be hidden; above the cap "at least 11 patients" could still be too few.
    private func checkThreshold(for table: KPITable) throws(DisclosureError) {
        let largest = table.countsPatients ? PatientCount.cap : Int.max
        guard minimumCell >= 2, minimumCell <= largest else {
            throw .thresholdOutOfRange(minimumCell: minimumCell, largest: table.countsPatients ? largest : nil)
        }
    }
}

/// What else is published of the same trips.
package enum Release: Sendable, Hashable {
    /// Nothing: the document holds by itself.
    case single
    /// Other sets, before and after, with months added and corrected, and reports of their parts: all of them hold
    /// together.
    case series
}
