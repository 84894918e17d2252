package import Basics
import KPIContract
import KPIs
package import Privacy
import Reports
package import Settings

/// What `report --explain` says: why a cell of the release is not shown or not whole, and what would show it.
///
/// It is made from the audited report of everything, so that no selection can say more.
package struct ReleasedCellExplanation: Sendable {
    private let report: CellExplanationReport

    package var lines: [String] { report.lines }
    package var json: [UInt8] { report.json }

    /// Of exports, which are a release of their own.
    ///
    /// - Parameter result: without a selection.
    package init(
        _ result: TrueFigures, of cell: CellRequest, disclosure: DisclosureSettings, audience: Audience,
        generatedAt: UTCTime
    ) throws {
        try self.init(
            result, cell, months: result.tally.monthsMet, minimumCell: disclosure.minimumCell, today: nil
        ) { () throws(DisclosureError) in
            try FigureReport(
                result, rules: .init(name: "", version: ""), runID: "explain", disclosure: disclosure,
                audience: audience, generatedAt: generatedAt)
        }
    }

    package init(
        _ result: TrueFigures, _ cell: CellRequest, months: [Month], minimumCell: Int, today: CivilDay?,
        _ report: () throws(DisclosureError) -> FigureReport
    ) throws {
        let context = result.context
        func scope(_ months: [Month]) throws(SelectionError) -> CellScope {
            try cell.scope(regions: context.regions, tripTypes: context.tripTypes, months: months)
        }
        let explanation: CellExplanation
        do {
            let report = try report()
            let known = (report.publishable.months + report.publishable.withheldMonths).sorted()
            explanation = CellExplanation(
                of: try scope(known), in: report.publishable, report.report.summary, on: today)
        } catch DisclosureError.nothingReleasedYet, DisclosureError.nothingToRelease {
            explanation = CellExplanation(
                ofNothing: try scope(months), regions: context.regions, tripTypes: context.tripTypes,
                minimumCell: minimumCell, on: today)
        }
        self.report = CellExplanationReport(explanation)
    }
}
