internal import Trips

/// Figures by column name, and the row they stand in: what a ratio's formula is made of.
struct FigureRow {
    let row: Int
    let columns: [String: Int]
    let figures: [String: Figure]

    /// A column's place and its number, where it is shown.
    func operand(_ name: String) -> (name: String, whole: Int)? {
        guard let column = columns[name], let whole = figures[name]?.whole else { return nil }
        return (SheetLayout.cellName(row: row, column: column), whole)
    }
}

extension KPIColumn {
    /// The formula of a ratio within its row; nil unless it gives exactly the published figure.
    func rowFormula(for published: Figure, in row: FigureRow) -> String? {
        switch total {
        case .percent(let part, let other):
            guard let part = row.operand(part), let other = row.operand(other),
                HalfUp.quotient(part.whole, times: 100, by: part.whole + other.whole) == published.whole
            else { return nil }
            return "=ROUND(100*\(part.name)/(\(part.name)+\(other.name)),0)/100"
        case .costPer(let cost, let count):
            guard let cost = row.operand(cost), let count = row.operand(count),
                HalfUp.quotient(cost.whole, by: count.whole) == published.whole
            else { return nil }
            return "=ROUND(ROUND(100*\(cost.name),0)/\(count.name),0)/100"
        case .sum, .published:
            return nil
        }
    }

    /// The formula of a sum (given as an expression) over rows of figures; nil unless all are shown and it gives
    /// exactly the published figure.
    static func sumFormula(for published: Figure, over figures: [Figure], as sum: String) -> String? {
        guard case .value(let expected, let unit, _) = published, !figures.isEmpty else { return nil }
        var computed = 0
        for figure in figures {
            guard let whole = figure.whole else { return nil }
            computed += whole
        }
        guard computed == expected else { return nil }
        switch unit {
        case .cents: return "=ROUND(\(sum),2)"
        case .tenthsOfMiles: return "=ROUND(\(sum),1)"
        default: return "=\(sum)"
        }
    }
}
