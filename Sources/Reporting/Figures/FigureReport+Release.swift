import Basics
import KPIContract
package import Operations
package import OutputScan
import Reports

extension FigureReport {
    /// What the report may say: its own dates, and names that the settings made public.
    package func scanTerms(_ identifiers: IdentifierSet?) -> OutputScan.Criteria {
        let summary = report.summary
        var days = [summary.generatedAt] + (summary.quality.missingDays ?? [])
        days += [summary.dataThrough, summary.quality.freshness.newestTrip].compactMap { $0 }
        days += (summary.restatements ?? []).map(\.restatedAt)
        let names =
            summary.filters.regions + summary.filters.tripTypes
            + (summary.events?.counts ?? []).flatMap { [$0.region, $0.kind] } + [
                summary.rules.name, summary.rules.version, summary.dateBasis, summary.runId, summary.privacy.statement,
            ]
        return OutputScan.Criteria(
            ownDays: Set(days.compactMap { CivilDay($0.prefix(10)) }), publicTexts: names, identifiers: identifiers)
    }

    /// Adds to an entry of the audit log what it tells of a report.
    package func describe(in entry: inout AuditEntry) {
        let quality = report.summary.quality
        entry.runID = report.summary.runId
        entry.minimumCell = report.summary.privacy.minimumCell
        entry.suppressedCells = suppressedCells
        // Not all of the equation is told to the outside; what is, is written down.
        let counts: [(name: String, value: Int?)] = [
            ("read", quality.read), ("added", quality.added), ("updated", quality.updated),
            ("unchanged", quality.unchanged), ("superseded", quality.superseded), ("merged", quality.merged),
            ("skipped", quality.skipped),
            ("rejected", quality.rejected),
        ]
        entry.counts = counts.compactMap { count in count.value.map { (count.name, $0) } }
        entry.auditResult = report.summary.privacy.auditPassed.map { $0 ? "passed" : "failed" } ?? "not made"
    }
}
