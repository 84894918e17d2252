import Basics
import KPIContract
import Reports

/// A table of a sheet, described as data. `SheetLayout.add` writes it, in both styles of a workbook.
///
/// Columns are named by their titles, which differ within a table. A formula replaces a number only where it gives
/// exactly that number from others that are shown.
struct SheetTable {
    struct Column {
        var title: String
        /// Of the numbers, where they are of one; nil: the column holds text.
        var unit: ValueUnit?
        /// Whether its total is its sum; else the total follows as the values do, or there is none.
        var isSummed = false
        /// Of its total, where that is rounded: exact miles add up to the total that other outputs show.
        var totalUnit: ValueUnit?
        var derivation: Derivation?
        /// The note that belongs to it, in the accessible style.
        var note: (any SheetNote)?
        var role = CellStyle.Role.body
        /// In characters; nil: as wide as what it holds.
        var width: Int?
        /// Whether its text makes it wider.
        var isSized = true
        /// The text wraps after so many characters. Not every reader fits heights to wrapped text, so the height is set.
        var charactersPerLine: Int?
    }

    /// Which lines the totals add up. They are above the header, so that nothing is below the table.
    enum Totals {
        /// No row of totals.
        case none
        /// An empty row.
        case blank
        /// All lines; the totals follow the filter.
        case filtered
        /// The lines with this text in this column: the others are parts of them.
        case lines(column: String, text: String)
        /// The lines without the word All; the totals themselves are published ones.
        case published
    }

    /// ASCII, unique in the workbook; nil: cells without a marked-up table.
    var name: String?
    var columns: [Column]
    /// A cell for each column.
    var lines: [[SheetCell]]
    var totals = Totals.none
    var totalTitle = "Total"
    /// Totals that are known, where they cannot be added up from what is shown: of the columns of numbers, from the left.
    var knownTotals: [ShownValue] = []
    /// Cells that formulas anywhere may name, by the column whose total they are.
    var totalNames: [String: String] = [:]
    var emptyText: String?
    /// How many of the first lines are printed; nil: all. The sheet has the others too.
    var printedLines: Int?
    var hasHeader = true
    var headerHeight: Double?
    /// Whether the header stays in view and is repeated on each printed page.
    var isHeaderFrozen = true
    var frozenColumns = 0
    /// Whether lines have the formulas of their columns; else only the totals.
    var hasLineFormulas = true
    /// A formula for a line and column, given the row of the first line.
    var formula: ((_ line: Int, _ column: Int, _ firstRow: Int) -> String?)?
    /// The order in which the cells of a line are written; nil: from left to right.
    var columnOrder: [Int]?

    /// Whether it is of a release: then numbers that the release rounds say so.
    var isOfRelease = false

    func isRounded(_ value: ShownValue) -> Bool {
        guard isOfRelease, case .number(_, let unit, _) = value else { return false }
        return unit.isRoundedInRelease
    }

