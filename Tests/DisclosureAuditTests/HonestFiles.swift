import DisclosureAudit
import KPIContract

/// The files that an honest program publishes of a release, written the plain and slow way.
struct HonestFiles {
    static let mark = "Disclosure-controlled: groups of 11 or more"
    static let columns =
        [
            "release", "month", "region", "trip_type", "suppressed", "complete", "revision_pending",
            "sourcing_suppressed", "sourcing_basis", "incomplete_measures",
        ] + KPICatalog.all.map(\.column) + ["patients"]

    static let facts = {
        var facts = AuditedFacts()
        facts.generatedAt = "2026-05-07T02:00:00Z"
        facts.runID = "20260507T020000Z-0001"
        facts.monthEvent = "unit_notified_at, en_route_at, service_date"
        facts.dateBasis = "as printed; region North only"
        facts.statement = "Disclosure-controlled: groups of 11 or more trips and patients."
        facts.rulesName = "house rules 7"
        facts.rulesVersion = String(repeating: "0f", count: 32)
        facts.records = (read: 2_400, rejected: 36)
        return facts
    }()

    static let written = AuditedFiles(csvColumns: columns, csvMark: mark, renderPage: page)

    let release: SyntheticRelease
    let cells: [KPISummaryV1.Cell]
    private let writer: HonestCells
    private let shown: [String]

    init(_ release: SyntheticRelease) {
        self.release = release
        writer = HonestCells(release: release)
        cells = writer.all
        shown = release.months.filter { release.selection.months?.contains($0) ?? true }
    }

    var audit: DisclosureAudit {
        DisclosureAudit(of: release.audited, facts: Self.facts, files: Self.written)
    }

    var files: [String: [UInt8]] {
        let summary = summary.canonicalJSON()
        return [
            "kpi-summary.json": summary, "kpi-cells.csv": csv, "dashboard.html": Self.page(summary),
            "events.csv": eventsCSV,
        ]
    }

    static func page(_ summary: [UInt8]) -> [UInt8] {
        var page = Array("<!doctype html><script type=\"application/json\" id=\"kpi-summary\">".utf8)
        for byte in summary {
            if [0x26, 0x3C, 0x3E].contains(byte) {
                page += "\\u00\(String(byte, radix: 16))".utf8
            } else {
                page.append(byte)
            }
        }
        return page + "</script>\n".utf8
    }

    private func monthCell(_ month: String) -> KPISummaryV1.Cell? {
        cells.first { $0.month == month && $0.region == "All" && $0.tripType == "All" }
    }

    var summary: KPISummaryV1 {
        let overall = cells[0]
        let months = shown.filter { monthCell($0)?.trips != nil }
        let withheld = [
            ("avgDuration", overall.duration.mean == nil && overall.duration.used != 0),
            ("inHousePercent", overall.sourcingSuppressed),
            ("cost", overall.costedTrips == nil),
        ]
        let newest = (shown.last ?? "") + "-28"
        return KPISummaryV1(
            contractVersion: KPISummaryV1.version, audience: "release", generatedAt: Self.facts.generatedAt ?? "",
            runId: Self.facts.runID ?? "", dataThrough: newest, monthEvent: Self.facts.monthEvent ?? "",
            dateBasis: Self.facts.dateBasis ?? "", intervalEvents: release.intervalEvents,
            totalTrips: overall.trips ?? 0,
            avgDuration: overall.duration.mean ?? Tenths(tenths: 0), inHousePercent: overall.inHousePercent ?? 0,
            cost: overall.costPerTrip ?? Cents(cents: 0),
            chartData: months.compactMap { monthCell($0)?.trips }.map(Double.init), months: months,
            withheldMonths: (shown.filter { !months.contains($0) } + release.withheldMonths).sorted(),
            kpiCards: HonestCards(
                overall: overall, monthly: shown.compactMap(monthCell), shown: shown, charts: controlCharts
            ).all,
            filters: .init(
                months: ["All"] + months, regions: ["All"] + writer.regions, tripTypes: ["All"] + writer.tripTypes),
            cells: cells, mergedGroups: mergedGroups, withheldHeadlines: withheld.filter(\.1).map(\.0),
            events: HonestEvents(release: release).published(in: shown),
            comparisons: comparisons, controlCharts: controlCharts, headline: headline, restatements: [],
            quality: .init(
                read: nil, added: nil, updated: nil, unchanged: nil, superseded: nil, skipped: nil, rejected: nil,
                warnings: ["bad_cost": nil], freshness: .init(newestTrip: newest, ageDays: age(newest))),
            qualityShares: shares,
            privacy: .init(
                statement: Self.facts.statement ?? "", minimumCell: 11,
                suppressedCells: cells.filter(\.suppressed).count, auditPassed: true,
                missingCounts: release.omitsMissingCounts ? "omitted" : nil),
            rules: .init(name: Self.facts.rulesName ?? "", version: Self.facts.rulesVersion ?? ""))
    }

    private var headline: KPISummaryV1.Headline {
        let last = shown.last { month in cells.contains { $0.key == CellKey(month: month) && !$0.suppressed } }
        return .init(
            month: last,
            sentences: last.flatMap { month in
                monthCell(month)?.trips.map {
                    ["\(month): \(NumberText.grouped($0)) trips.", "Response p90 is as usual."]
                }
            } ?? [])
    }

    private var controlCharts: [KPISummaryV1.ControlChart] { HonestCharts(cells: cells, shown: shown).all }

