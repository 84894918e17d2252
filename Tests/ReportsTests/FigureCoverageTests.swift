import Basics
import KPIContract
import KPIs
import Privacy
import Reports
import TestSupport
import Testing
import Trips
import Workbooks

/// What is said of figures that leave out trips, and what is not compared.
@Suite struct FigureCoverageTests {
    /// Two months of 300 trips; the second is dearer, and its second region may have more trips.
    private func twoMonths(last: Int = 150) -> TripGroups {
        var groups = TripGroups()
        for (offset, month) in [ReportFixture.january, ReportFixture.january.advanced(by: 1)].enumerated() {
            for region in [UInt8(1), 2] {
                groups.add(offset == 0 || region == 1 ? 150 : last, month: month, region: region, tripType: 1) {
                    $0.costCents = 10_000 + 100 * offset
                    $0.seconds = [.duration: 1_800 + offset, .response: 600 - offset]
                }
            }
        }
        return groups
    }

    private func withFewCosts() -> TripGroups {
        var groups = twoMonths()
        let february = ReportFixture.january.advanced(by: 1)
        // Contracted trips, of which five have a cost: too few for it to be published of these.
        groups.add(5, month: february, region: 2, tripType: 2) {
            $0.sourcing = .contracted
            $0.costCents = 900_000
        }
        groups.add(40, month: february, region: 2, tripType: 2) { $0.sourcing = .contracted }
        return groups
    }

    private func card(_ id: String, _ groups: TripGroups) throws -> KPISummaryV1.KPICard? {
        try ReportFixture.report(groups).summary.kpiCards.first { $0.id == id }
    }

    /// Two months say nothing about what is usual.
    @Test func aTrendOfTwoMonthsIsNeitherBetterNorWorse() throws {
        let trips = try card("totalTrips", twoMonths(last: 160))
        #expect(trips?.trend == "up" && trips?.isBetter == nil)
        let cost = try card("costPerTrip", twoMonths())
        #expect(cost?.trend == "up" && cost?.isBetter == nil)
        #expect(cost?.accessibilityLabel.contains("usual") == false)
        let response = try card("responseP90", twoMonths())
        #expect(response?.trend == "down" || response?.trend == "flat")
        let share = try card("inHousePercent", twoMonths())
        #expect(share?.trend == "flat" && share?.isBetter == nil)
    }

