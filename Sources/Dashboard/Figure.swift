import KPIContract

/// A figure of a cell as the page shows it.
enum Figure: Hashable {
    /// In the format's smallest unit, and of which trips of the cell.
    case shown(Int, FigureCoverage)
    /// Withheld by disclosure control; never 0.
    case hidden
    /// There is nothing to compute it from.
    case none

    init(_ kpi: KPIDescription, of cell: KPISummaryV1.Cell) {
        let coverage = kpi.coverage(cell)
        self = kpi.figure(cell).map { .shown($0, coverage) } ?? (kpi.isNone(cell) ? .none : .hidden)
    }

    var value: Int? { if case .shown(let value, _) = self { value } else { nil } }

    /// Of a figure that is not shown there is nothing to say.
    var coverage: FigureCoverage { if case .shown(_, let coverage) = self { coverage } else { .all } }

    /// Whether both are shown, and of the same kind of trips.
    func isComparable(with other: Figure) -> Bool {
        value != nil && other.value != nil && coverage.isComparable(with: other.coverage)
    }

    func text(_ format: KPIDescription.Format) -> String {
        switch self {
        case .shown(let value, _): format.shown(value)
        case .hidden: "hidden"
        case .none: "none"
        }
    }

    /// With its mark, where only text can stand.
    func marked(_ format: KPIDescription.Format) -> String { text(format) + coverage.mark }

    /// The class of a table's cell.
    var mark: String {
        switch self {
        case .shown: "num"
        case .hidden: "num is-hidden"
        case .none: "num is-none"
        }
    }
}

/// The summary's cells by what they are of.
struct CellIndex {
    static let all = "All"

    struct Place: Hashable {
        var month = all
        var region = all
        var tripType = all
    }

    private let cells: [Place: KPISummaryV1.Cell]
    /// Months left out of everything.
    private let withheld: Set<String>
    /// Every calendar month from the first to the last that is shown or withheld.
    let months: [String]
    /// Those that have cells, ascending.
    let monthsWithCells: [String]
    /// The last month that has cells.
    let latest: String?

    init(_ summary: KPISummaryV1) {
        let pairs = summary.cells.map { (Place(month: $0.month, region: $0.region, tripType: $0.tripType), $0) }
        cells = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        withheld = Set(summary.withheldMonths)
        monthsWithCells = Set(summary.cells.map(\.month)).subtracting([Self.all]).sorted()
        latest = monthsWithCells.last
        months = Self.calendar(Set(monthsWithCells).union(withheld))
    }

    func figure(_ kpi: KPIDescription, at place: Place) -> Figure {
        guard let cell = cells[place] else { return withheld.contains(place.month) ? .hidden : .none }
        return Figure(kpi, of: cell)
    }

    private static func calendar(_ names: Set<String>) -> [String] {
        let counts = names.compactMap(count).sorted()
        guard let first = counts.first, let last = counts.last else { return [] }
        return (first...last).map(name)
    }

    /// Months since year 0; nil if it is no `YYYY-MM`.
    static func count(_ month: String) -> Int? {
        let parts = month.split(separator: "-").map { Int($0) }
        guard parts.count == 2, let year = parts[0], let month = parts[1] else { return nil }
        return year * 12 + month - 1
    }

    static func name(_ count: Int) -> String {
        let month = count % 12 + 1
        return "\(count / 12)-\(month < 10 ? "0" : "")\(month)"
    }
}
