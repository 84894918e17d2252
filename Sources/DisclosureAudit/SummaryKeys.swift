/// The keys of `kpi-summary.json` that the auditor knows what to make of. Any other key is a finding, so a key that is
/// added to the contract stays out of the release until the auditor can check it.
final class SummaryKeys: Sendable {
    /// Nil: any key may stand here, and only `null` under it is a separate check.
    private let members: [[UInt8]: SummaryKeys]?

    private init(_ members: [String: SummaryKeys]?) {
        self.members = members.map { Dictionary(uniqueKeysWithValues: $0.map { (Array($0.key.utf8), $0.value) }) }
    }

    /// Nil for an unknown key.
    func member(_ key: ArraySlice<UInt8>) -> SummaryKeys? {
        guard let members else { return Self.leaf }
        return members[Array(key)]
    }

    private static let leaf = SummaryKeys([:])

    private static func keys(_ names: String, _ inner: [String: SummaryKeys] = [:]) -> SummaryKeys {
        let leaves = names.split(separator: " ").map { (String($0), leaf) }
        return SummaryKeys(inner.merging(leaves, uniquingKeysWith: { first, _ in first }))
    }

    static let document = keys(
        "contractVersion audience generatedAt runId dataThrough monthEvent dateBasis totalTrips avgDuration "
            + "inHousePercent cost chartData months withheldMonths withheldHeadlines",
        [
            "kpiCards": keys(
                "id title value subtitle accessibilityLabel trend isBetter totalTrips avgDuration chartData"),
            "filters": keys("months regions tripTypes"),
            "cells": cell,
            "mergedGroups": keys("month regions tripTypes trips"),
            "comparisons": keys(
                "month region tripType trips previousMonthTrips previousYearTrips monthOverMonth yearOverYear "
                    + "rolling12Trips rolling12Cost fiscalYear fiscalYearToDateTrips fiscalYearToDateCost"),
            "restatements": keys("month restatedAt", ["before": headlines, "after": headlines]),
            "quality": quality,
            "qualityShares": keys("rejectedRecords tripsWithCost tripsWithoutRegion tripsWithoutType"),
            "privacy": keys("statement minimumCell suppressedCells auditPassed missingCounts"),
            "rules": keys("name version"),
        ])

    private static let interval = keys("used excluded mean p50 p90")

    private static let cell = keys(
        "month region tripType suppressed complete revisionPending sourcingSuppressed sourcingBasis incompleteMeasures "
            + "trips cancelled noShow inHouse contracted unclassified inHousePercent inHouseShare totalCost inHouseCost "
            + "contractedCost costedTrips costPerTrip loadedMiles unloadedMiles costPerLoadedMile loadedMileRatio",
        [
            "duration": interval, "response": interval, "turnout": interval, "scene": interval,
            "transport": interval, "turnaround": interval,
        ])

    private static let headlines = keys("trips inHousePercent totalCost costPerTrip avgDuration responseP90")

    private static let quality = keys(
        "read added updated unchanged superseded skipped rejected missingDayCount missingDays exports",
        ["warnings": SummaryKeys(nil), "freshness": keys("newestTrip ageDays")])
}
