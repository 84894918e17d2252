import KPIs
import Trips

/// What each cell of a table hides where it is one of a series: the cells of a month what that month alone asks for, and a
/// total over months what one of its months hides.
///
/// So a total says nothing that its months do not say, and a month hides the same cells beside whatever other months.
/// However many sets are published while months are added or corrected, no two totals can be subtracted from each other
/// to get at what a month hides: docs/decisions/0013.
struct SeriesPattern: CellPattern {
    let minimumCell: Int
    private let months: [Month: SuppressionPattern]
    private let table: KPITable
    /// How many cells a month has.
    private let monthSize: Int
    /// Where a region's or a trip type's cells lie within a month.
    private let regionPlaces: [UInt8: Int]
    private let tripTypePlaces: [UInt8: Int]

    /// - Parameters:
    ///   - table: of all regions and trip types.
    ///   - earlier: what was hidden before.
    ///   - isComplementary: false only to show what primary suppression alone gives away.
    init(
        _ table: KPITable, earlier: EarlierPattern = EarlierPattern(), minimumCell: Int,
        costDominance: CostDominance? = nil, isComplementary: Bool = true
    ) throws(DisclosureError) {
        self.minimumCell = minimumCell
        self.table = table
        regionPlaces = Self.places(table.regionCodes)
        tripTypePlaces = Self.places(table.tripTypeCodes)
        let regions = table.regionCodes.count, tripTypes = table.tripTypeCodes.count
        monthSize = (regions + 1) * (tripTypes + 1)
        // The month is all its months: each cell stands for both.
        let lattice = CellLattice(parts: [1, regions, tripTypes])
        var months: [Month: SuppressionPattern] = [:]
        for (number, month) in table.months.enumerated() {
            let first = (number + 1) * monthSize
            guard first + monthSize <= table.cells.count else { throw .overallCellMissing }
            let cells = Array(table.cells[first..<first + monthSize])
            do {
                let hiddenBefore = earlier.parts(of: cells + cells, in: lattice)
                let known = earlier.known(of: cells + cells, in: lattice)
                months[month] = try Self.settled(after: hiddenBefore) { hiddenBefore throws(DisclosureError) in
                    try SuppressionPattern(
                        cells + cells, in: lattice, countsPatients: table.countsPatients, hiddenBefore: hiddenBefore,
                        known: known, minimumCell: minimumCell, costDominance: costDominance,
                        isComplementary: isComplementary)
                }
            } catch .overallTotalHidden {
                // Without a pattern the month hides all.
            }
        }
        self.months = months
    }

    /// The pattern that is found again by whoever starts from what it hides. So the same trips published once more say
    /// the same: what is hidden, and the means and shares of totals, which the worlds found on the way decide.
    private static func settled(
        after hiddenBefore: [HiddenParts],
        pattern: ([HiddenParts]) throws(DisclosureError) -> SuppressionPattern
    ) throws(DisclosureError) -> SuppressionPattern {
        var found = try pattern(hiddenBefore)
        // Each hides what the one before hid, so one of them hides no more.
        while true {
            let next = try pattern(found.parts)
            if next.parts == found.parts { return next }
            found = next
        }
    }

    private static func places(_ codes: [UInt8]) -> [UInt8: Int] {
        Dictionary(zip(codes, 1...), uniquingKeysWith: { first, _ in first })
    }

    var showsTotalsOverMonths: Bool { false }

    func parts(of cell: KPICell, summing scopes: [CellScope]) -> HiddenParts {
        let summands = scopes.compactMap(summand)
        guard summands.count == scopes.count else { return .whole }
        if summands.count == 1 { return summands[0].parts }
        return SumOfCells(cell, summands).parts
    }

    private func summand(_ scope: CellScope) -> SumOfCells.Summand? {
        guard let month = scope.month, let pattern = months[month], let number = table.months.firstIndex(of: month),
            let region = scope.region.map({ regionPlaces[$0] }) ?? 0,
            let tripType = scope.tripType.map({ tripTypePlaces[$0] }) ?? 0
        else { return nil }
        let place = region * (table.tripTypeCodes.count + 1) + tripType
        return SumOfCells.Summand(
            cell: table.cells[(number + 1) * monthSize + place], parts: pattern.parts[place],
            play: pattern.play.mapValues { $0[place] })
    }
}
