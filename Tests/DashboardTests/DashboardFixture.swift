import KPIContract
import TestSupport
import Testing

/// A small summary that is written down nowhere else.
enum DashboardFixture {
    static func cell(_ month: String, _ region: String, _ type: String, isHidden: Bool) -> KPISummaryV1.Cell {
        let times = KPISummaryV1.Interval(
            used: 39, excluded: 1, mean: Tenths(tenths: 36_005), p50: 3590, p90: 4200)
        let hidden = KPISummaryV1.Interval(used: nil, excluded: nil, mean: nil, p50: nil, p90: nil)
        let interval = isHidden ? hidden : times
        func shown<Value>(_ value: Value) -> Value? { isHidden ? nil : value }
        return KPISummaryV1.Cell(
            month: month, region: region, tripType: type, suppressed: isHidden, sourcingSuppressed: isHidden,
            trips: shown(month == "All" ? 1240 : 40), cancelled: shown(0), noShow: shown(12), inHouse: shown(25),
            contracted: shown(15), unclassified: shown(0), inHousePercent: shown(63),
            inHouseShare: shown(Share(tenThousandths: 6250)), totalCost: shown(Cents(cents: 1_234_550)),
            inHouseCost: shown(Cents(cents: 800_000)), contractedCost: shown(Cents(cents: 434_550)),
            costedTrips: shown(40), costPerTrip: shown(Cents(cents: 30_864)), loadedMiles: shown(Tenths(tenths: 4005)),
            unloadedMiles: shown(Tenths(tenths: 0)), costPerLoadedMile: shown(Cents(cents: 3083)),
            loadedMileRatio: shown(Share(tenThousandths: 10_000)), duration: interval, response: interval,
            turnout: interval, scene: interval, transport: interval, turnaround: interval)
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
