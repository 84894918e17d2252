import KPIContract
import Mustache

/// A figure in a table.
struct TableFigure: MustacheParent {
    let mark: String
    let text: String
    /// Where trips are left out: a sign after the figure and its words for a screen reader.
    let sign: String?
    let words: String?

    /// - Parameter isRounded: the text begins with `≈`.
    init(_ figure: CellFigure, _ format: FigureFormat, isRounded: Bool = false) {
        mark = figure.mark
        let isShownRounded = isRounded && figure.value != nil
        text = (isShownRounded ? KPIDescription.roundedSign : "") + figure.text(format)
        words = figure.coverage.words
        sign = words == nil ? nil : figure.coverage.mark
    }

    // By name, and never nil: what is not here would be looked for in the row and the page, field by field.
    func child(named name: String) -> Any? {
        switch name {
        case "mark": mark
        case "text": text
        case "sign": sign.map { $0 as Any } ?? false
        case "words": words.map { $0 as Any } ?? false
        default: nil
        }
    }
}
