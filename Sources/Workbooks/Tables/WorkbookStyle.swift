/// The form of a workbook.
package enum WorkbookStyle: Sendable {
    /// For the eye: colours, filters, frozen panes, charts, formulas.
    case standard
    /// For readers who hear it: one marked-up table a sheet, and nothing that a screen reader stumbles over (the checklist
    /// for accessible spreadsheets of the UK Analysis Function).
    case accessible
}
