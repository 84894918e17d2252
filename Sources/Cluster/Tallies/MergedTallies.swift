package import KPIContract
package import KPIs
package import Reporting

/// Tallies of several files together.
package struct MergedTallies: Sendable {
    /// As one scan of all their exports.
    package var result: TrueFigures
    /// Of all months, whatever the settings leave out of the figures.
    package let everyMonth: KPITally
    package let summary: TallySummary

    package var rules: KPISummaryV1.RuleSetStamp {
        KPISummaryV1.RuleSetStamp(name: summary.rulesName, version: summary.rulesVersion)
    }
}
