import KPIContract
import Reports

/// A cell of a table before it is laid out.
enum SheetCell: Hashable {
    case text(String)
    /// A month that is not compared: the cell has its name, and shows why.
    case month(String, remark: String)
    case verdict(ControlVerdict)
    case value(ShownValue)
    /// The name of a sheet, which leads to it.
    case link(String)
    case blank

    var value: ShownValue? { if case .value(let value) = self { value } else { nil } }
    var text: String {
        switch self {
        case .text(let text), .month(let text, _): text
        case .verdict(let verdict): verdict.words
        case .value, .link, .blank: ""
        }
    }

    /// Nil: the text as it is.
    var format: String? { if case .month(_, let remark) = self { "@\" (\(remark))\"" } else { nil } }

    /// Texts, and the values after them.
    package static func line(_ keys: [String], _ values: [ShownValue]) -> [SheetCell] {
        keys.map { SheetCell.text($0) } + values.map { SheetCell.value($0) }
    }
}
