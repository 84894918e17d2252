import KPIContract

/// The keys of `kpi-summary.json` that the auditor knows what to make of. Any other key is a finding, so a key that is
/// added to the contract stays out of the release until the auditor can check it. A measure that is added to `KPICatalog`
/// may be there as null.
final class SummaryKeys: Sendable {
    /// Nil: any key is allowed here; its value is checked elsewhere.
    private let members: [String: SummaryKeys]?

    private init(_ members: [String: SummaryKeys]?) { self.members = members }

    /// Whether the auditor knows every key of a value.
    func areAll(in value: CanonicalJSON) -> Bool {
        switch value {
        case .list(let elements): return elements.allSatisfy(areAll)
        case .object(let inner):
            guard let members else { return true }
            return inner.allSatisfy { member in
                if case .absent = member.value { return true }
                return members[member.name]?.areAll(in: member.value) ?? false
            }
        case .null, .bool, .number, .text, .absent: return true
        }
    }

    /// Keys of the contract that a document lacks, each once.
    static func missing(in value: CanonicalJSON) -> Set<String> {
        switch value {
        case .list(let elements): elements.reduce(into: []) { $0.formUnion(missing(in: $1)) }
        case .object(let members):
            members.reduce(into: []) { names, member in
                if case .absent = member.value {
                    if !optional.contains(member.name) { names.insert(member.name) }
                } else {
                    names.formUnion(missing(in: member.value))
                }
            }
        case .null, .bool, .number, .text, .absent: []
        }
    }

    /// Keys that a release has only where there is something to state.
    private static let optional: Set<String> = [
        "restatements", "events", "targets", "intervalEvents", "missingCounts", "exports", "missingDayCount",
        "missingDays", "selection", "partialMonths", "merged",
    ]

    private static let leaf = SummaryKeys([:])

    private static func keys(_ names: String, _ inner: [String: SummaryKeys] = [:]) -> SummaryKeys {
        let leaves = names.split(separator: " ").map { (String($0), leaf) }
        return SummaryKeys(inner.merging(leaves, uniquingKeysWith: { first, _ in first }))
    }

    static let document = keys(
        "contractVersion audience generatedAt runId dataThrough monthEvent dateBasis selection totalTrips avgDuration "
            + "inHousePercent cost chartData months withheldMonths partialMonths withheldHeadlines",
        [
            "kpiCards": keys(
                "id title value subtitle accessibilityLabel trend isBetter totalTrips avgDuration chartData"),
            "filters": keys("months regions tripTypes"),
            "cells": cell,
            "mergedGroups": keys("month regions tripTypes trips"),
            "events": keys("months", ["counts": keys("month region kind events evacuations")]),
            "comparisons": keys(
                "month region tripType trips previousMonthTrips previousYearTrips monthOverMonth yearOverYear "
                    + "rolling12Trips rolling12Cost fiscalYear fiscalYearToDateTrips fiscalYearToDateCost"),
            "controlCharts": keys(
                "measure region tripType lastMonth monthCount monthsLeftOut mean lowerLimit upperLimit",
                ["signals": keys("month rule direction isBetter")]),
            "intervalEvents": keys("interval start end"),
            "targets": keys("measure region tripType target monthCount monthsMet gap"),
            "headline": keys("month sentences"),
            "restatements": keys("month restatedAt", ["before": headlines, "after": headlines]),
            "quality": quality,
            "qualityShares": keys("rejectedRecords tripsWithCost tripsWithoutRegion tripsWithoutType"),
            "privacy": keys("statement minimumCell suppressedCells auditPassed missingCounts"),
            "rules": keys("name version"),
        ])

    private static let interval = SummaryKeys(
        Dictionary(uniqueKeysWithValues: CheckedMeasures.statistics.map { ($0, leaf) }))

    private static let cell = keys(
        "month region tripType suppressed complete revisionPending sourcingSuppressed sourcingBasis incompleteMeasures "
            + CheckedMeasures.plain.joined(separator: " "),
        Dictionary(uniqueKeysWithValues: CheckedMeasures.intervals.map { ($0, interval) }))

    private static let headlines = keys("trips inHousePercent totalCost costPerTrip avgDuration responseP90")

    private static let quality = keys(
        "read added updated unchanged superseded merged skipped rejected missingDayCount missingDays exports",
        ["warnings": SummaryKeys(nil), "freshness": keys("newestTrip ageDays")])
}
