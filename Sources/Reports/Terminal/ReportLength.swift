/// How much of a report is written as text.
package enum ReportLength: Sendable {
    /// At most `BriefReport.lines` lines.
    case brief
    /// At most `ScreenReport.lines` lines.
    case screen
    /// All tables.
    case long
}
