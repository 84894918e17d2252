import KPIContract
import Reports

extension SheetLayout {
    /// A value, or the formula that reproduces it.
    ///
    /// - Parameter isRounded: whether the number says that it is rounded.
    mutating func put(
        _ value: ShownValue, _ role: CellStyle.Role, isRounded: Bool = false, row: Int, column: Int,
        formula: String? = nil
    ) {
        if case .number(_, let unit, let coverage) = value, let number = value.cellNumber {
            let style = CellStyle(role, format: unit.cellFormat(mark: coverage.mark, isRounded: isRounded))
            place(formula.map { .formula($0, result: number) } ?? .number(number), style, row: row, column: column)
        } else {
            let style = CellStyle(role, absence: value == .hidden ? .hidden : .notApplicable)
            place(.text(value.word ?? ""), style, row: row, column: column)
        }
        widen(column, to: value.displayWidth + (isRounded ? ValueUnit.roundedSign.count : 0) + 2)
    }
}

extension ValueUnit {
    /// Before a number that is rounded.
    static let roundedSign = "≈ "

    /// Whether a release rounds such numbers: those of percentiles, which alone are in whole seconds.
    var isRoundedInRelease: Bool { self == .seconds }

    /// As a sheet stores it (US separators), with a mark after each of its sections. The cell has the number itself.
    func cellFormat(mark: String = "", isRounded: Bool = false) -> String {
        let format =
            switch self {
            case .count: "#,##0"
            case .cents: "$#,##0.00"
            case .tenthsOfMiles: "#,##0.0"
            case .hundredthsOfMiles: "#,##0.00"
            case .date: "yyyy-mm-dd"
            case .percent: "0%"
            case .share: "0.00%"
            case .tenthsOfPercent: "0.0%"
            case .change: "+0.00%;-0.00%;0.00%"
            case .seconds, .tenthsOfSeconds: "[h]:mm:ss"
            }
        guard !mark.isEmpty || isRounded else { return format }
        return format.split(separator: ";").map { section in
            (isRounded ? "\"\(Self.roundedSign)\"" : "") + section + (mark.isEmpty ? "" : "\"\(mark)\"")
        }.joined(separator: ";")
    }
}
