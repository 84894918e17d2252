import KPIContract

/// `kpi-summary.json`: the dashboard contract. An internal one says so first thing in `privacy.statement`.
package struct JSONReport: Sendable {
    package init() {}

    /// UTF-8, newline at the end.
    package func bytes(_ report: SummaryReport) -> [UInt8] {
        report.summary.canonicalJSON()
    }
}
