extension KPISummaryV1 {
    /// The document as the bytes that are published: UTF-8, newline at the end.
    ///
    /// This is the only writer of the contract; the same summary gives the same bytes on every machine. Keys stand in
    /// the order of SPEC §8, two spaces a level, with the cards, cells, comparisons and restatements on one line each. Dollars have
    /// two decimals, miles and seconds one, shares four; counts are plain; a hidden value or one over nothing is
    /// `null`, and its key is always there; warnings are sorted by code.
    public func canonicalJSON() -> [UInt8] {
        var members: [CanonicalJSON.Member] = [
            .init("contractVersion", .text(contractVersion))
        ]
        // Documents from before a key was added are written as they were.
        if let audience { members.append(.init("audience", .text(audience))) }
        members += [
            .init("generatedAt", .text(generatedAt)),
            .init("runId", .text(runId)),
            .init("dataThrough", .text(orNull: dataThrough)),
            .init("monthEvent", .text(monthEvent)),
            .init("dateBasis", .text(dateBasis)),
            .init("totalTrips", .integer(totalTrips)),
            .init("avgDuration", .fixed(avgDuration)),
            .init("inHousePercent", .integer(inHousePercent)),
            .init("cost", .fixed(cost)),
            .init("chartData", .list(chartData.map { .double($0) })),
            .init("months", .list(months.map { .text($0) })),
            .init("withheldMonths", .list(withheldMonths.map { .text($0) })),
            .init("kpiCards", .list(kpiCards.map { $0.canonical(withDirection: audience != nil) })),
            .init("filters", filters.canonical),
            .init("cells", .list(cells.map { .object($0.canonicalMembers) })),
        ]
        if let mergedGroups { members.append(.init("mergedGroups", .list(mergedGroups.map(\.canonical)))) }
        if let withheldHeadlines {
            members.append(.init("withheldHeadlines", .list(withheldHeadlines.map { .text($0) })))
        }
        members.append(.init("comparisons", .list(comparisons.map(\.canonical))))
        if let restatements { members.append(.init("restatements", .list(restatements.map(\.canonical)))) }
        members += [
            .init("quality", quality.canonical)
        ]
        if audience != nil { members.append(.init("qualityShares", qualityShares?.canonical ?? .null)) }
        members += [
            .init("privacy", privacy.canonical),
            .init("rules", rules.canonical),
        ]
        return CanonicalJSON.object(members).document
    }
}

extension KPISummaryV1.KPICard {
    /// - Parameter withDirection: false for a document from before `isBetter` was added.
    func canonical(withDirection: Bool) -> CanonicalJSON {
        let direction = CanonicalJSON.Member("isBetter", isBetter.map { .bool($0) } ?? .null)
        return .object(
            [
                .init("id", .text(id)), .init("title", .text(title)), .init("value", .text(value)),
                .init("subtitle", .text(subtitle)), .init("accessibilityLabel", .text(accessibilityLabel)),
                .init("trend", .text(orNull: trend)),
            ] + (withDirection ? [direction] : []) + [
                .init("totalTrips", .integer(totalTrips)), .init("avgDuration", .fixed(avgDuration)),
                .init("chartData", .list(chartData.map { .double($0) })),
            ])
    }
}

extension KPISummaryV1.Filters {
    var canonical: CanonicalJSON {
        .object([
            .init("months", .list(months.map { .text($0) })), .init("regions", .list(regions.map { .text($0) })),
            .init("tripTypes", .list(tripTypes.map { .text($0) })),
        ])
    }
}

extension KPISummaryV1.Cell {
    /// The cell's members in the contract's order, for the document and for line-by-line outputs.
    package var canonicalMembers: [CanonicalJSON.Member] {
        var members: [CanonicalJSON.Member] = [
            .init("month", .text(month)), .init("region", .text(region)), .init("tripType", .text(tripType)),
            .init("suppressed", .bool(suppressed)),
        ]
        if let complete { members.append(.init("complete", .bool(complete))) }
        if let revisionPending { members.append(.init("revisionPending", .bool(revisionPending))) }
        members.append(.init("sourcingSuppressed", .bool(sourcingSuppressed)))
        if let sourcingBasis { members.append(.init("sourcingBasis", .text(sourcingBasis))) }
        if let incompleteMeasures {
            members.append(.init("incompleteMeasures", .list(incompleteMeasures.map { .text($0) })))
        }
        return members + [
            .init("trips", .integer(trips)), .init("cancelled", .integer(cancelled)),
            .init("noShow", .integer(noShow)), .init("inHouse", .integer(inHouse)),
            .init("contracted", .integer(contracted)), .init("unclassified", .integer(unclassified)),
            .init("inHousePercent", .integer(inHousePercent)), .init("inHouseShare", .fixed(inHouseShare)),
            .init("totalCost", .fixed(totalCost)), .init("inHouseCost", .fixed(inHouseCost)),
            .init("contractedCost", .fixed(contractedCost)), .init("costedTrips", .integer(costedTrips)),
            .init("costPerTrip", .fixed(costPerTrip)), .init("loadedMiles", .fixed(loadedMiles)),
            .init("unloadedMiles", .fixed(unloadedMiles)), .init("costPerLoadedMile", .fixed(costPerLoadedMile)),
            .init("loadedMileRatio", .fixed(loadedMileRatio)), .init("duration", duration.canonical),
            .init("response", response.canonical), .init("turnout", turnout.canonical),
            .init("scene", scene.canonical), .init("transport", transport.canonical),
            .init("turnaround", turnaround.canonical),
        ]
    }
}

