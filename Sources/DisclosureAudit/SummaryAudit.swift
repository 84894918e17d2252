import Basics
import Foundation
import KPIContract

/// Checks `kpi-summary.json` against the document that the auditor expects: figures recomputed from the groups, texts
/// as they were stated, and what the contract library derives from the recomputed cells.
struct SummaryAudit {
    let release: AuditedRelease
    let facts: StatedTexts
    let expected: ExpectedCells
    let derived: AuditedFiles.Derivation
    let findings: FindingList

    /// - Returns: the document, for the files that are compared with it; nil if it cannot be read.
    func check(_ bytes: [UInt8]) -> KPISummaryV1? {
        guard let document = try? JSONDecoder().decode(KPISummaryV1.self, from: Data(bytes)) else {
            require(false, "it is no document of contract version \(KPISummaryV1.version)")
            return nil
        }
        // Bytes with other keys than the document's are not those that the contract writes.
        require(document.canonicalJSON() == bytes, "its bytes are not those that the contract writes for it")
        require(!document.isInternal, "it says that nothing is hidden")
        require(expected.rows.first?.cell.trips != nil, "the total is suppressed, so nothing may be published")
        checkHeadlineMonth(document)
        checkRestatements(document)
        let derivation = derived(expectedDocument(document, derived: document), expected.everyMonth)
        require(derivation != nil, "what is derived from the cells cannot be computed again")
        let own = expectedDocument(document, derived: derivation ?? document)
        guard own != document else { return document }
        let paths = document.canonical.differences(from: own.canonical)
        for path in paths.isEmpty ? ["a value"] : paths {
            require(false, "\(path) is not the one that the auditor expects")
        }
        return document
    }

    private func require(_ condition: Bool, _ what: @autoclosure () -> String) {
        findings.require(condition, "\(PublishedFileNames.summary): \(what())")
    }

    private func checkHeadlineMonth(_ document: KPISummaryV1) {
        guard let month = document.headline?.month else { return }
        let isOver = release.firstOpenMonth.map { month < $0 } ?? true
        require(
            isOver && !release.partialMonths.contains(month), "headline.month is of a month under way, or lacks days")
    }

    /// Restatements of a report of a part are of that part in earlier documents, so only their texts are checked.
    private func checkRestatements(_ document: KPISummaryV1) {
        guard release.selection.isEverything else { return }
        for restatement in document.restatements ?? [] {
            guard let cell = expected.everyMonth.first(where: { $0.key == CellKey(month: restatement.month) }) else {
                continue
            }
            let own = KPISummaryV1.HeadlineFigures(
                trips: cell.trips, inHousePercent: cell.inHousePercent, totalCost: cell.totalCost,
                costPerTrip: cell.costPerTrip, avgDuration: cell.duration.mean, responseP90: cell.response.p90)
            require(
                restatement.after == own,
                "restatements: the figures after that of \(restatement.month) are not those of its cell")
        }
    }
}

