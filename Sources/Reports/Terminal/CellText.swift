import KPIContract

/// A measure of a cell as text. Its mark stands elsewhere: in the margin of the row.
struct CellText: Sendable, Hashable {
    static let hidden = "•"
    static let none = "–"

    var text: String
    /// Whether the figure leaves out trips of its cell.
    var isIncomplete = false

    static let notShown = CellText(text: hidden)
    static let noValue = CellText(text: none)

    /// Whether there is a figure.
    var isFigure: Bool { text != Self.hidden && text != Self.none && !text.isEmpty }
}

extension CellText {
    /// - Parameter cell: nil: the month is withheld.
    init(_ kpi: KPIDescription, of cell: KPISummaryV1.Cell?) {
        guard let cell else {
            self = .notShown
            return
        }
        self =
            switch ShownValue(kpi, of: cell) {
            case .number(let whole, _, let coverage):
                CellText(text: kpi.shownFormat.shown(whole), isIncomplete: coverage.isIncomplete)
            case .hidden: .notShown
            case .notApplicable, .notComparable, .costUnknown: .noValue
            }
    }
}
