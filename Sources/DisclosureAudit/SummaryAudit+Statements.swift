import KPIContract

/// What the document says beside the figures: nothing of it may be a figure that is not published.
extension SummaryAudit {
    func checkRestatements(_ document: KPISummaryV1) {
        require(document.restatements ?? [] == facts.restatements, "restatements are not those that were stated")
        guard release.selection.isEverything else { return }
        for restatement in document.restatements ?? [] where release.months.contains(restatement.month) {
            let key = CellKey(month: restatement.month), cell = expected.cell(at: key)
            var after = restatement.after
            // A percentile is checked where the cell has it.
            after.responseP90 = nil
            let own = KPISummaryV1.HeadlineFigures(
                trips: cell.trips, inHousePercent: cell.inHousePercent, totalCost: cell.totalCost,
                costPerTrip: cell.costPerTrip, avgDuration: cell.duration.mean)
            let rank = document.cell(at: key)?.response.p90
            require(
                after == own && restatement.after.responseP90 == rank,
                "restatements: the figures after that of \(restatement.month) are not those of its cell")
        }
    }

    func checkStatements(_ document: KPISummaryV1) {
        require(
            document.contractVersion == KPISummaryV1.version && document.audience == "release",
            "contractVersion or audience is not that of a release")
        checkTexts(document)
        checkQuality(document.quality)
        checkShares(document.qualityShares)
        checkFreshness(document)
        let privacy = document.privacy
        require(privacy.minimumCell == release.minimum, "privacy.minimumCell is not the minimum")
        require(
            privacy.suppressedCells == document.cells.count(where: \.suppressed),
            "privacy.suppressedCells is not the number of suppressed cells")
        require(
            privacy.missingCounts == (release.omitsMissingCounts ? "omitted" : nil),
            "privacy.missingCounts does not say whether counts of missing values are left out")
        require(privacy.auditPassed != false, "privacy.auditPassed says that an audit failed")
    }

    private func checkTexts(_ document: KPISummaryV1) {
        let minimum = [release.minimum, 1, release.minimum - 1, release.minimum].map(String.init)
        let isPlain = { (text: String) in NumbersInText.tokens(text)?.isEmpty == true }
        let texts: [(name: String, text: String, stated: String?, hasShape: Bool)] = [
            (
                "generatedAt", document.generatedAt, facts.generatedAt,
                document.generatedAt.wholeMatch(of: /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z/) != nil
            ),
            ("runId", document.runId, facts.runID, document.runId.wholeMatch(of: /[A-Za-z0-9._:-]{1,80}/) != nil),
            ("monthEvent", document.monthEvent, facts.monthEvent, isPlain(document.monthEvent)),
            ("dateBasis", document.dateBasis, facts.dateBasis, isPlain(document.dateBasis)),
            (
                "privacy.statement", document.privacy.statement, facts.statement,
                NumbersInText.areOnly(minimum, in: document.privacy.statement)
            ),
            ("rules.name", document.rules.name, facts.rulesName, isPlain(document.rules.name)),
            (
                "rules.version", document.rules.version, facts.rulesVersion,
                document.rules.version.wholeMatch(of: /[0-9a-f]{0,64}/) != nil
            ),
        ]
        for (name, text, stated, hasShape) in texts {
            require(
                stated.map { $0 == text } ?? hasShape, "\(name) is not the text that was stated, or holds a number")
        }
        require(
            document.intervalEvents ?? [] == otherIntervalEvents,
            "intervalEvents are not the events that intervals are measured between")
        require(document.selection ?? [] == facts.selection, "selection is not what the report was asked for")
        require(!document.isInternal, "privacy.statement says that nothing is hidden")
    }

    /// Where they are not the standard ones.
    private var otherIntervalEvents: [KPISummaryV1.IntervalEvents] {
        let standard = [
            "duration": "unit_notified_at completed_at", "response": "unit_notified_at on_scene_at",
            "turnout": "unit_notified_at en_route_at", "scene": "on_scene_at left_scene_at",
            "transport": "left_scene_at arrived_at", "turnaround": "arrived_at completed_at",
        ]
        return zip(CheckedMeasures.intervals, release.intervalEvents).compactMap { name, events in
            "\(events.start) \(events.end)" == standard[name]
                ? nil : KPISummaryV1.IntervalEvents(interval: name, start: events.start, end: events.end)
        }
    }

    /// Counts of records and of files, and which days have no trips, are for staff.
    private func checkQuality(_ quality: KPISummaryV1.Quality) {
        let counts: [(String, Int?)] = [
            ("read", quality.read), ("added", quality.added), ("updated", quality.updated),
            ("unchanged", quality.unchanged), ("superseded", quality.superseded), ("merged", quality.merged),
            ("skipped", quality.skipped),
            ("rejected", quality.rejected), ("missingDayCount", quality.missingDayCount),
        ]
        for (name, count) in counts {
            require(count == nil, "quality.\(name) is a figure for staff")
        }
        require(
            quality.missingDays == nil && quality.exports == nil,
            "quality.missingDays or quality.exports has figures for staff")
        require(
            quality.warnings.allSatisfy { $0.value == nil && $0.key.wholeMatch(of: /[a-z_]+/) != nil },
            "quality.warnings has figures for staff")
    }

    /// The newest trip is one of the last month that has trips; a revision may have taken all out of later ones.
    private func checkFreshness(_ document: KPISummaryV1) {
        let freshness = document.quality.freshness
        require(
            document.dataThrough == freshness.newestTrip,
            "dataThrough and quality.freshness.newestTrip are not the same day")
        guard let newest = freshness.newestTrip else {
            require(freshness.ageDays == nil, "quality.freshness.ageDays is the age of nothing")
            return
        }
        let day = CalendarMonth.dayNumber(newest)
        let month = String(newest.prefix(7)), months = release.shownMonths
        let last = months.last { month in release.groups.contains { $0.month == month && $0.trips > 0 } }
        require(
            day != nil && months.contains(month) && month >= last ?? month,
            "quality.freshness.newestTrip is not a day of the last month that is shown")
        let today = CalendarMonth.dayNumber(String(document.generatedAt.prefix(10)))
        let age = day.flatMap { day in today.map { $0 - day } }
        require(age != nil && freshness.ageDays == age, "quality.freshness.ageDays is not the age of the newest trip")
    }
}