// A key that is added to the contract is nil here, so it stays out of the release until the auditor can check it.
extension SummaryAudit {
    /// - Parameters:
    ///   - document: the published one, for codes of warnings, the newest trip, and whether an audit was made.
    ///   - derived: a document that has the parts that are derived from cells. Nothing else is taken from it.
    private func expectedDocument(_ document: KPISummaryV1, derived: KPISummaryV1) -> KPISummaryV1 {
        let freshness = freshness(of: document), selection = facts.selection, partialMonths = release.partialMonths
        let intervalEvents = otherIntervalEvents, totals = expected.rows.map(\.cell).filter(\.isOfMonth)
        let months = totals.filter { $0.trips != nil }.map(\.month)
        let hidden = totals.filter { $0.trips == nil }.map(\.month)
        let events = release.events.map { events in
            let shown = events.filter { release.shownMonths.contains($0.month) }
            return EventAudit(
                shown, kinds: release.eventKinds, minimum: release.minimum, regions: release.selection.regions
            ).expected
        }
        // Codes of warnings are published, and their counts are not.
        let codes = document.quality.warnings.keys.filter { $0.wholeMatch(of: /[a-z_]+/) != nil }
        return KPISummaryV1(
            contractVersion: KPISummaryV1.version, audience: "release", generatedAt: facts.generatedAt,
            runId: facts.runID, dataThrough: freshness.newestTrip, monthEvent: facts.monthEvent,
            dateBasis: facts.dateBasis, intervalEvents: intervalEvents.isEmpty ? nil : intervalEvents,
            selection: selection.isEmpty ? nil : selection, totalTrips: derived.totalTrips,
            avgDuration: derived.avgDuration, inHousePercent: derived.inHousePercent, cost: derived.cost,
            chartData: derived.chartData, months: derived.months,
            withheldMonths: (hidden + release.withheldMonths).sorted(),
            partialMonths: partialMonths.isEmpty ? nil : partialMonths, kpiCards: derived.kpiCards,
            filters: FilterOptions(
                months: [CellKey.all] + months, regions: expected.regions, tripTypes: expected.tripTypes),
            cells: expected.rows.map(\.cell), mergedGroups: expected.mergedGroups, groups: expected.groups,
            withheldHeadlines: derived.withheldHeadlines, events: events, comparisons: derived.comparisons,
            controlCharts: derived.controlCharts, targets: derived.targets, headline: derived.headline,
            restatements: facts.restatements,
            quality: .init(
                read: nil, added: nil, updated: nil, unchanged: nil, superseded: nil, skipped: nil, rejected: nil,
                warnings: Dictionary(uniqueKeysWithValues: codes.map { ($0, nil) }), freshness: freshness),
            qualityShares: shares(derived.qualityShares),
            privacy: .init(
                statement: facts.statement, minimumCell: release.minimum,
                suppressedCells: derived.privacy.suppressedCells,
                auditPassed: document.privacy.auditPassed == nil ? nil : true,
                missingCounts: release.omitsMissingCounts ? "omitted" : nil),
            rules: .init(name: facts.rulesName, version: facts.rulesVersion))
    }

    /// Where they are not the standard ones.
    private var otherIntervalEvents: [KPISummaryV1.IntervalEvents] {
        let standard = [
            "unit_notified_at completed_at", "unit_notified_at on_scene_at", "unit_notified_at en_route_at",
            "on_scene_at left_scene_at", "left_scene_at arrived_at", "arrived_at completed_at",
        ]
        return zip(zip(AuditedMeasure.intervals, standard), release.intervalEvents).compactMap { interval, events in
            "\(events.start) \(events.end)" == interval.1
                ? nil : .init(interval: interval.0.rawValue, start: events.start, end: events.end)
        }
    }

    /// A share of records is of at least 1,000 of them, and large on both sides. Shares of trips are derived from
    /// cells.
    private func shares(_ shares: KPISummaryV1.QualityShares?) -> KPISummaryV1.QualityShares? {
        guard let records = facts.records, records.read >= KPISummaryV1.QualityShares.minimumRecords else { return nil }
        let isLarge = min(records.rejected, records.read - records.rejected) >= release.minimum
        return .init(
            rejectedRecords: isLarge ? RoundedQuotient.of(records.rejected, times: 100, by: records.read) : nil,
            tripsWithCost: shares?.tripsWithCost, tripsWithoutRegion: shares?.tripsWithoutRegion,
            tripsWithoutType: shares?.tripsWithoutType)
    }

    /// The newest trip is one of the last month that has trips; a revision may have taken all out of later ones.
    private func freshness(of document: KPISummaryV1) -> KPISummaryV1.Freshness {
        let newest = document.quality.freshness.newestTrip ?? "", month = String(newest.prefix(7))
        let months = release.shownMonths
        let last = months.last { month in release.groups.contains { $0.month == month && $0.trips > 0 } }
        guard let day = CivilDay(newest), let today = UTCTime(facts.generatedAt)?.day,
            months.contains(month), month >= last ?? month
        else { return .init(newestTrip: nil, ageDays: nil) }
        return .init(newestTrip: newest, ageDays: Int(today.daysSince1970 - day.daysSince1970))
    }
}

extension KPISummaryV1.Cell {
    /// Whether it is of one month, and of all regions and trip types.
    fileprivate var isOfMonth: Bool { month != CellKey.all && key == CellKey(month: month) }
}
