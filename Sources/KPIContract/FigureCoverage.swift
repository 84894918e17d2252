import Basics

/// Which trips a figure of a cell is of. A release shows unions of groups, so a count may leave out trips of its cell.
package struct FigureCoverage: Sendable, Hashable {
    /// Trips of the cell are left out: the count, or the miles, are "at least".
    package var isIncomplete = false

    package init(isIncomplete: Bool = false) { self.isIncomplete = isIncomplete }

    /// Everything: of such figures there is nothing to say.
    package static let all = FigureCoverage()

    /// Written after the figure: `+` or nothing.
    package var mark: String { isIncomplete ? "+" : "" }

    /// What the mark says, for a reader who hears it; nil without a mark.
    package var words: String? { isIncomplete ? Self.incomplete : nil }

    package static let incomplete = "at least"

    /// Figures of different trips are not compared: both must be of all trips of their cells.
    package func isComparable(with other: FigureCoverage) -> Bool { !isIncomplete && !other.isIncomplete }

    /// Of a sum of two figures.
    package func union(_ other: FigureCoverage) -> FigureCoverage {
        FigureCoverage(isIncomplete: isIncomplete || other.isIncomplete)
    }
}

extension FigureCoverage {
    /// What the mark means: the same sentence in every output. It does not say how many trips are left out.
    package static let incompleteLegend =
        "Marked +: at least. The figure leaves out trips that are shown only together with trips of other cells, or "
        + "unclassified trips, of which the month has too few. A cost, share, mean or percentile is of all trips of its cell, "
        + "or it is not shown."
    package static let notComparable = "not comparable"
    package static let notComparableLegend = "Not comparable: one of the two figures leaves out trips."
}

extension KPIDescription {
    package func coverage(_ cell: KPISummaryV1.Cell) -> FigureCoverage {
        FigureCoverage(isIncomplete: partialMeasures.contains(where: cell.measuresNotWhole.contains))
    }
}

extension KPISummaryV1.Cell {
    /// `incompleteMeasures` in the words of version 1.2.
    ///
    /// In 1.1 a cell that leaves out trips leaves them out of each measure; `sourcing` and `costBySourcing` are of all
    /// classes; and what `contracted` counts may hold unclassified trips, which is not comparable either.
    package var measuresNotWhole: [String] {
        guard complete == false || incompleteMeasures?.isEmpty == false || sourcingBasis == "all" else { return [] }
        let names = incompleteMeasures ?? []
        if complete == false, !names.contains("trips") {
            return PartialMeasure.all.filter { $0.isOfCompleted || names.contains($0.name) }.map(\.name)
        }
        let sourcing = names.contains("sourcing") ? ["inHouse", "contracted", "unclassified"] : []
        let costs = names.contains("costBySourcing") ? ["inHouseCost", "contractedCost"] : []
        return names + sourcing + costs + (sourcingBasis == "all" ? ["contracted", "contractedCost"] : [])
    }

    /// What a reader should know of the cell's figures beside them, in words; empty if there is nothing.
    package var coverageNotes: [String] {
        var notes: [String] = []
        if suppressed { return revisionPending == true ? ["revision pending"] : [] }
        if complete == false { notes.append("leaves out trips") }
        let shown = Set(KPICatalog.all.filter { $0.figure(self) != nil }.flatMap(\.partialMeasures))
        let measures = measuresNotWhole.filter { $0 != "trips" }
        let parts = complete == false ? [] : measures.filter(shown.contains)
        let title = { (name: String) in PartialMeasure.named(name)?.title ?? name }
        if !parts.isEmpty { notes.append("leaves out trips in: \(parts.map(title).joined(separator: ", "))") }
        if revisionPending == true { notes.append("revision pending") }
        return notes
    }
}

extension KPISummaryV1 {
    /// The legends that this document needs; none for staff, who see every trip.
    package var coverageLegends: [String] {
        let isMarked = cells.contains { cell in
            !cell.measuresNotWhole.isEmpty
                && KPICatalog.all.contains { $0.figure(cell) != nil && $0.coverage(cell).isIncomplete }
        }
        return isMarked ? [FigureCoverage.incompleteLegend, FigureCoverage.notComparableLegend] : []
    }

    /// Released months that lack late trips or corrections.
    package var monthsWithRevisionPending: [String] {
        let pending = Set(cells.filter { $0.revisionPending == true && $0.month != CellKey.all }.map(\.month))
        return pending.sorted()
    }
}
