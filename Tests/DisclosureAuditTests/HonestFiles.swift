import Basics
import DisclosureAudit
import KPIContract

/// The files that an honest program publishes of a release, written the plain and slow way.
struct HonestFiles {
    static let mark = "Disclosure-controlled: groups of 11 or more"
    static let columns =
        [
            "release", "month", "region", "trip_type", "suppressed", "complete", "revision_pending",
            "sourcing_suppressed", "sourcing_basis", "incomplete_measures",
        ] + KPICatalog.all.map(\.column) + ["patients", "population"]

    static let facts = {
        var facts = StatedTexts()
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

    let release: SyntheticRelease
    let cells: [KPISummaryV1.Cell]
    let writer: HonestCells
    private let shown: [String]

    init(_ release: SyntheticRelease) {
        self.release = release
        writer = HonestCells(release: release)
        cells = writer.all
        shown = release.months.filter { release.selection.months?.contains($0) ?? true }
    }

    /// How its files are written.
    var written: AuditedFiles {
        AuditedFiles(
            csvColumns: Self.columns, csvMark: Self.mark, derived: HonestDerivation(release: release).document,
            renderPage: Self.page)
    }

    var audit: DisclosureAudit { DisclosureAudit(of: release.audited, facts: Self.facts, files: written) }

    var files: [String: [UInt8]] { files(of: summary) }

    /// With the page that belongs to the document.
    func files(of summary: KPISummaryV1) -> [String: [UInt8]] {
        let bytes = summary.canonicalJSON()
        return [
            "kpi-summary.json": bytes, "kpi-cells.csv": csv, "dashboard.html": Self.page(bytes),
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

    var summary: KPISummaryV1 {
        let newest = (shown.last ?? "") + "-28"
        let months = shown.filter { month in cells.contains { $0.key == CellKey(month: month) && $0.trips != nil } }
        let document = KPISummaryV1(
            contractVersion: KPISummaryV1.version, audience: "release", generatedAt: Self.facts.generatedAt,
            runId: Self.facts.runID, dataThrough: newest, monthEvent: Self.facts.monthEvent,
            dateBasis: Self.facts.dateBasis, intervalEvents: release.intervalEvents, totalTrips: 0,
            avgDuration: Tenths(tenths: 0), inHousePercent: 0, cost: Cents(cents: 0), chartData: [], months: [],
            withheldMonths: [], kpiCards: [],
            filters: .init(
                months: ["All"] + months, regions: ["All"] + writer.regions, tripTypes: ["All"] + writer.tripTypes),
            cells: cells, mergedGroups: mergedGroups, groups: groups.map(published),
            events: HonestEvents(release: release).published(in: shown), comparisons: [], restatements: [],
            quality: .init(
                read: nil, added: nil, updated: nil, unchanged: nil, superseded: nil, skipped: nil, rejected: nil,
                warnings: ["bad_cost": nil], freshness: .init(newestTrip: newest, ageDays: age(newest))),
            // 36 of 2,400 are one and a half per cent.
            qualityShares: .init(
                rejectedRecords: 2, tripsWithCost: nil, tripsWithoutRegion: nil, tripsWithoutType: nil),
            privacy: .init(
                statement: Self.facts.statement, minimumCell: 11, suppressedCells: 0, auditPassed: true,
                missingCounts: release.omitsMissingCounts ? "omitted" : nil),
            rules: .init(name: Self.facts.rulesName, version: Self.facts.rulesVersion))
        return HonestDerivation(release: release).document(document, writer.everyMonth) ?? document
    }

    /// Days from the 28th of a month of 2026 to 2026-05-07.
    private func age(_ newest: String) -> Int {
        ["2026-01-28": 99, "2026-02-28": 68, "2026-03-28": 40, "2026-04-28": 9][newest] ?? 0
    }

    /// By month, population and first leaf, as they were made.
    private var groups: [SyntheticRelease.Group] {
        shown.flatMap { month in
            AuditedPopulation.allCases.flatMap { population in
                release.groups.filter { $0.month == month && $0.population == population }
            }
        }.filter { $0.leaves.contains(where: writer.isSelected) }
    }

    private func published(_ group: SyntheticRelease.Group) -> KPISummaryV1.Group {
        var published = KPISummaryV1.Group(
            month: group.month, population: group.population, regions: group.leaves.map(\.region),
            tripTypes: group.leaves.map(\.tripType), revisionPending: group.isPending, trips: group.trips.count)
        if ![.cancelled, .noShow].contains(group.population) { writer.figures(of: group, in: &published.figures) }
        return published
    }

    private var mergedGroups: [KPISummaryV1.MergedGroup] {
        groups.filter { $0.leaves.count > 1 && ![.cancelled, .noShow].contains($0.population) }.map {
            .init(
                month: $0.month, regions: $0.leaves.map(\.region), tripTypes: $0.leaves.map(\.tripType),
                trips: $0.trips.count)
        }
    }
}

// CSV.
extension HonestFiles {
    private var eventsCSV: [UInt8] {
        let counts = HonestEvents(release: release).published(in: shown).counts.map { count in
            [
                Self.mark, count.month, count.region, count.kind, "\(count.events)",
                count.evacuations.map(String.init) ?? "",
            ]
        }
        return Self.text([["release", "month", "region", "kind", "events", "evacuations"]] + counts)
    }

    private var csv: [UInt8] {
        Self.text([Self.columns] + cells.map(row) + groups.filter { $0.leaves.count > 1 }.map(row))
    }

    private func row(_ cell: KPISummaryV1.Cell) -> [String] {
        let names = [Self.mark, cell.month, cell.region, cell.tripType]
        let flags: [String] = [
            "\(cell.suppressed)", "\(cell.complete == true)", "\(cell.revisionPending == true)",
            "\(cell.sourcingSuppressed)", cell.sourcingBasis ?? "",
            (cell.incompleteMeasures ?? []).joined(separator: " "),
        ]
        return names + flags + KPICatalog.all.map { $0.text(cell) ?? "" } + [writer.patients(cell), ""]
    }

    private func row(_ group: SyntheticRelease.Group) -> [String] {
        func joined(_ names: [String]) -> String {
            names.enumerated().filter { names.firstIndex(of: $0.element) == $0.offset }.map(\.element)
                .joined(separator: " or ")
        }
        var figures = published(group).figures
        if group.population == .cancelled || group.population == .noShow {
            figures.trips = nil
            if group.population == .cancelled { figures.cancelled = group.trips.count }
            if group.population == .noShow { figures.noShow = group.trips.count }
        }
        let regions = group.leaves.map(\.region)
        func types(_ region: String) -> String {
            joined(group.leaves.filter { $0.region == region }.map(\.tripType))
        }
        let texts = joined(regions.map(types)), isOne = Set(regions.map(types)).count == 1
        var seen: [String] = []
        for region in regions where !seen.contains(types(region)) { seen.append(types(region)) }
        let byTypes = seen.map { text in
            let own = regions.enumerated().filter { regions.firstIndex(of: $0.element) == $0.offset }.map(\.element)
            return "\(text) (\(own.filter { types($0) == text }.joined(separator: ", ")))"
        }
        return [Self.mark, group.month, joined(regions), isOne ? texts : byTypes.joined(separator: "; ")]
            + ["false", "true", "\(group.isPending)", "true", "classified", ""]
            + KPICatalog.all.map { $0.text(figures) ?? "" }
            + ["", group.population.rawValue]
    }

    private static func text(_ rows: [[String]]) -> [UInt8] {
        let lines = rows.map { row in
            row.map { $0.contains(",") ? "\"\($0)\"" : $0 }.joined(separator: ",") + "\r\n"
        }
        return Array(lines.joined().utf8)
    }
}
