import Basics
import KPIContract
import Privacy
import Reporting
import Reports
import Workbooks

/// The summary that a cost workbook is made from: all months of the selected regions, and the totals beside it.
struct CostSummary {
    let report: FigureReport
    var context = CostContext()

    init(_ report: FigureReport) {
        self.report = report
    }

    /// - Parameters:
    ///   - published: the report of everything; nil: the summary is.
    ///   - selected: the report of the period; nil: all months.
    mutating func setTotals(
        published: (() throws -> FigureReport)?, selected: (() throws -> FigureReport)?
    ) throws {
        let everything = CellKey()
        if let published {
            context.published = try published().report.summary.cell(at: everything)
            context.regions = report.report.summary.filters.regions
        }
        guard let selected else { return }
        do {
            context.selected = try selected().report.summary.cell(at: everything)
        } catch DisclosureError.nothingToRelease {
            // No cell of the period may be shown: it has no total. A period without a released month ends with an error.
        }
    }
}
