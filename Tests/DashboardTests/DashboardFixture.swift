import KPIContract
import TestSupport
import Testing

/// A small summary that is written down nowhere else.
enum DashboardFixture {
    static func cell(_ month: String, _ region: String, _ type: String, isHidden: Bool) -> KPISummaryV1.Cell {
        let times = KPISummaryV1.Interval(
            used: 39, excluded: 1, mean: Tenths(tenths: 36_005), p50: 3590, p90: 4200)
        var cell = KPISummaryV1.Cell(
            month: month, region: region, tripType: type, suppressed: isHidden, sourcingSuppressed: isHidden)
        if isHidden { return cell }
        cell.trips = month == "All" ? 1240 : 40
        cell.cancelled = 0
        cell.noShow = 12
        cell.inHouse = 25
        cell.contracted = 15
        cell.unclassified = 0
        cell.inHousePercent = 63
        cell.inHouseShare = Share(tenThousandths: 6250)
        cell.totalCost = Cents(cents: 1_234_550)
        cell.inHouseCost = Cents(cents: 800_000)
        cell.contractedCost = Cents(cents: 434_550)
        cell.costedTrips = 40
        cell.costPerTrip = Cents(cents: 30_864)
        cell.loadedMiles = Tenths(tenths: 4005)
        cell.unloadedMiles = Tenths(tenths: 0)
        cell.costPerLoadedMile = Cents(cents: 3083)
        cell.loadedMileRatio = Share(tenThousandths: 10_000)
        for interval in 0..<6 { cell[interval: interval] = times }
        return cell
    }

    static func summary(_ cells: [KPISummaryV1.Cell]) -> KPISummaryV1 {
        let card = KPISummaryV1.KPICard(
            id: "totalTrips", title: "Total trips", value: "1,240", subtitle: "2026-01 to 2026-02",
            accessibilityLabel: "Total trips: 1,240.", trend: "flat", totalTrips: 1240,
            avgDuration: Tenths(tenths: 36_005), chartData: [40, 40])
        return KPISummaryV1(
            contractVersion: "1.0", generatedAt: "2026-03-01T00:00:00Z", runId: "run-1", dataThrough: "2026-02-28",
            monthEvent: "unit_notified_at", dateBasis: "local dates of America/Chicago", totalTrips: 1240,
            avgDuration: Tenths(tenths: 36_005), inHousePercent: 63, cost: Cents(cents: 30_864), chartData: [40, 40],
            months: ["2026-01", "2026-02"], withheldMonths: ["2025-12"], kpiCards: [card],
            filters: .init(
                months: ["All", "2026-01", "2026-02"], regions: ["All", "North"], tripTypes: ["All", "Emergency"]),
            cells: cells,
            comparisons: [
                .init(
                    month: "2026-02", region: "All", tripType: "All", trips: 40, previousMonthTrips: 38,
                    previousYearTrips: nil, monthOverMonth: Share(tenThousandths: 526), yearOverYear: nil,
                    rolling12Trips: nil, rolling12Cost: nil, fiscalYear: 2026, fiscalYearToDateTrips: 80,
                    fiscalYearToDateCost: Cents(cents: 2_469_100))
            ],
            restatements: [],
            quality: .init(
                read: 1300, added: 1290, updated: 0, unchanged: 0, superseded: 0, skipped: 8, rejected: 2,
                warnings: ["bad_cost": nil, "bad_time": 12, "bad_miles": 0],
                freshness: .init(newestTrip: "2026-02-28", ageDays: 1)),
            privacy: .init(
                statement: "Aggregated, disclosure-controlled at 11.", minimumCell: 11, suppressedCells: 2,
                auditPassed: true),
            rules: .init(name: "default", version: String(repeating: "ab", count: 32)))
    }
}
