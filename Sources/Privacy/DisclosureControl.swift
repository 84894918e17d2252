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
    /// Nil: the rule is off.
    package let costDominance: CostDominance?
    private let isComplementary: Bool

    /// - Parameters:
    ///   - release: what else is published of the same trips.
    ///   - isComplementary: false only to show what primary suppression alone gives away.
    package init(
        minimumCell: Int = 11, release: Release = .single, costDominance: CostDominance? = nil,
        isComplementary: Bool = Self.isComplementaryAsBuilt
    ) {
        self.costDominance = costDominance
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

    /// What a table hides, worked out once for all documents that are made of it or of its parts.
    package struct Pattern: Sendable {
        let whole: KPITable
        let cells: any CellPattern
    }

    /// - Parameters:
    ///   - whole: of all regions and trip types, less the months to withhold. Of a single release: of all months.
    ///   - earlier: what the series hid when it was last published.
    /// - Throws: `DisclosureError` if nothing may be published, or the threshold cannot be kept.
    package func pattern(
        of whole: KPITable, earlier: EarlierPattern = EarlierPattern()
    ) throws(DisclosureError) -> Pattern {
        guard whole.cells.first?.scope == CellScope() else { throw .overallCellMissing }
        try checkThreshold(for: whole)
        let cells: any CellPattern =
            switch release {
            case .single:
                try SinglePattern(
                    whole, minimumCell: minimumCell, costDominance: costDominance, isComplementary: isComplementary)
            case .series:
                try SeriesPattern(
                    whole, earlier: earlier, minimumCell: minimumCell, costDominance: costDominance,
                    isComplementary: isComplementary)
            }
        return Pattern(whole: whole, cells: cells)
    }

    /// A document of the pattern's table, or of a part of it, which hides what the whole hides.
    ///
    /// - Parameter table: of the trips that `selection` holds, with the same months withheld.
    /// - Throws: `DisclosureError` if nothing of the part may be published.
    package func publish(
        _ table: KPITable, selection: KPISelection = .everything, by pattern: Pattern
    ) throws(DisclosureError) -> Publishable {
        guard table.cells.first?.scope == CellScope() else { throw .overallCellMissing }
        // All of a part's months may be withheld.
        guard !table.months.isEmpty || table.withheldMonths.isEmpty else {
            throw .overallTotalHidden(minimumCell: minimumCell)
        }
        let parts = SelectedPattern(table, selection, pattern.cells).parts
        guard !parts[CellLattice.overall].contains(.whole) else { throw .overallTotalHidden(minimumCell: minimumCell) }
        return publishable(
            table, zip(table.cells, parts).map { PublishedCell($0, hiding: $1) },
            warnings: warnings(of: table, selection, pattern.whole), isPart: selection != .everything,
            mode: .suppressed)
    }

    /// A document of a whole table.
    package func publish(_ table: KPITable, mode: DisclosureMode) throws(DisclosureError) -> Publishable {
        switch mode {
        case .suppressed: return try publish(table, by: pattern(of: table))
        case .internalUse:
            guard table.cells.first?.scope == CellScope() else { throw .overallCellMissing }
            let warnings = WarningCode.allCases.map { ($0, Optional(table.warnings[$0] ?? 0)) }
            return publishable(
                table, table.cells.map(PublishedCell.init(unmasked:)),
                warnings: Dictionary(uniqueKeysWithValues: warnings), isPart: false, mode: .internalUse)
        }
    }

    private func publishable(
        _ table: KPITable, _ cells: [PublishedCell], warnings: [WarningCode: Int?], isPart: Bool, mode: DisclosureMode
    ) -> Publishable {
        Publishable(
            table: table, overall: cells[CellLattice.overall], cells: cells, warnings: warnings, mode: mode,
            release: release, isPart: isPart, minimumCell: minimumCell,
            costDominancePercent: mode == .suppressed ? costDominance?.percent : nil,
            auditPassed: mode == .suppressed && isComplementary ? true : nil)
    }

    private func warnings(
        of table: KPITable, _ selection: KPISelection, _ whole: KPITable
    ) -> [WarningCode: Int?] {
        let suppression = PrimarySuppression(minimumCell: minimumCell)
        // Beside the count of all, that of some regions or trip types would tell the rest; and so would that of some
        // months, unless there is none over all months but where each month may tell its own.
        let isWhole = selection == .everything || (release == .series && selection.isOfAllCells)
        let all = table.warnings, others = isWhole ? [:] : whole.warnings
        var warnings: [WarningCode: Int?] = [:]
        for code in WarningCode.allCases {
            let count = all[code] ?? 0
            // With one set that has a month and one that has it not, the month's count would be known.
            let counts = release == .series ? table.warningsByMonth.values.map { $0[code] ?? 0 } : [count]
            let isHidden = counts.contains(where: suppression.isSmall) || others[code] != nil
            warnings.updateValue(isHidden ? nil : count, forKey: code)
        }
        return warnings
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
