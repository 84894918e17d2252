internal import KPIContract
internal import Trips

/// A named table of figures with its totals above the header; ratios, changes and totals are formulas where they give
/// exactly the figure from others that are shown.
struct CostGrid {
    /// How a figure follows from others of its row, by their places among the columns.
    enum Derivation {
        case given
        /// Dollars over a count, rounded to the cent.
        case costPer(cost: Int, count: Int)
        /// Dollars a mile, rounded to the cent; the miles are in hundredths.
        case costPerMile(cost: Int, miles: Int)
        /// The first less the second.
        case difference(Int, Int)
        /// `CostChange.volumeCents`.
        case volume(tripsBefore: Int, tripsAfter: Int, costBefore: Int, costAfter: Int)
        /// The sum of these columns.
        case sum(ClosedRange<Int>)
    }

    struct Column {
        var title: String
        var unit: Figure.Unit
        /// Whether its total is its sum; else the total follows as the figure does, or there is none.
        var isSummed = false
        var derivation = Derivation.given
    }

    /// A nil figure is an empty cell.
    struct Line {
        var keys: [String]
        var figures: [Figure?]
    }

    /// Which lines the totals add up.
    enum Summing {
        case all
        /// Those with this text in this key column: the others are parts of them.
        case lines(key: Int, text: String)
        /// The table has no totals.
        case none
    }

    var name: String
    var keyTitles: [String]
    var columns: [Column]
    var lines: [Line]
    var summing = Summing.all
    var totalTitle = "Total"
    /// Totals that are known, where they cannot be added up from what is shown.
    var knownTotals: [Figure?] = []
    /// What a table without lines says instead.
    var emptyText = "No trips in this period."

    var hasTotals: Bool {
        if case .none = summing { false } else { true }
    }

    private func isSummed(_ line: Line) -> Bool {
        switch summing {
        case .all: true
        case .lines(let key, let text): line.keys[key] == text
        case .none: false
        }
    }

    /// By column.
    func totals() -> [Figure?] {
        var totals: [Figure?] = columns.indices.map { place in
            if knownTotals.indices.contains(place), let known = knownTotals[place], known != .hidden { return known }
            guard columns[place].isSummed else { return nil }
            var sum = 0, coverage = FigureCoverage.all
            for line in lines where isSummed(line) {
                switch line.figures[place] {
                case .value(let whole, _, let own):
                    sum += whole
                    coverage = coverage.union(own)
                case .hidden, .notComparable: return .hidden
                case .some(.none), nil: break
                }
            }
            return .value(sum, columns[place].unit, coverage)
        }
        for (place, column) in columns.enumerated() where totals[place] == nil {
            totals[place] = derived(column, of: totals)
        }
        return totals
    }

    /// Nil for what is given.
    private func derived(_ column: Column, of figures: [Figure?]) -> Figure? {
        func figure(_ places: [Int], _ compute: ([Int]) -> Int?) -> Figure? {
            let operands = places.map { figures[$0] }
            if operands.contains(.hidden) || operands.contains(.notComparable) { return .hidden }
            let numbers = operands.compactMap { $0?.whole }
            guard numbers.count == places.count, let whole = compute(numbers) else { return Figure.none }
            let coverage = operands.reduce(FigureCoverage.all) { $0.union($1?.coverage ?? .all) }
            return .value(whole, column.unit, coverage)
        }
        switch column.derivation {
        case .given: return nil
        case .costPer(let cost, let count): return figure([cost, count]) { HalfUp.quotient($0[0], by: $0[1]) }
        case .costPerMile(let cost, let miles):
            return figure([cost, miles]) { HalfUp.quotient($0[0], times: 100, by: $0[1]) }
        case .difference(let a, let b): return figure([a, b]) { $0[0] - $0[1] }
        // The volume of a total is not the sum of the lines' volumes: it has no total that adds up.
        case .volume: return nil
        case .sum(let places): return figure(Array(places)) { $0.reduce(0, +) }
        }
    }

    /// The formula of a figure of its row; nil unless all it is made of is shown and it comes to exactly the figure.
    func formula(_ place: Int, _ figures: [Figure?], row: Int) -> String? {
        guard let expected = figures[place]?.whole else { return nil }
        let cell = { SheetLayout.cellName(row: row, column: keyTitles.count + $0) }
        func whole(_ place: Int) -> Int? { figures[place]?.whole }
        switch columns[place].derivation {
        case .given: return nil
        case .costPer(let cost, let count):
            guard let top = whole(cost), let under = whole(count), HalfUp.quotient(top, by: under) == expected else {
                return nil
            }
            return "=ROUND(ROUND(100*\(cell(cost)),0)/\(cell(count)),0)/100"
        case .costPerMile(let cost, let miles):
            guard let top = whole(cost), let under = whole(miles),
                HalfUp.quotient(top, times: 100, by: under) == expected
            else { return nil }
            return "=ROUND(100*ROUND(100*\(cell(cost)),0)/ROUND(100*\(cell(miles)),0),0)/100"
        case .difference(let a, let b):
            guard let first = whole(a), let second = whole(b), first - second == expected else { return nil }
            return "=ROUND(\(cell(a))-\(cell(b)),2)"
        case .volume(let before, let after, let costBefore, let costAfter):
            let operands = [before, after, costBefore, costAfter]
            guard operands.allSatisfy({ whole($0) != nil }) else { return nil }
            let (old, new) = (cell(before), cell(after))
            return "=IF(\(old)=0,ROUND(\(cell(costAfter))-\(cell(costBefore)),2),"
                + "ROUND((\(new)-\(old))*ROUND(100*\(cell(costBefore)),0)/\(old),0)/100)"
        case .sum(let places):
            let numbers = places.compactMap { place in figures[place] == Figure.none ? 0 : whole(place) }
            guard numbers.count == places.count, numbers.reduce(0, +) == expected else { return nil }
            return "=ROUND(SUM(\(cell(places.lowerBound)):\(cell(places.upperBound))),2)"
        }
    }

    /// The formula of a total that is a sum of shown figures.
    func totalFormula(_ place: Int, _ total: Figure, rows: Range<Int>) -> String? {
        guard columns[place].isSummed, case .value(let expected, let unit, _) = total, !lines.isEmpty else {
            return nil
        }
        var sum = 0
        for line in lines where isSummed(line) {
            guard let figure = line.figures[place], figure != .none else { continue }
            guard let whole = figure.whole else { return nil }
            sum += whole
        }
        guard sum == expected else { return nil }
        let range = SheetLayout.rangeName(rows: rows, column: keyTitles.count + place)
        let expression: String
        switch summing {
        case .all: expression = "SUBTOTAL(109,\(range))"
        case .lines(let key, let text):
            expression = "SUMIFS(\(range),\(SheetLayout.rangeName(rows: rows, column: key)),\"\(text)\")"
        case .none: return nil
        }
        return unit == .count ? "=\(expression)" : "=ROUND(\(expression),2)"
    }
}
