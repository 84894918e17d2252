import DisclosureAudit
import KPIContract
import TestSupport
import Testing

/// What a faulty or careless program could publish, and the auditor stops.
@Suite struct DishonestReleaseTests {
    private let honest = HonestFiles(.example(seed: 2))

    /// Of honest files, after a change of what the auditor is told.
    private func groupFindings(
        in files: [String: [UInt8]]? = nil, _ change: (inout AuditedRelease) -> Void = { _ in }
    ) -> [String] {
        var release = honest.release.audited
        change(&release)
        let audit = DisclosureAudit(
            of: release, facts: HonestFiles.facts,
            files: AuditedFiles(
                csvColumns: HonestFiles.columns, csvMark: HonestFiles.mark, renderPage: HonestFiles.page))
        return audit.findings(in: files ?? honest.files)
    }

    /// Of a changed document, written as the contract has it, with the page that belongs to it.
    private func findings(_ change: (inout KPISummaryV1) -> Void) -> [String] {
        var summary = honest.summary
        change(&summary)
        let bytes = summary.canonicalJSON()
        var files = honest.files
        files["kpi-summary.json"] = bytes
        files["dashboard.html"] = HonestFiles.page(bytes)
        return groupFindings(in: files)
    }

    private func has(_ part: String, _ findings: [String]) -> Bool { findings.contains { $0.contains(part) } }

    @Test func aGroupBelowTheMinimumIsFound() {
        #expect(has("fewer trips than the minimum", groupFindings { $0.groups[0].trips = 10 }))
        #expect(has("fewer patients than the minimum", groupFindings { $0.groups[0].patients = 10 }))
        #expect(!has("fewer patients", groupFindings { $0.groups[0].patients = 11 }))
    }

    @Test func groupsThatOverlapAreFound() {
        let found = groupFindings { $0.groups[1].leaves.append($0.groups[0].leaves[0]) }
        #expect(has("shares a region and trip type with another group", found))
        #expect(has("shares", groupFindings { $0.groups[0].leaves.append($0.groups[0].leaves[0]) }))
    }

    @Test func aGroupThatConfinesItsPartsIsFound() {
        // Two leaves with 15 trips together: each of them has 5 at least.
        let found = groupFindings { release in
            release.groups[0].leaves = [
                AuditedLeaf(region: "North", tripType: "Routine"), AuditedLeaf(region: "South", tripType: "Routine"),
            ]
            release.groups[0].trips = 15
        }
        #expect(has("confines one of its parts", found))
        // A revised group may have got any number of trips since it was made.
        let revised = groupFindings { release in
            release.groups[0].leaves = [
                AuditedLeaf(region: "North", tripType: "Routine"), AuditedLeaf(region: "South", tripType: "Routine"),
            ]
            release.groups[0].trips = 15
            release.groups[0].isRevised = true
        }
        #expect(!has("confines one of its parts", revised))
    }

    @Test func unknownNamesAndMonthsAreFound() {
        #expect(has("does not have", groupFindings { $0.groups[0].leaves[0].region = "Elsewhere" }))
        #expect(has("does not have", groupFindings { $0.groups[0].month = "2031-01" }))
        #expect(has("lists of months", groupFindings { $0.withheldMonths = ["2026-03"] }))
        #expect(has("twice in the list", groupFindings { $0.regions.append("North") }))
    }

    @Test func groupsThatContradictThemselvesAreFound() {
        #expect(has("contradict each other", groupFindings { $0.groups[0].tripsBySourcing.inHouse += 1 }))
        #expect(has("contradict each other", groupFindings { $0.groups[0].intervals.removeLast() }))
        let found = groupFindings { release in
            for index in release.groups.indices where release.groups[index].population == .completed {
                let own = release.groups[index].intervals[0]
                release.groups[index].intervals[0].histogram = { own.histogram().dropLast() }
            }
        }
        #expect(has("contradict their count or their sum", found))
    }

    @Test func aPopulationThatIsNeitherShownNorHiddenIsFound() {
        let found = groupFindings { release in
            release.groups.removeAll { $0.population == .noShow }
            release.unpublished = []
        }
        #expect(has("neither in groups nor unpublished", found))
    }

    @Test(arguments: [
        "Total trips: 1,234 and 17 more", "all but \u{0661}\u{0667}", "all but \u{00BD}", "all but seven",
        "12 left out",
        "2026-01 to 2026-03, 4 hidden", "leaves out \u{FF17}", "a dozen more",
    ])
    func aFigureInATextIsFound(text: String) {
        #expect(has("card totalTrips: subtitle", findings { $0.kpiCards[0].subtitle = text }))
        #expect(has("card costPerTrip: accessibilityLabel", findings { $0.kpiCards[2].accessibilityLabel = text }))
    }

    /// Also each number of the spoken chart summary.
    @Test(arguments: 0..<5)
    func eachDigitOfACardsLabelIsHeld(card: Int) throws {
        let label = Array(try #require(honest.summary.kpiCards.dropFirst(card).first).accessibilityLabel.utf8)
        let digits = label.indices.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(label[$0]) }
        #expect(digits.count > 8)
        for place in digits {
            var changed = label
            changed[place] = UInt8(ascii: "0") + (label[place] - UInt8(ascii: "0") + 1) % 10
            let text = String(decoding: changed, as: UTF8.self)
            #expect(has("accessibilityLabel", findings { $0.kpiCards[card].accessibilityLabel = text }), "\(text)")
        }
    }

