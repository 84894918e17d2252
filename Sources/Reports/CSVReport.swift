import KPIContract

/// `kpi-cells.csv`: RFC 4180, a header and a row a cell, always the same columns.
///
/// A hidden value is an empty field, with the flag columns set; a mean over none is empty too, beside a count of 0. The
/// first column says on each row whether the row may be released: a comment line above the header would break readers.
package struct CSVReport: Sendable {
    package static let columns =
        ["release", "month", "region", "trip_type", "suppressed", "sourcing_suppressed"]
        + KPICatalog.all.map(\.column) + ["patients"]

    package init() {}

    /// UTF-8 without a byte order mark, lines ended with CR LF.
    package func bytes(_ report: SummaryReport) -> [UInt8] {
        var bytes: [UInt8] = []
        CSVText.append(Self.columns, to: &bytes)
        for (index, cell) in report.summary.cells.enumerated() {
            let names = [report.release, cell.month, cell.region, cell.tripType].map(CSVText.harmless)
            let flags = [cell.suppressed, cell.sourcingSuppressed].map(String.init)
            let figures = KPICatalog.all.map { $0.text(cell) ?? "" }
            CSVText.append(names + flags + figures + [report.patientsText(at: index) ?? ""], to: &bytes)
        }
        return bytes
    }
}
