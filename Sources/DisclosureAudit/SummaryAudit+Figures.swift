import KPIContract

extension SummaryAudit {
    /// The app's own numbers and lists.
    func checkHeadlines(_ document: KPISummaryV1) {
        let overall = expected.cell(at: CellKey())
        guard let trips = overall.trips else {
            require(false, "the cell over everything is suppressed, so nothing may be published")
            return
        }
        require(document.totalTrips == trips, "totalTrips is not the one of the groups")
        require(
            document.avgDuration.tenths == overall.duration.mean?.tenths ?? 0,
            "avgDuration is not the one of the groups")
        require(document.inHousePercent == overall.inHousePercent ?? 0, "inHousePercent is not the one of the groups")
        require(document.cost.cents == overall.costPerTrip?.cents ?? 0, "cost is not the one of the groups")
        let withheld = [
            ("avgDuration", overall.duration.mean == nil && overall.duration.used != 0),
            ("inHousePercent", overall.inHousePercent == nil && overall.sourcingSuppressed),
            ("cost", overall.costPerTrip == nil && overall.costedTrips != 0),
        ]
        require(
            document.withheldHeadlines == withheld.filter(\.1).map(\.0),
            "withheldHeadlines does not name the numbers that stand as 0")
        checkMonths(document)
    }

    private func checkMonths(_ document: KPISummaryV1) {
        let totals = release.shownMonths.map { month in
            (month, expected.cell(at: CellKey(month: month)).trips)
        }
        let shown = totals.filter { $0.1 != nil }.map(\.0)
        let hidden = totals.filter { $0.1 == nil }.map(\.0)
        require(document.months == shown, "months are not those with a total")
        require(
            document.chartData == totals.compactMap(\.1).map(Double.init), "chartData are not the totals of the months")
        require(
            document.withheldMonths == (hidden + release.withheldMonths).sorted(),
            "withheldMonths are not the months without a total")
        require(document.partialMonths ?? [] == release.partialMonths, "partialMonths are not those that were stated")
        let filters = document.filters
        let all = [CellKey.all]
        require(
            filters.months == all + shown && filters.regions == all + expected.listedRegions
                && filters.tripTypes == all + expected.listedTripTypes,
            "filters are not the months, regions and trip types of the cells")
    }

