import KPIContract

/// Synthetic summaries for workbook tests. All figures are made up.
enum WorkbookFixture {
    typealias Cell = KPISummaryV1.Cell

    static let regions = ["North", "South"]
    static let types = ["Emergency", "Routine"]

    /// Cells of single months, regions and types and all their sums, from one formula for the figures.
    static func summary(
        months: [String] = ["2026-01", "2026-02", "2026-03"], hiding isHidden: (Cell) -> Bool = { _ in false },
        hidingSplit isSplitHidden: (Cell) -> Bool = { _ in false }, ruleName: String = "house rules"
    ) -> KPISummaryV1 {
        var cells: [Cell] = []
        for month in ["All"] + months {
            for region in ["All"] + regions {
                for type in ["All"] + types {
                    cells.append(cell(month, region, type, of: months))
                }
            }
        }
        let overall = cells[0]
        cells = cells.map { isHidden($0) ? hidden($0) : (isSplitHidden($0) ? withoutSplit($0) : $0) }
        let monthly = cells.filter { $0.month != "All" && $0.region == "All" && $0.tripType == "All" }
        let shown = monthly.filter { $0.trips != nil }
        return KPISummaryV1(
            contractVersion: "1.0", generatedAt: "2026-04-01T02:00:00Z", runId: "run-0001", dataThrough: "2026-03-31",
            monthEvent: "unit_notified_at, en_route_at, service_date", dateBasis: "as printed",
            totalTrips: overall.trips ?? 0, avgDuration: overall.duration.mean ?? Tenths(tenths: 0),
            inHousePercent: overall.inHousePercent ?? 0, cost: overall.costPerTrip ?? Cents(cents: 0),
            chartData: shown.compactMap { $0.trips.map(Double.init) }, months: shown.map(\.month),
            withheldMonths: monthly.filter { $0.trips == nil }.map(\.month), kpiCards: [],
            filters: FilterOptions(
                months: ["All"] + months, regions: ["All"] + regions, tripTypes: ["All"] + types),
            cells: cells, comparisons: comparisons(shown),
            restatements: [
                KPISummaryV1.Restatement(
                    month: months[0], restatedAt: "2026-03-02T02:00:00Z",
                    before: .init(trips: 4000, inHousePercent: 70, totalCost: Cents(cents: 123_456)), after: .init())
            ],
            quality: KPISummaryV1.Quality(
                read: 1234, added: 1000, updated: 100, unchanged: 80, superseded: 20, skipped: 30, rejected: 4,
                warnings: ["bad_cost": 12, "interval_missing": 31, "interval_negative": nil, "bad_time": 0],
                freshness: KPISummaryV1.Freshness(newestTrip: "2026-03-31", ageDays: 1),
                exports: .init(loaded: 4, failed: 1, waived: 2), missingDayCount: 2,
                missingDays: ["2026-01-05", "2026-01-06"]),
            privacy: KPISummaryV1.PrivacyStatement(
                statement: "Aggregated, disclosure-controlled at 11. Not de-identified under Safe Harbor. Small counts"
                    + " and what would give them away are hidden.",
                minimumCell: 11, suppressedCells: cells.filter(\.suppressed).count, auditPassed: true),
            rules: KPISummaryV1.RuleSetStamp(name: ruleName, version: String(repeating: "0f", count: 32)))
    }

    /// Sums of the single cells it stands for, so that every total adds up.
    private static func cell(_ month: String, _ region: String, _ type: String, of months: [String]) -> Cell {
        var sums = Sums()
        for (m, name) in months.enumerated() where month == "All" || month == name {
            for (r, place) in regions.enumerated() where region == "All" || region == place {
                for (t, kind) in types.enumerated() where type == "All" || type == kind {
                    sums.add(month: m, region: r, type: t)
                }
            }
        }
        return sums.cell(month, region, type)
    }

    struct Sums {
        var trips = 0, inHouse = 0, contracted = 0, inHouseCents = 0, contractedCents = 0, miles = 0, seconds = 0