extension KPISummaryV1.MergedGroup {
    var canonical: CanonicalJSON {
        .object([
            .init("month", .text(month)), .init("regions", .list(regions.map { .text($0) })),
            .init("tripTypes", .list(tripTypes.map { .text($0) })), .init("trips", .integer(trips)),
        ])
    }
}

extension KPISummaryV1.Interval {
    var canonical: CanonicalJSON {
        .object([
            .init("used", .integer(used)), .init("excluded", .integer(excluded)), .init("mean", .fixed(mean)),
            .init("p50", .integer(p50)), .init("p90", .integer(p90)),
        ])
    }
}

extension KPISummaryV1.Comparison {
    var canonical: CanonicalJSON {
        .object([
            .init("month", .text(month)), .init("region", .text(region)), .init("tripType", .text(tripType)),
            .init("trips", .integer(trips)), .init("previousMonthTrips", .integer(previousMonthTrips)),
            .init("previousYearTrips", .integer(previousYearTrips)),
            .init("monthOverMonth", .fixed(monthOverMonth)), .init("yearOverYear", .fixed(yearOverYear)),
            .init("rolling12Trips", .integer(rolling12Trips)), .init("rolling12Cost", .fixed(rolling12Cost)),
            .init("fiscalYear", .integer(fiscalYear)),
            .init("fiscalYearToDateTrips", .integer(fiscalYearToDateTrips)),
            .init("fiscalYearToDateCost", .fixed(fiscalYearToDateCost)),
        ])
    }
}

extension KPISummaryV1.Quality {
    var canonical: CanonicalJSON {
        let warningsByCode = warnings.sorted { $0.key < $1.key }
            .map { CanonicalJSON.Member($0.key, .integer($0.value)) }
        var members: [CanonicalJSON.Member] = [
            .init("read", .integer(read)), .init("added", .integer(added)), .init("updated", .integer(updated)),
            .init("unchanged", .integer(unchanged)), .init("superseded", .integer(superseded)),
            .init("skipped", .integer(skipped)), .init("rejected", .integer(rejected)),
            .init("warnings", .object(warningsByCode)), .init("freshness", freshness.canonical),
        ]
        // The three keys were added together.
        if let exports {
            members += [
                .init("exports", exports.canonical), .init("missingDayCount", .integer(missingDayCount)),
                .init("missingDays", missingDays.map { .list($0.map { .text($0) }) } ?? .null),
            ]
        }
        return .object(members)
    }
}

extension KPISummaryV1.ExportCounts {
    var canonical: CanonicalJSON {
        .object([
            .init("loaded", .integer(loaded)), .init("failed", .integer(failed)), .init("waived", .integer(waived)),
        ])
    }
}

extension KPISummaryV1.Freshness {
    var canonical: CanonicalJSON {
        .object([.init("newestTrip", .text(orNull: newestTrip)), .init("ageDays", .integer(ageDays))])
    }
}

extension KPISummaryV1.PrivacyStatement {
    var canonical: CanonicalJSON {
        var members: [CanonicalJSON.Member] = [
            .init("statement", .text(statement)), .init("minimumCell", .integer(minimumCell)),
            .init("suppressedCells", .integer(suppressedCells)),
            .init("auditPassed", auditPassed.map { .bool($0) } ?? .null),
        ]
        // Only the stricter policy is stated.
        if let missingCounts { members.append(.init("missingCounts", .text(missingCounts))) }
        return .object(members)
    }
}

extension KPISummaryV1.RuleSetStamp {
    var canonical: CanonicalJSON { .object([.init("name", .text(name)), .init("version", .text(version))]) }
}