    /// 36 of 2,400 are one and a half per cent.
    private var shares: KPISummaryV1.QualityShares {
        let overall = cells[0]
        func percent(_ part: Int, _ isWhole: Bool) -> Int? {
            guard isWhole, let trips = overall.trips, trips > 0 else { return nil }
            return (part * 200 + trips) / (trips * 2)
        }
        func unassigned(_ region: String, _ tripType: String) -> Int? {
            guard let cell = cells.first(where: { [$0.month, $0.region, $0.tripType] == ["All", region, tripType] })
            else { return percent(0, overall.complete == true) }
            return percent(cell.trips ?? 0, overall.complete == true && cell.complete == true)
        }
        let isWhole =
            !release.omitsMissingCounts && overall.complete == true
            && overall.incompleteMeasures?.contains("cost") == false
        return .init(
            rejectedRecords: 2, tripsWithCost: percent(overall.costedTrips ?? 0, isWhole),
            tripsWithoutRegion: unassigned("Unassigned", "All"), tripsWithoutType: unassigned("All", "Unassigned"))
    }

    /// Days from the 28th of a month of 2026 to 2026-05-07.
    private func age(_ newest: String) -> Int {
        ["2026-01-28": 99, "2026-02-28": 68, "2026-03-28": 40, "2026-04-28": 9][newest] ?? 0
    }

    private var mergedGroups: [KPISummaryV1.MergedGroup] {
        release.groups.filter { $0.population == .completed && $0.leaves.count > 1 && shown.contains($0.month) }
            .filter { $0.leaves.contains(where: isSelected) }
            .map {
                .init(
                    month: $0.month, regions: $0.leaves.map(\.region), tripTypes: $0.leaves.map(\.tripType),
                    trips: $0.trips.count)
            }
    }

    private func isSelected(_ leaf: AuditedLeaf) -> Bool {
        (release.selection.regions?.contains(leaf.region) ?? true)
            && (release.selection.tripTypes?.contains(leaf.tripType) ?? true)
    }

    /// The releases here lie within one fiscal year from October or January on, and have no gap.
    private var comparisons: [KPISummaryV1.Comparison] {
        var everything = release
        everything.selection.months = nil
        let all = HonestCells(release: everything)
        let totals = release.months.map { all.cell($0, "All", "All") }
        return release.months.indices.filter { shown.contains(release.months[$0]) }.map { index in
            let month = release.months[index]
            let trips = totals[index].trips, isWhole = totals[index].complete == true
            func whole(_ place: Int) -> Int? {
                isWhole && totals[place].complete == true ? totals[place].trips : nil
            }
            let before = index > 0 ? whole(index - 1) : nil
            let change = { (before: Int?) -> Share? in
                guard let before, let trips, before > 0 else { return nil }
                return Share(tenThousandths: Int((Double((trips - before) * 10_000) / Double(before)).rounded()))
            }
            let yearBefore = index >= 12 ? whole(index - 12) : nil
            let year = index >= 11 ? Array(totals[index - 11...index]) : nil
            let october = release.months[0...index].lastIndex { $0.hasSuffix("-10") }
            let toDate = october.map { Array(totals[$0...index]) }
            return KPISummaryV1.Comparison(
                month: month, region: "All", tripType: "All", trips: trips, previousMonthTrips: before,
                previousYearTrips: yearBefore, monthOverMonth: change(before), yearOverYear: change(yearBefore),
                rolling12Trips: year.flatMap(Self.trips), rolling12Cost: year.flatMap(Self.cost),
                fiscalYear: (Int(month.prefix(4)) ?? 0) + (month.suffix(2) >= "10" ? 1 : 0),
                fiscalYearToDateTrips: toDate.flatMap(Self.trips), fiscalYearToDateCost: toDate.flatMap(Self.cost))
        }
    }

    private static func trips(_ cells: [KPISummaryV1.Cell]) -> Int? {
        cells.contains { $0.trips == nil || $0.complete == false } ? nil : cells.compactMap(\.trips).reduce(0, +)
    }

    private static func cost(_ cells: [KPISummaryV1.Cell]) -> Cents? {
        cells.contains { $0.totalCost == nil || $0.complete == false || ($0.incompleteMeasures ?? []).contains("cost") }
            ? nil : Cents(cents: cells.compactMap { $0.totalCost?.cents }.reduce(0, +))
    }

    private var eventsCSV: [UInt8] {
        let counts = HonestEvents(release: release).published(in: shown).counts.map { count in
            [
                Self.mark, count.month, count.region, count.kind, "\(count.events)",
                count.evacuations.map(String.init) ?? "",
            ]
        }
        let lines = [["release", "month", "region", "kind", "events", "evacuations"]] + counts
        return Array(lines.map { $0.joined(separator: ",") + "\r\n" }.joined().utf8)
    }

    private var csv: [UInt8] {
        var lines = [Self.columns]
        for cell in cells {
            let names = [Self.mark, cell.month, cell.region, cell.tripType]
            let flags: [String] = [
                "\(cell.suppressed)", "\(cell.complete == true)", "\(cell.revisionPending == true)",
                "\(cell.sourcingSuppressed)", cell.sourcingBasis ?? "",
                (cell.incompleteMeasures ?? []).joined(separator: " "),
            ]
            let figures = KPICatalog.all.map { $0.text(cell) ?? "" }
            lines.append(names + flags + figures + [writer.patients(cell)])
        }
        let text = lines.map { line in
            line.map { $0.contains(",") ? "\"\($0)\"" : $0 }.joined(separator: ",") + "\r\n"
        }
        return Array(text.joined().utf8)
    }
}
