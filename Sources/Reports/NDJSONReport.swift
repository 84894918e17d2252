import KPIContract

/// One JSON object a line and a line a cell: `release`, then the cell as in the contract, then `patients` as text
/// (`7`, `11+`), null where hidden or not known.
package struct NDJSONReport: Sendable {
    package init() {}

    /// UTF-8, each line ended.
    package func bytes(_ report: SummaryReport) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, cell) in report.summary.cells.enumerated() {
            let members =
                [CanonicalJSON.Member("release", .text(report.stamp))] + cell.canonicalMembers
                + [CanonicalJSON.Member("patients", .text(orNull: report.patientsText(at: index)))]
            bytes.append(contentsOf: CanonicalJSON.object(members).line)
        }
        return bytes
    }
}
