/// How a cell looks: its part in the sheet and, for numbers, their unit.
struct CellStyle: Hashable {
    enum Role: Hashable {
        case title, notice, stamp, note, heading, header, numberHeader, label, body, wrapped, total, figure, figureLabel
        /// Of the accessible workbook: no fill, no colour.
        case plainTitle, plainHeader, plainNumberHeader, plain, plainFigure
        /// A number or date among texts: at the left.
        case day
        /// Text that leads to a sheet.
        case link
        /// Only in conditional formats.
        case rise, fall
    }

    /// What replaces a number that is not shown.
    enum Absence: Hashable {
        case hidden, none
    }

    var role: Role
    var unit: Figure.Unit?
    /// Stands after the number, which stays one.
    var mark = ""
    var absence: Absence?

    init(_ role: Role, unit: Figure.Unit? = nil, absence: Absence? = nil) {
        self.role = role
        self.unit = unit
        self.absence = absence
    }
}

/// What a cell holds.
enum CellContent: Hashable {
    case text(String)
    case number(Double)
    /// The name of a sheet of this workbook, which it leads to.
    case sheetLink(String)
    /// A formula of ours and the published figure it reproduces, cached for readers that do not calculate.
    case formula(String, result: Double)
}
