import KPIContract

extension SummaryAudit {
    /// The app's own numbers and lists.
    func checkHeadlines(_ document: KPISummaryV1, _ findings: inout FindingList) {
        let all = AuditedRelease.all
        guard let overall = expected.cell(month: all, region: all, tripType: all), let trips = overall.trips else {
            Self.require(false, "the cell over everything is suppressed, so nothing may be published", &findings)
            return
        }
        Self.require(document.totalTrips == trips, "totalTrips is not the one of the groups", &findings)
        Self.require(
            document.avgDuration.tenths == overall.duration.mean?.tenths ?? 0,
            "avgDuration is not the one of the groups", &findings)
        Self.require(
            document.inHousePercent == overall.inHousePercent ?? 0, "inHousePercent is not the one of the groups",
            &findings)
        Self.require(
            document.cost.cents == overall.costPerTrip?.cents ?? 0, "cost is not the one of the groups", &findings)
        let withheld = [
            ("avgDuration", overall.duration.mean == nil && overall.duration.used != 0),
            ("inHousePercent", overall.inHousePercent == nil && overall.sourcingSuppressed),
            ("cost", overall.costPerTrip == nil && overall.costedTrips != 0),
        ]
        Self.require(
            document.withheldHeadlines == withheld.filter(\.1).map(\.0),
            "withheldHeadlines does not name the numbers that stand as 0", &findings)
        checkMonths(document, &findings)
    }

    private func checkMonths(_ document: KPISummaryV1, _ findings: inout FindingList) {
        let totals = release.shownMonths.map { month in
            (month, expected.cell(month: month, region: AuditedRelease.all, tripType: AuditedRelease.all)?.trips)
        }
        let shown = totals.filter { $0.1 != nil }.map(\.0)
        let hidden = totals.filter { $0.1 == nil }.map(\.0)
        Self.require(document.months == shown, "months are not those with a total", &findings)
        Self.require(
            document.chartData == totals.compactMap(\.1).map(Double.init),
            "chartData are not the totals of the months", &findings)
        Self.require(
            document.withheldMonths == (hidden + release.withheldMonths).sorted(),
            "withheldMonths are not the months without a total", &findings)
        let filters = document.filters
        let all = [AuditedRelease.all]
        Self.require(
            filters.months == all + shown && filters.regions == all + expected.listedRegions
                && filters.tripTypes == all + expected.listedTripTypes,
            "filters are not the months, regions and trip types of the cells", &findings)
    }

    /// Each group of several leaves that the selection reaches into, exactly once.
    func checkMergedGroups(_ document: KPISummaryV1, _ findings: inout FindingList) {
        struct Merged: Hashable {
            var month: String
            var leaves: Set<AuditedLeaf>
            var trips: Int
        }
        let shown = Set(release.shownMonths)
        var left: Set<Merged> = []
        for group in release.groups where group.population == .completed && group.leaves.count > 1 {
            guard shown.contains(group.month), group.leaves.contains(where: release.selection.contains) else {
                continue
            }
            left.insert(Merged(month: group.month, leaves: Set(group.leaves), trips: group.trips))
        }
        for published in document.mergedGroups ?? [] {
            let leaves = zip(published.regions, published.tripTypes).map(AuditedLeaf.init)
            let own = Merged(month: published.month, leaves: Set(leaves), trips: published.trips)
            let isParallel =
                published.regions.count == published.tripTypes.count && own.leaves.count == leaves.count
            Self.require(
                isParallel && left.remove(own) != nil, "mergedGroups: an entry is not a group of the release", &findings
            )
        }
        Self.require(
            left.isEmpty && document.mergedGroups != nil, "mergedGroups: a group of several leaves is missing",
            &findings)
    }

    /// Every month against earlier ones. A figure needs each of the months that it is made of.
    func checkComparisons(_ document: KPISummaryV1, _ findings: inout FindingList) {
        let totals = expected.monthTotals
        let months = release.shownMonths.compactMap(CalendarMonth.init)
        Self.require(
            document.comparisons.count == months.count, "comparisons are not one for each month", &findings)
        for (name, (month, published)) in zip(release.shownMonths, zip(months, document.comparisons)) {
            Self.require(
                published == comparison(of: month, named: name, totals),
                "comparisons: those of \(name) are not the ones of the cells", &findings)
        }
    }

    private func comparison(
        of month: CalendarMonth, named name: String, _ totals: [CalendarMonth: KPISummaryV1.Cell]
    ) -> KPISummaryV1.Comparison {
        // Cells that leave out trips are not compared, and a sum of them would have a gap.
        let whole = { (month: CalendarMonth) in totals[month].flatMap { $0.complete == true ? $0 : nil } }
        let trips = { (month: CalendarMonth) in whole(month)?.trips }
        let year = (month.ordinal - 11...month.ordinal).map(CalendarMonth.init(ordinal:))
        let toDate = (month.firstOfFiscalYear.ordinal...month.ordinal).map(CalendarMonth.init(ordinal:))
        let sum = { (months: [CalendarMonth], figure: (KPISummaryV1.Cell) -> Int?) -> Int? in
            let figures = months.compactMap { whole($0).flatMap(figure) }
            return figures.count == months.count ? figures.reduce(0, +) : nil
        }
        // A month whose cost leaves out trips would make a sum with a gap.
        let cost = { (cell: KPISummaryV1.Cell) -> Int? in
            (cell.incompleteMeasures ?? []).contains("cost") ? nil : cell.totalCost?.cents
        }
        let change = { (earlier: Int?) -> Share? in
            guard let earlier, let later = trips(month) else { return nil }
            return RoundedQuotient.of(later - earlier, times: 10_000, by: earlier).map(Share.init(tenThousandths:))
        }
        let isWhole = whole(month) != nil
        let before = isWhole ? trips(month.advanced(by: -1)) : nil
        let yearBefore = isWhole ? trips(month.advanced(by: -12)) : nil
        return KPISummaryV1.Comparison(
            month: name, region: AuditedRelease.all, tripType: AuditedRelease.all, trips: totals[month]?.trips,
            previousMonthTrips: before, previousYearTrips: yearBefore, monthOverMonth: change(before),
            yearOverYear: change(yearBefore), rolling12Trips: sum(year) { $0.trips },
            rolling12Cost: sum(year, cost).map(Cents.init(cents:)), fiscalYear: month.fiscalYear,
            fiscalYearToDateTrips: sum(toDate) { $0.trips },
            fiscalYearToDateCost: sum(toDate, cost).map(Cents.init(cents:)))
    }
}
