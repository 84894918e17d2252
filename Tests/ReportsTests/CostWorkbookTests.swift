import Basics
import KPIs
import Privacy
import Reports
import TestSupport
import Testing
import Trips
import Workbooks

@Suite("Cost workbook") struct CostWorkbookTests {
    private static func ledger(provider: String = "Harbor") -> CostLedger {
        var tally = CostTally()
        var findings = CostFindings()
        for number in 0..<40 {
            var trip = CostTrip(month: Month(year: 2026, month: 1 + number % 2).index, day: 19_800)
            trip.providerID = 1
            trip.providerName = 2
            trip.sourcing = .contracted
            trip.costCents = 10_000 + 77 * number
            trip.loadedHundredths = 100 * (number % 5)
            tally.add(trip)
            if number % 5 == 0 {
                findings.add(trip, flags: CostFlags(.zeroMiles), at: CostTripLocation(high: 0, low: Int64(number)))
            }
        }
        let first = Month(year: 2026, month: 1).index
        let checks = CostChecks()
        return CostLedger(
            origin: .store, tally: tally, months: first...(first + 1),
            review: CostReview(
                findings: findings, examined: [.zeroMiles: 40], checks: checks, judge: checks.finished()),
            words: CostWords(
                texts: [1: "P-1", 2: provider], regions: NamedList(["Unassigned", "North"]),
                tripTypes: NamedList(["Unassigned", "Emergency"])))
    }

    private static func everything(
        _ audience: Audience, ledger: CostLedger?, missingCounts: MissingCountPolicy = .publish
    ) throws -> String {
        try withWorkbookFolder { folder in
            let path = folder + "/costs.xlsx"
            let report = try ReportFixture.report(audience: audience, missingCounts: missingCounts)
            try CostWorkbook(report, ledger: ledger, months: nil, createdAt: UTCTime(secondsSince1970: 1_775_000_000))
                .write(to: path)
            return try WorkbookArchive(path: path).everything
        }
    }

    @Test func aLedgerHasNoRoadIntoWhatIsReleased() throws {
        let released = try Self.everything(.release, ledger: Self.ledger())
        for word in ["Harbor", "P-1", "Exceptions", "Providers", "INTERNAL"] {
            #expect(!released.contains(word), "\(word) is in a workbook for release")
        }
        #expect(released.contains("hidden"))
        let inside = try Self.everything(.staff, ledger: Self.ledger())
        for word in ["Harbor", "P-1", "Exceptions", "INTERNAL"] { #expect(inside.contains(word)) }
    }

    /// Volume and price would give the costed trips back; the change of a cost that is shown does not.
    @Test func withoutCostedTripsTheChangeOfCostStays() throws {
        let published = try Self.everything(.release, ledger: nil)
        let omitted = try Self.everything(.release, ledger: nil, missingCounts: .omit)
        let perTrip = "ROUND(ROUND(100*", change = try Regex("<f>ROUND\\([A-Z]+[0-9]+-[A-Z]+[0-9]+,2\\)")
        #expect(published.contains(perTrip) && published.contains(change))
        #expect(!omitted.contains(perTrip) && omitted.contains(change))
        #expect(omitted.contains("Left out by the setting missing_counts"))
    }

    @Test func aProviderCannotBecomeAFormula() throws {
        let inside = try Self.everything(.staff, ledger: Self.ledger(provider: "=1+1"))
        #expect(inside.contains(">'=1+1<"))
        #expect(!inside.contains("<f>1+1"))
    }

    @Test func whatCannotBeCheckedSaysSo() throws {
        let inside = try Self.everything(.staff, ledger: Self.ledger())
        #expect(inside.contains("not made"))
        #expect(inside.contains("The store does not keep what this needs"))
    }

    @Test func theCoverLeadsToEverySheetAndSpeaksOfAChartOnlyWhereThereIsOne() throws {
        let inside = try Self.everything(.staff, ledger: Self.ledger())
        for sheet in ["Costs", "Variance", "In-house v contracted", "Lines", "Exceptions", "Definitions"] {
            #expect(inside.contains("location=\"'\(sheet)'!A1\""), "no link to \(sheet)")
        }
        #expect(inside.contains("With a chart."))
    }

    @Test func withoutAReviewTheWorkbookSaysWhereExceptionsAre() throws {
        var ledger = Self.ledger()
        ledger.review = nil
        let inside = try Self.everything(.staff, ledger: ledger)
        for sheet in ["Exceptions", "Checks"] { #expect(!inside.contains("location=\"'\(sheet)'!A1\"")) }
        #expect(inside.contains("`tripkpi costs --internal` lists them"))
        #expect(inside.contains("Harbor"))
    }

    /// The axis of a chart that begins at 0 would draw a negative cost as none.
    @Test(arguments: [(41_250, true), (-41_250, false)])
    func theChartGoesBelow0WhereACostDoes(cents: Int, beginsAt0: Bool) throws {
        var groups = TripGroups()
        for (sourcing, cost) in [(Sourcing.inHouse, cents), (.contracted, 50_000)] {
            groups.add(30, month: ReportFixture.january, region: 1, tripType: 1) {
                $0.sourcing = sourcing
                $0.costCents = cost
            }
        }
        let report = try ReportFixture.report(groups, audience: .staff)
        let parts = try withWorkbookFolder { folder in
            let path = folder + "/costs.xlsx"
            try CostWorkbook(report, ledger: nil, months: nil, createdAt: UTCTime(secondsSince1970: 1_775_000_000))
                .write(to: path)
            return try WorkbookArchive(path: path).parts
        }
        let chart = try #require(parts["xl/charts/chart1.xml"])
        #expect(chart.contains("<c:min val=\"0\"/>") == beginsAt0)
        #expect(chart.contains("<c:tickLblPos val=\"low\"/>") == !beginsAt0)
        let drawing = try #require(parts["xl/drawings/drawing1.xml"])
        #expect(drawing.contains("in-house cost is -$") == !beginsAt0)
        #expect(drawing.contains("in-house cost is $") == beginsAt0)
    }
}
