package import KPIContract

/// `kpi-cells.csv`: RFC 4180, a header and a row a cell, always the same columns.
///
/// A value that is not shown is an empty field, with the flag columns set; a mean over none is empty too, beside a count
/// of 0. The first column says on each row for whom it is: a comment line above the header would break readers.
package struct CSVReport: Sendable {
    package static let columns =
        [
            "release", "month", "region", "trip_type", "suppressed", "complete", "revision_pending",
            "sourcing_suppressed", "sourcing_basis", "incomplete_measures",
        ]
        + KPICatalog.all.map(\.column) + ["patients"]

    package init() {}

    /// UTF-8 without a byte order mark, lines ended with CR LF.
    package func bytes(_ report: SummaryReport) -> [UInt8] {
        var bytes: [UInt8] = []
        CSVText.append(Self.columns, to: &bytes)
        for (index, cell) in report.summary.cells.enumerated() {
            let names = [report.stamp, cell.month, cell.region, cell.tripType].map(CSVText.harmless)
            let flags = Self.flags(of: cell)
            let figures = KPICatalog.all.map { $0.text(cell) ?? "" }
            CSVText.append(names + flags + figures + [report.patientsText(at: index) ?? ""], to: &bytes)
        }
        return bytes
    }

    /// The fields between a cell's names and its figures.
    package static func flags(of cell: KPISummaryV1.Cell) -> [String] {
        [
            "\(cell.suppressed)", "\(cell.complete ?? !cell.suppressed)", "\(cell.revisionPending ?? false)",
            "\(cell.sourcingSuppressed)", cell.sourcingBasis ?? "classified",
            (cell.incompleteMeasures ?? []).joined(separator: " "),
        ]
    }
}