    @Test func aChartSummaryIsOfThisChart() throws {
        var tried = [0, 0, 0, 0, 0]
        for (place, card) in honest.summary.kpiCards.enumerated() {
            let label = card.accessibilityLabel
            let start = try #require(label.firstRange(of: " Chart")).lowerBound
            let others = [
                String(label[..<start]), label[..<start] + " Chart: 12 in 2026-01." + label[start...],
                label.replacing("leaves out", with: "has all").replacing("leave out", with: "have all"),
                label.replacing("not comparable", with: "comparable"), label.replacing("; least", with: "; most"),
            ]
            for (kind, other) in others.enumerated() where other != label {
                tried[kind] += 1
                #expect(
                    has("accessibilityLabel", findings { $0.kpiCards[place].accessibilityLabel = other }), "\(other)")
            }
        }
        #expect(tried.min() ?? 0 > 0, "\(tried)")
    }

    @Test func aFigureInAnyOtherTextIsFound() {
        #expect(has("title", findings { $0.kpiCards[1].title = "In-house 7" }))
        #expect(has("value", findings { $0.kpiCards[1].value = "12 of 19" }))
        #expect(has("rules.name", findings { $0.rules.name = "rules 12" }))
        #expect(has("dateBasis", findings { $0.dateBasis += "; 12 left out" }))
        let events = KPISummaryV1.IntervalEvents(interval: "response", start: "requested_at", end: "12")
        #expect(has("intervalEvents", findings { $0.intervalEvents = [events] }))
        #expect(has("privacy.statement", findings { $0.privacy.statement += " 12 are hidden." }))
        #expect(has("quality.warnings", findings { $0.quality.warnings["bad_cost_12"] = .some(nil) }))
        #expect(has("withheldHeadlines", findings { $0.withheldHeadlines = ["12"] }))
    }

    @Test func figuresForStaffAreFound() {
        #expect(has("quality.added", findings { $0.quality.added = 5_000 }))
        #expect(has("quality.warnings", findings { $0.quality.warnings["bad_cost"] = 3 }))
        // The contract writes missing days beside the count of exports only.
        #expect(
            has(
                "quality.missingDays",
                findings { summary in
                    summary.quality.exports = .init(loaded: 3)
                    summary.quality.missingDays = ["2026-01-02"]
                }))
        #expect(has("audience", findings { $0.audience = "staff" }))
        #expect(has("auditPassed", findings { $0.privacy.auditPassed = false }))
        #expect(!findings { $0.quality.freshness.newestTrip = "2026-04-02" }.isEmpty)
    }

    @Test func anAuditThatIsNotMadeYetMayBeSaidToBe() {
        let files = honest.files
        var summary = honest.summary
        summary.privacy.auditPassed = nil
        let bytes = summary.canonicalJSON()
        #expect(
            groupFindings(in: ["kpi-summary.json": bytes, "kpi-cells.csv": files["kpi-cells.csv"] ?? []]) == [])
    }

    @Test func restatementsMustBeStated() {
        let restatement = KPISummaryV1.Restatement(
            month: "2026-01", restatedAt: "2026-05-01T00:00:00Z", before: .init(trips: 412), after: .init())
        #expect(has("restatements", findings { $0.restatements = [restatement] }))
    }

    @Test func aCellOfAGroupThatReachesBeyondItIsFound() {
        // The program shows the part of a merged group that lies in a region.
        let cell = honest.cells.firstIndex { $0.suppressed } ?? 0
        let found = findings { summary in
            summary.cells[cell].suppressed = false
            summary.cells[cell].trips = 4
        }
        #expect(has(": trips is not the one of its groups", found))
        #expect(has("suppressed is not the one of its groups", found))
    }

    @Test func unknownKeysAreFound() {
        let text = String(decoding: honest.files["kpi-summary.json"] ?? [], as: UTF8.self)
        for (old, new) in [
            ("\"suppressed\":", "\"largestTrip\":12,\"suppressed\":"),
            ("  \"quality\":", "  \"notes\": 3,\n  \"quality\":"),
        ] {
            var files = honest.files
            let changed = text.split(separator: old, maxSplits: 1).joined(separator: new)
            files["kpi-summary.json"] = Array(changed.utf8)
            #expect(has("its bytes are not those that the contract writes for it", groupFindings(in: files)))
        }
    }

    @Test func cellsThatAreMissingOrTwiceAreFound() {
        #expect(has("cells are missing", findings { $0.cells.removeLast() }))
        #expect(has("cells", findings { $0.cells.append($0.cells[0]) }))
        #expect(has("cells", findings { $0.cells.swapAt(1, 2) }))
        #expect(has("mergedGroups", findings { $0.mergedGroups = [] }))
        #expect(has("mergedGroups", findings { summary in summary.mergedGroups = nil }))
    }

    @Test func aSentenceWithANumberFromElsewhereIsFound() {
        let month = honest.summary.headline?.month ?? ""
        func found(_ sentence: String) -> Bool {
            has("a number that no figure shown is", findings { $0.headline?.sentences = [sentence] })
        }
        let trips = honest.summary.cells.first { $0.key == CellKey(month: month) }?.trips ?? 0
        #expect(!found("\(month): \(NumberText.grouped(trips)) trips."))
        #expect(found("\(month): \(NumberText.grouped(trips))7 trips."))
        #expect(found("In North 3 of them were cancelled."))
        #expect(has("not of a month that is shown", findings { $0.headline?.month = "2031-01" }))
        #expect(has("headline is missing", findings { $0.headline = nil }))
    }
}