        mutating func add(month: Int, region: Int, type: Int) {
            let ours = 801 + 37 * month + 111 * region + 13 * type, theirs = 214 + 29 * month + 7 * region + 51 * type
            trips += ours + theirs + 15
            inHouse += ours
            contracted += theirs
            inHouseCents += ours * 61_237
            contractedCents += theirs * 93_411
            miles += (ours + theirs) * 83
            seconds += (ours + theirs) * (2_900 + 61 * month)
        }

        func cell(_ month: String, _ region: String, _ type: String) -> Cell {
            let used = inHouse + contracted
            let duration = WorkbookFixture.interval(used: used, seconds: seconds)
            let response = WorkbookFixture.interval(used: used - 5, seconds: used * 431)
            var cell = Cell(
                month: month, region: region, tripType: type, suppressed: false, sourcingSuppressed: false)
            cell.trips = trips
            cell.cancelled = trips / 20
            cell.noShow = 0
            cell.inHouse = inHouse
            cell.contracted = contracted
            cell.unclassified = trips - used
            cell.inHousePercent = half(inHouse * 100, used)
            cell.inHouseShare = Share(tenThousandths: half(inHouse * 10_000, used))
            cell.totalCost = Cents(cents: inHouseCents + contractedCents)
            cell.inHouseCost = Cents(cents: inHouseCents)
            cell.contractedCost = Cents(cents: contractedCents)
            cell.costedTrips = used
            cell.costPerTrip = Cents(cents: half(inHouseCents + contractedCents, used))
            cell.loadedMiles = Tenths(tenths: miles)
            cell.unloadedMiles = Tenths(tenths: miles / 2)
            cell.costPerLoadedMile = Cents(cents: half((inHouseCents + contractedCents) * 10, miles))
            cell.loadedMileRatio = Share(tenThousandths: half(miles * 10_000, miles + miles / 2))
            cell.duration = duration
            (cell.response, cell.turnout, cell.scene, cell.transport) = (response, response, response, response)
            cell.turnaround = KPISummaryV1.Interval(used: 0, excluded: trips, mean: nil, p50: nil, p90: nil)
            return cell
        }

        private func half(_ numerator: Int, _ denominator: Int) -> Int {
            (numerator * 2 + denominator) / (denominator * 2)
        }
    }

    static func interval(used: Int, seconds: Int) -> KPISummaryV1.Interval {
        KPISummaryV1.Interval(
            used: used, excluded: 9, mean: Tenths(tenths: seconds * 10 / used), p50: seconds / used,
            p90: seconds / used * 2)
    }

    static func hidden(_ cell: Cell) -> Cell {
        Cell(
            month: cell.month, region: cell.region, tripType: cell.tripType, suppressed: true, sourcingSuppressed: true)
    }

    static func withoutSplit(_ cell: Cell) -> Cell {
        var cell = cell
        cell.sourcingSuppressed = true
        cell.inHouse = nil
        cell.contracted = nil
        cell.unclassified = nil
        cell.inHousePercent = nil
        cell.inHouseShare = nil
        cell.inHouseCost = nil
        cell.contractedCost = nil
        return cell
    }

    private static func comparisons(_ shown: [Cell]) -> [KPISummaryV1.Comparison] {
        var before: Int?
        return shown.map { cell in
            defer { before = cell.trips }
            let change = before.flatMap { earlier in
                cell.trips.map { Share(tenThousandths: ($0 - earlier) * 10_000 / earlier) }
            }
            return KPISummaryV1.Comparison(
                month: cell.month, region: "All", tripType: "All", trips: cell.trips, previousMonthTrips: before,
                previousYearTrips: nil, monthOverMonth: change, yearOverYear: nil, rolling12Trips: nil,
                rolling12Cost: nil, fiscalYear: 2026, fiscalYearToDateTrips: cell.trips,
                fiscalYearToDateCost: cell.totalCost)
        }
    }
}