    @Test func aMonthThatLeavesOutTripsHasNoTrend() throws {
        let cost = try card("costPerTrip", withFewCosts())
        // A cost per trip of part of the trips would be biased: it is not shown.
        #expect(cost?.trend == nil && cost?.isBetter == nil && cost?.value == "Hidden")
        #expect(
            cost?.accessibilityLabel.hasSuffix("Chart: $100.00 in 2026-01.") == true,
            "\(cost?.accessibilityLabel ?? "")")
        // Its trips are all there.
        #expect(try card("totalTrips", withFewCosts())?.trend == "up")
        // Staff see every trip.
        let staff = try ReportFixture.report(withFewCosts(), audience: .staff).summary.kpiCards
        #expect(staff.first { $0.id == "costPerTrip" }?.trend == "up")
        #expect(staff.allSatisfy { !$0.subtitle.contains("at least") })
    }

    @Test func figuresOfDifferentTripsAreNotComparable() throws {
        let kpi = try #require(KPICatalog.description(named: "inHousePercent"))
        var cell = try #require(try ReportFixture.report(twoMonths()).summary.cells.first)
        let whole = kpi.coverage(cell)
        #expect(whole == .all && whole.mark.isEmpty && whole.words == nil)
        cell.incompleteMeasures = ["inHouse"]
        #expect(kpi.coverage(cell).mark == "+" && !kpi.coverage(cell).isComparable(with: kpi.coverage(cell)))
        #expect(KPICatalog.description(named: "trips")?.coverage(cell) == .all)
    }

    /// In a document of 1.1 a cell that leaves out trips leaves them out of every measure, and sourcing has one entry.
    @Test func coverageOfEarlierDocuments() throws {
        func isIncomplete(_ name: String, _ change: (inout KPISummaryV1.Cell) -> Void) throws -> Bool {
            var cell = KPISummaryV1.Cell(
                month: "All", region: "All", tripType: "All", suppressed: false, complete: true,
                sourcingSuppressed: false, sourcingBasis: "classified", incompleteMeasures: [])
            change(&cell)
            return try #require(KPICatalog.description(named: name)).coverage(cell).isIncomplete
        }
        for name in ["trips", "inHouseShare", "totalCost", "response.p90"] {
            #expect(try isIncomplete(name) { $0.complete = false })
        }
        // Cancelled trips are a population of their own.
        #expect(try !isIncomplete("cancelled") { $0.complete = false })
        #expect(try isIncomplete("inHouseShare") { $0.incompleteMeasures = ["sourcing"] })
        #expect(try isIncomplete("inHouseCost") { $0.incompleteMeasures = ["costBySourcing"] })
        #expect(try isIncomplete("inHouseShare") { $0.sourcingBasis = "all" })
        #expect(try !isIncomplete("totalCost") { $0.incompleteMeasures = ["sourcing", "costBySourcing"] })
    }

    /// Each measure that can be incomplete marks at least one KPI, and each KPI but the cost that only staff see has one.
    @Test func everyKPINamesItsMeasures() {
        let names: Set<String> = [
            "trips", "inHouse", "contracted", "unclassified", "cancelled", "noShow", "cost", "inHouseCost",
            "contractedCost", "loadedMiles", "unloadedMiles", "costPerLoadedMile", "duration", "response", "turnout",
            "scene", "transport", "turnaround",
        ]
        #expect(Set(KPICatalog.all.flatMap(\.partialMeasures)) == names)
        #expect(Set(PartialMeasure.all.map(\.name)) == names)
        #expect(KPICatalog.all.filter(\.partialMeasures.isEmpty).map(\.name) == ["costNotRun"])
    }

    @Test func theTerminalMarksWhatLeavesOutTrips() throws {
        let text = TableReport(color: false).text(try ReportFixture.report(withFewCosts()))
        #expect(text.contains("Marked +: at least."))
        let staff = TableReport(color: false).text(try ReportFixture.report(withFewCosts(), audience: .staff))
        #expect(!staff.contains("00+") && !staff.contains("Marked"))
    }

    @Test func aMarkIsInTheNumberFormat() throws {
        #expect(try workbookFormats(withFewCosts()).contains { $0.contains("&quot;+&quot;") })
        let complete = try workbookFormats(twoMonths())
        #expect(!complete.isEmpty && complete.allSatisfy { !$0.contains("&quot;+&quot;") })
    }

    private func workbookFormats(_ groups: TripGroups) throws -> [String] {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "month.xlsx")
            try WorkbookReport(ReportFixture.report(groups), createdAt: UTCTime(secondsSince1970: 1)).write(to: path)
            let styles = try WorkbookArchive(path: path).parts["xl/styles.xml"] ?? ""
            return styles.split(separator: "<").filter { $0.hasPrefix("numFmt ") }.map { String($0) }
        }
    }

    @Test func sharesStandInAReleaseOfManyRecords() throws {
        var facts = ReportFixture.facts
        facts.counts.read = 2_000
        facts.counts.rejected = 30
        func shares(_ facts: RunStatement) throws -> KPISummaryV1.QualityShares? {
            try ReportFixture.report(withFewCosts(), facts: facts).summary.qualityShares
        }
        let found = try #require(try shares(facts))
        #expect(found.rejectedRecords == 2 && found.tripsWithCost == nil)
        #expect(found.tripsWithoutRegion == 0 && found.lines[2].text == "under 1%")
        facts.counts.rejected = 10
        #expect(try shares(facts)?.rejectedRecords == nil)
        facts.counts.rejected = 0
        #expect(try shares(facts)?.rejectedRecords == nil)
        facts.counts.read = 999
        #expect(try shares(facts) == nil)
        #expect(try ReportFixture.report(audience: .staff, facts: facts).summary.qualityShares == nil)
    }
}
