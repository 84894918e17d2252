/// Which trips a figure of a cell is of. A release shows unions of groups, so a figure may leave out trips of its cell.
package struct FigureCoverage: Sendable, Hashable {
    /// Trips of the cell are left out, because they can only be shown together with trips of other cells, or because too
    /// few trips of a group have the value.
    package var isIncomplete = false
    /// Contracted trips are counted together with unclassified ones (`sourcingBasis` `all`).
    package var countsUnclassified = false

    package init(isIncomplete: Bool = false, countsUnclassified: Bool = false) {
        self.isIncomplete = isIncomplete
        self.countsUnclassified = countsUnclassified
    }

    /// Everything: of such figures there is nothing to say.
    package static let all = FigureCoverage()

    /// Written after the figure: `+`, `^`, both, or nothing.
    package var mark: String { (isIncomplete ? "+" : "") + (countsUnclassified ? "^" : "") }

    /// What the mark says, for a reader who hears it; nil without a mark.
    package var words: String? {
        let parts = [isIncomplete ? Self.incomplete : nil, countsUnclassified ? Self.countedTogether : nil]
        let said = parts.compactMap(\.self)
        return said.isEmpty ? nil : said.joined(separator: ", ")
    }

    package static let incomplete = "incomplete"
    /// What `contracted` counts where `sourcingBasis` is `all`.
    package static let contractedOrUnclassified = "contracted or unclassified"
    package static let countedTogether = "\(contractedOrUnclassified) trips counted together"

    /// Figures of different trips are not compared: both must be of all trips of their cells, and count the same kinds.
    package func isComparable(with other: FigureCoverage) -> Bool {
        !isIncomplete && !other.isIncomplete && countsUnclassified == other.countsUnclassified
    }

    /// Of a sum or a quotient of two figures.
    package func union(_ other: FigureCoverage) -> FigureCoverage {
        FigureCoverage(
            isIncomplete: isIncomplete || other.isIncomplete,
            countsUnclassified: countsUnclassified || other.countsUnclassified)
    }
}

extension FigureCoverage {
    /// What the marks mean: the same sentences in every output. They do not say how many trips are left out.
    package static let incompleteLegend =
        "Marked +: incomplete. The figure leaves out trips that are shown only together with trips of other cells, or of "
        + "which too few have the value. To show them, map the unassigned regions and trip types, or configure fewer regions "
        + "or trip types."
    package static let unclassifiedLegend =
        "Marked ^: \(contractedOrUnclassified) trips, which are shown only together. To divide them, write rules for the "
        + "unclassified trips."
    package static let notComparable = "not comparable"
    package static let notComparableLegend =
        "Not comparable: one of the two figures leaves out trips, or counts \(contractedOrUnclassified) trips together where "
        + "the other does not."
}

extension KPIDescription {
    /// Whether it is of a population that `complete` is not about.
    package var isOfOtherTrips: Bool { population != .completed }

    package func coverage(_ cell: KPISummaryV1.Cell) -> FigureCoverage {
        let left = cell.incompleteMeasures ?? []
        return FigureCoverage(
            isIncomplete: (cell.complete == false && !isOfOtherTrips) || partialMeasures.contains(where: left.contains),
            countsUnclassified: countsContracted && cell.sourcingBasis == "all")
    }
}

extension KPISummaryV1.Cell {
    /// What a reader should know of the cell's figures beside them, in words; empty if there is nothing.
    package var coverageNotes: [String] {
        var notes: [String] = []
        if suppressed { return revisionPending == true ? ["revision pending"] : [] }
        if complete == false { notes.append("leaves out trips") }
        // Of a measure that is hidden whole, its figures say so.
        let shown = Set(KPICatalog.all.filter { $0.figure(self) != nil }.flatMap(\.partialMeasures))
        let measures = (incompleteMeasures ?? []).filter(shown.contains).map { PartialMeasure.named($0)?.title ?? $0 }
        if !measures.isEmpty { notes.append("leaves out trips in: \(measures.joined(separator: ", "))") }
        if sourcingBasis == "all" { notes.append("contracted counts \(FigureCoverage.contractedOrUnclassified) trips") }
        if revisionPending == true { notes.append("revision pending") }
        return notes
    }
}

extension KPISummaryV1 {
    /// The legends that this document needs; none for staff, who see every trip.
    package var coverageLegends: [String] {
        var coverages: Set<FigureCoverage> = []
        for cell in cells {
            for kpi in KPICatalog.all where kpi.figure(cell) != nil { coverages.insert(kpi.coverage(cell)) }
        }
        var legends: [String] = []
        if coverages.contains(where: \.isIncomplete) { legends.append(FigureCoverage.incompleteLegend) }
        if coverages.contains(where: \.countsUnclassified) { legends.append(FigureCoverage.unclassifiedLegend) }
        if !legends.isEmpty { legends.append(FigureCoverage.notComparableLegend) }
        return legends
    }

    /// Released months that lack late trips or corrections.
    package var monthsWithRevisionPending: [String] {
        let pending = Set(cells.filter { $0.revisionPending == true && $0.month != "All" }.map(\.month))
        return pending.sorted()
    }
}
