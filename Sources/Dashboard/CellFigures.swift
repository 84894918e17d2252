import Basics
import KPIContract

/// A figure of a cell as the page shows it, and which trips of the cell it is from.
struct CellFigure: Hashable {
    let published: PublishedValue<Int>
    /// A figure that is not shown has no coverage to state.
    let coverage: FigureCoverage

    static let suppressed = CellFigure(published: .suppressed, coverage: .all)
    static let undefined = CellFigure(published: .undefined, coverage: .all)

    init(published: PublishedValue<Int>, coverage: FigureCoverage) {
        self.published = published
        self.coverage = published.value == nil ? .all : coverage
    }

    /// In the smallest unit of `KPIDescription.shownFormat`.
    var value: Int? { published.value }

    /// Whether both are shown, and of the same kind of trips.
    func isComparable(with other: CellFigure) -> Bool {
        value != nil && other.value != nil && coverage.isComparable(with: other.coverage)
    }

    func text(_ format: FigureFormat) -> String {
        switch published {
        case .value(let value): format.shown(value)
        case .suppressed: "hidden"
        case .undefined: "none"
        }
    }

    /// With its mark, where only text can stand.
    func marked(_ format: FigureFormat) -> String { text(format) + coverage.mark }

    /// The class of a table's cell.
    var mark: String {
        switch published {
        case .value: "num"
        case .suppressed: "num is-hidden"
        case .undefined: "num is-none"
        }
    }
}

/// The figures of a summary's cells.
struct CellFigures {
    private let cells: [CellKey: KPISummaryV1.Cell]
    /// Months that lack days.
    private let partial: Set<String>
    /// Months left out of everything.
    private let withheld: Set<String>
    /// Every calendar month from the first to the last that is shown or withheld.
    let months: [String]
    /// Those that have cells, ascending.
    let monthsWithCells: [String]

    init(_ summary: KPISummaryV1) {
        cells = Dictionary(summary.cells.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        withheld = Set(summary.withheldMonths)
        partial = Set(summary.partialMonths ?? [])
        monthsWithCells = Set(summary.cells.map(\.month)).subtracting([CellKey.all]).sorted()
        let known = Set(monthsWithCells).union(withheld).compactMap { Month($0) }
        if let first = known.min(), let last = known.max() {
            months = (first.index...last.index).map { Month(index: $0).description }
        } else {
            months = []
        }
    }

    /// Of a month that lacks days there is none to compare with.
    func comparableCell(at key: CellKey) -> KPISummaryV1.Cell? { isPartial(key.month) ? nil : cells[key] }

    func isPartial(_ month: String) -> Bool { partial.contains(month) }

    func figure(_ kpi: KPIDescription, at key: CellKey) -> CellFigure {
        guard let cell = cells[key] else { return withheld.contains(key.month) ? .suppressed : .undefined }
        guard !kpi.isUnknownCost(cell) else { return .undefined }
        let shown = kpi.shownFigure(cell).map(PublishedValue.value)
        return CellFigure(published: shown ?? kpi.published(cell), coverage: kpi.coverage(cell))
    }
}