    /// Columns by their titles.
    var places: [String: Int] {
        Dictionary(columns.enumerated().map { ($0.element.title, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    var hasTotals: Bool {
        switch totals {
        case .none, .blank: false
        case .filtered, .lines, .published: true
        }
    }

    private func isSummed(_ line: [SheetCell]) -> Bool {
        switch totals {
        case .none, .blank: false
        case .filtered: true
        case .lines(let column, let text): places[column].map { line[$0] } == .text(text)
        case .published: !line.contains(.text(CellKey.all))
        }
    }

    /// The row of totals: blank where a text is, or where a total is not known.
    func totalLine() -> [SheetCell] {
        var values = knownTotals.makeIterator()
        let known = columns.map { $0.unit == nil ? nil : values.next() }
        if case .published = totals {
            return columns.indices.map { columns[$0].unit == nil ? .blank : .value(known[$0] ?? .notApplicable) }
        }
        let summed = lines.filter(isSummed)
        var line = columns.indices.map { column -> SheetCell in
            guard let unit = columns[column].unit else { return .blank }
            if let value = known[column], value != .hidden { return .value(value) }
            return columns[column].isSummed ? .value(sum(of: column, unit, over: summed)) : .blank
        }
        for (column, cell) in line.enumerated() where cell == .blank {
            guard let derivation = columns[column].derivation, let unit = columns[column].unit else { continue }
            line[column] = .value(derivation.value(unit, from: operands(of: derivation, in: line)))
        }
        return line
    }

    private func sum(of column: Int, _ unit: ValueUnit, over lines: [[SheetCell]]) -> ShownValue {
        let sum = ShownValue.sum(lines.compactMap { $0[column].value }, unit)
        guard columns[column].totalUnit == .tenthsOfMiles, case .number(let hundredths, _, let coverage) = sum else {
            return sum
        }
        return .number(HalfUp.quotient(hundredths, by: 10) ?? 0, .tenthsOfMiles, coverage)
    }

    /// What the lines for which `isCounted` holds add up to in columns of one unit; nil where there is no number.
    func total(of titles: [String], where isCounted: ([SheetCell]) -> Bool = { _ in true }) -> Int? {
        let places = places
        let columns = titles.compactMap { places[$0] }
        let wholes = lines.filter(isCounted).flatMap { line in columns.compactMap { line[$0].value?.whole } }
        return wholes.isEmpty ? nil : wholes.reduce(0, +)
    }

    private func operands(of derivation: Derivation, in line: [SheetCell]) -> [ShownValue?] {
        let places = places
        return derivation.operands.map { title in places[title].flatMap { line[$0].value } }
    }

    /// The formula of a value from others of its line; nil unless they are shown and give exactly the value.
    func formula(of column: Int, in line: [SheetCell], row: Int, places: [String: Int]) -> String? {
        guard let derivation = columns[column].derivation, let expected = line[column].value?.whole else { return nil }
        var names: [String] = [], wholes: [Int] = []
        for title in derivation.operands {
            guard let place = places[title], let value = line[place].value else { return nil }
            guard let whole = value.whole ?? (derivation.isNoneZero && value.isNone ? 0 : nil) else { return nil }
            names.append(SheetLayout.cellName(row: row, column: place))
            wholes.append(whole)
        }
        return derivation.compute(wholes) == expected ? derivation.formula(names) : nil
    }

    /// The formula of a total that is a sum; nil unless all it adds up is shown and gives exactly the total.
    func sumFormula(of column: Int, _ total: ShownValue, rows: Range<Int>) -> String? {
        let summed = lines.filter(isSummed)
        guard columns[column].isSummed, case .number(let expected, let unit, _) = total, !summed.isEmpty,
            case .number(expected, _, _) = sum(of: column, unit, over: summed)
        else { return nil }
        let range = { (column: Int) in SheetLayout.rangeName(rows: rows, column: column) }
        var digits = 2
        var expression: String
        switch totals {
        case .none, .blank: return nil
        case .filtered: expression = "SUBTOTAL(109,\(range(column)))"
        case .lines(let title, let text):
            expression = "SUMIFS(\(range(column)),\(range(places[title] ?? 0)),\"\(text)\")"
        case .published:
            if unit == .tenthsOfMiles { digits = 1 }
            // Lines that are themselves sums are in the table, too: only those of single keys count.
            let conditions = columns.indices.filter { columns[$0].unit == nil }.map {
                range($0) + ",\"<>\(CellKey.all)\""
            }
            expression =
                summed.count == lines.count
                ? "SUM(\(range(column)))" : "SUMIFS(\(range(column)),\(conditions.joined(separator: ",")))"
        }
        if columns[column].totalUnit == .tenthsOfMiles {
            // A sum of fractions is off by a trace, which decides where a half is rounded.
            expression = "ROUND(\(expression),2)"
            digits = 1
        }
        return unit == .count ? "=\(expression)" : "=ROUND(\(expression),\(digits))"
    }
}

extension SheetTable.Column {
    static func texts(_ titles: [String]) -> [SheetTable.Column] { titles.map { SheetTable.Column(title: $0) } }

    /// A measure of `KPICatalog`. Ratios of measures that the table shows are formulas.
    ///
    /// - Parameter title: the titles of the table.
    static func kpi(_ kpi: KPIDescription, title: (Measure) -> String = { $0.kpi.title }) -> SheetTable.Column {
        let derivation: Derivation? =
            switch kpi.measure {
            case .inHouseShare: .share(of: title(.inHouse), and: title(.contracted))
            case .costPerTrip: .cost(title(.totalCost), per: title(.costedTrips))
            default: nil
            }
        return SheetTable.Column(
            title: title(kpi.measure), unit: ValueUnit(kpi.shownFormat), isSummed: kpi.none == .never,
            derivation: derivation)
    }
}

extension ControlVerdict {
    /// A signal is bold; where one direction is better, it has the colour of that.
    var role: CellStyle.Role {
        switch self {
        case .better: .better
        case .worse: .worse
        case .higher, .lower: .label
        case .usual: .body
        }
    }
}