    /// Each group of several leaves that the selection reaches into, exactly once.
    func checkMergedGroups(_ document: KPISummaryV1) {
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
            require(isParallel && left.remove(own) != nil, "mergedGroups: an entry is not a group of the release")
        }
        require(left.isEmpty && document.mergedGroups != nil, "mergedGroups: a group of several leaves is missing")
    }

    /// Every month against earlier ones. A figure needs each of the months that it is made of.
    func checkComparisons(_ document: KPISummaryV1) {
        let totals = expected.monthTotals
        let months = release.shownMonths.compactMap(CalendarMonth.init)
        require(document.comparisons.count == months.count, "comparisons are not one for each month")
        let latest = document.headline?.month
        for (name, (month, published)) in zip(release.shownMonths, zip(months, document.comparisons)) {
            require(
                published
                    == comparison(
                        of: month, named: name, isOver: latest.map { name <= $0 } ?? false, totals),
                "comparisons: those of \(name) are not the ones of the cells")
        }
    }

    private func comparison(
        of month: CalendarMonth, named name: String, isOver: Bool, _ totals: [CalendarMonth: KPISummaryV1.Cell]
    ) -> KPISummaryV1.Comparison {
        // Cells that leave out trips are not compared, and a sum of them would have a gap.
        let whole = { (month: CalendarMonth) in
            totals[month].flatMap { $0.complete == true && !release.partialMonths.contains($0.month) ? $0 : nil }
        }
        let trips = { (month: CalendarMonth) in whole(month)?.trips }
        let year = (month.ordinal - 11...month.ordinal).map(CalendarMonth.init(ordinal:))
        let toDate = (month.firstOfFiscalYear.ordinal...month.ordinal).map(CalendarMonth.init(ordinal:))
        let sum = { (months: [CalendarMonth], figure: (KPISummaryV1.Cell) -> Int?) -> Int? in
            let figures = months.compactMap { whole($0).flatMap(figure) }
            return figures.count == months.count ? figures.reduce(0, +) : nil
        }
        // A month whose cost leaves out trips would make a sum with a gap, and so would one of which no cost is known.
        let cost = { (cell: KPISummaryV1.Cell) -> Int? in
            if (cell.incompleteMeasures ?? []).contains("cost") { return nil }
            if let trips = cell.trips, trips > 0, cell.costedTrips == 0 { return nil }
            return cell.totalCost?.cents
        }
        let change = { (earlier: Int?) -> Share? in
            guard isOver, let earlier, let later = trips(month) else { return nil }
            return RoundedQuotient.of(later - earlier, times: 10_000, by: earlier).map(Share.init(tenThousandths:))
        }
        let isWhole = whole(month) != nil
        let before = isWhole ? trips(month.advanced(by: -1)) : nil
        let yearBefore = isWhole ? trips(month.advanced(by: -12)) : nil
        return KPISummaryV1.Comparison(
            month: name, region: CellKey.all, tripType: CellKey.all, trips: totals[month]?.trips,
            previousMonthTrips: before, previousYearTrips: yearBefore, monthOverMonth: change(before),
            yearOverYear: change(yearBefore), rolling12Trips: isOver ? sum(year) { $0.trips } : nil,
            rolling12Cost: isOver ? sum(year, cost).map(Cents.init(cents:)) : nil, fiscalYear: month.fiscalYear,
            fiscalYearToDateTrips: sum(toDate) { $0.trips },
            fiscalYearToDateCost: sum(toDate, cost).map(Cents.init(cents:)))
    }
}

extension SummaryAudit {
    /// Fewer records have no shares.
    private static let fewestRecords = 1000

    /// Shares in whole per cent: of records where both sides are large, of trips from the cells that are shown.
    func checkShares(_ shares: KPISummaryV1.QualityShares?) {
        guard let records = facts.records, records.read >= Self.fewestRecords else {
            require(shares == nil, "qualityShares: shares of few records, or of none that were stated")
            return
        }
        guard let shares else {
            require(false, "qualityShares are missing")
            return
        }
        let isLarge = [records.rejected, records.read - records.rejected].allSatisfy { $0 >= release.minimum }
        let overall = expected.cell(at: CellKey())
        let hasWholeCost = overall.incompleteMeasures?.contains("cost") == false && overall.complete == true
        let own = KPISummaryV1.QualityShares(
            rejectedRecords: isLarge ? Self.percent(records.rejected, of: records.read) : nil,
            tripsWithCost: hasWholeCost ? Self.percent(overall.costedTrips, of: overall.trips) : nil,
            tripsWithoutRegion: unassigned(
                expected.listedRegions.contains(CellKey.unassigned), CellKey(region: CellKey.unassigned), overall),
            tripsWithoutType: unassigned(
                expected.listedTripTypes.contains(CellKey.unassigned), CellKey(tripType: CellKey.unassigned), overall))
        require(shares == own, "qualityShares are not those of the records and cells")
    }

    /// - Parameter isListed: false: the release has no such cell, as there can be no such trips.
    private func unassigned(_ isListed: Bool, _ key: CellKey, _ overall: KPISummaryV1.Cell) -> Int? {
        guard overall.complete == true else { return nil }
        guard isListed else { return Self.percent(0, of: overall.trips) }
        let cell = expected.cell(at: key)
        return cell.complete == true ? Self.percent(cell.trips, of: overall.trips) : nil
    }

    private static func percent(_ part: Int?, of whole: Int?) -> Int? {
        guard let part, let whole else { return nil }
        return RoundedQuotient.of(part, times: 100, by: whole)
    }
}
