import DisclosureAudit
import KPIContract
import TestSupport
import Testing

/// What a faulty or careless program could publish, and the auditor stops.
@Suite struct DishonestReleaseTests {
    private let honest = HonestFiles(.example(seed: 2))

    /// Of a changed document, written as the contract has it, with the page that belongs to it.
    private func findings(_ change: (inout KPISummaryV1) -> Void) -> [String] {
        var summary = honest.summary
        change(&summary)
        return honest.audit.findings(in: honest.files(of: summary))
    }

    private func has(_ part: String, _ findings: [String]) -> Bool { findings.contains { $0.contains(part) } }

    @Test func aFigureInAnyTextIsFound() {
        #expect(has("rules.name", findings { $0.rules.name = "rules 12" }))
        #expect(has("rules.version", findings { $0.rules.version = "12" }))
        #expect(has("dateBasis", findings { $0.dateBasis += "; 12 left out" }))
        #expect(has("selection", findings { $0.selection = ["12 left out"] }))
        let events = KPISummaryV1.IntervalEvents(interval: "response", start: "requested_at", end: "12")
        #expect(has("intervalEvents", findings { $0.intervalEvents = [events] }))
        #expect(has("privacy.statement", findings { $0.privacy.statement += " 12 are hidden." }))
        #expect(has("quality.warnings", findings { $0.quality.warnings["bad_cost_12"] = .some(nil) }))
        #expect(has("partialMonths", findings { $0.partialMonths = ["2026-01"] }))
        #expect(has("withheldMonths", findings { $0.withheldMonths.append("2026-12") }))
    }

    @Test func figuresForStaffAreFound() {
        #expect(has("quality.added", findings { $0.quality.added = 5_000 }))
        #expect(has("quality.merged", findings { $0.quality.merged = 5 }))
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
        #expect(has("costNotRun is not the one", findings { $0.cells[0].costNotRun = Cents(cents: 0) }))
    }

    @Test(arguments: [
        "2026-04-02", "2026-02-28", "2026-03-32", "2026-02-30", "2026-3-28", "today", "2026-03-28T00:00:00Z",
    ])
    func aFalseNewestTripIsFound(day: String) {
        let found = findings { summary in
            summary.quality.freshness.newestTrip = day
            summary.dataThrough = day
        }
        #expect(has("quality.freshness", found))
    }

    @Test func freshnessIsOfTheNewestTrip() {
        #expect(has("ageDays", findings { $0.quality.freshness.ageDays = 41 }))
        #expect(has("dataThrough", findings { $0.dataThrough = "2026-03-27" }))
        #expect(has("ageDays", findings { $0.quality.freshness.ageDays = nil }))
    }

    @Test func anAuditThatIsNotMadeYetMayBeSaidToBe() {
        #expect(findings { $0.privacy.auditPassed = nil } == [])
    }

    @Test func restatementsMustBeStatedAndOfTheCells() {
        let cell = honest.writer.cell("2026-01", "All", "All")
        var restatement = KPISummaryV1.Restatement(
            month: "2026-01", restatedAt: "2026-05-01T00:00:00Z", before: .init(trips: 412),
            after: .init(
                trips: cell.trips, inHousePercent: cell.inHousePercent, totalCost: cell.totalCost,
                costPerTrip: cell.costPerTrip, avgDuration: cell.duration.mean, responseP90: cell.response.p90))
        #expect(has("restatements", findings { $0.restatements = [restatement] }))
        var facts = HonestFiles.facts
        for isRight in [true, false] {
            if !isRight { restatement.after.trips = 1 }
            facts.restatements = [restatement]
            var summary = honest.summary
            summary.restatements = [restatement]
            let audit = DisclosureAudit(of: honest.release.audited, facts: facts, files: honest.written)
            #expect(audit.findings(in: honest.files(of: summary)).isEmpty == isRight)
        }
    }

    /// The program shows the part of a merged group that lies in a region.
    @Test func aCellOfAGroupThatReachesBeyondItIsFound() throws {
        let honest = try #require(
            (UInt64(1)...20).lazy.map { HonestFiles(.example(seed: $0)) }.first {
                $0.cells.contains(where: \.suppressed)
            })
        var summary = honest.summary
        let place = try #require(honest.cells.firstIndex { $0.suppressed })
        summary.cells[place].suppressed = false
        summary.cells[place].trips = 4
        let found = honest.audit.findings(in: honest.files(of: summary))
        #expect(has(").trips is not the one", found))
        #expect(has("suppressed is not the one", found))
    }

    /// A figure that is not of all trips of its cell is a false one.
    @Test func aShareOfSomeTripsIsFound() throws {
        let honest = try #require(
            (UInt64(1)...40).lazy.map { HonestFiles(.example(seed: $0)) }.first { honest in
                honest.cells.contains { $0.inHouse ?? 0 > 0 && $0.contracted ?? 0 > 0 && $0.inHouseShare == nil }
            })
        let place = try #require(
            honest.cells.firstIndex { $0.inHouse ?? 0 > 0 && $0.contracted ?? 0 > 0 && $0.inHouseShare == nil })
        var summary = honest.summary
        summary.cells[place].inHousePercent = 60
        summary.cells[place].incompleteMeasures?.removeAll { ["inHouse", "contracted"].contains($0) }
        let found = honest.audit.findings(in: honest.files(of: summary))
        #expect(has("inHousePercent is not the one", found))
        #expect(has("incompleteMeasures is not the one", found))
    }

    @Test func unknownKeysAreFound() {
        let text = String(decoding: honest.files["kpi-summary.json"] ?? [], as: UTF8.self)
        for (old, new) in [
            ("\"suppressed\":", "\"largestTrip\":12,\"suppressed\":"),
            ("\"population\":", "\"smallestLeaf\":12,\"population\":"),
            ("  \"quality\":", "  \"notes\": 3,\n  \"quality\":"),
        ] {
            var files = honest.files
            let changed = text.split(separator: old, maxSplits: 1).joined(separator: new)
            files["kpi-summary.json"] = Array(changed.utf8)
            #expect(has("its bytes are not those that the contract writes for it", honest.audit.findings(in: files)))
        }
    }

    @Test func cellsThatAreMissingOrTwiceAreFound() {
        #expect(has("cells is not the one", findings { $0.cells.removeLast() }))
        #expect(has("cells is not the one", findings { $0.cells.append($0.cells[0]) }))
        #expect(has("cells (", findings { $0.cells.swapAt(1, 2) }))
        #expect(has("filters", findings { $0.filters.regions.removeLast() }))
    }

    @Test func groupsThatAreMissingTwiceOrOthersAreFound() {
        #expect(has("groups is not the one", findings { $0.groups?.removeLast() }))
        #expect(has("groups is not the one", findings { $0.groups = nil }))
        #expect(has("groups (", findings { $0.groups?.swapAt(0, 1) }))
        #expect(has("revisionPending", findings { $0.groups?[0].revisionPending.toggle() }))
        #expect(has("population", findings { $0.groups?[0].population = .completed }))
        #expect(has("trips", findings { $0.groups?[0].figures.trips? += 1 }))
        #expect(has("regions", findings { $0.groups?[0].regions[0] = "South" }))
        #expect(has("mergedGroups", findings { $0.mergedGroups = [] }))
        #expect(has("mergedGroups", findings { $0.mergedGroups?[0].trips += 1 }))
        #expect(has("mergedGroups", findings { $0.mergedGroups = $0.mergedGroups.map { $0 + $0 } }))
        #expect(has("mergedGroups", findings { summary in summary.mergedGroups = nil }))
    }

    /// The order of a group's leaves may say which of them is the largest.
    @Test func leavesInAnotherOrderAreFound() throws {
        let groups = honest.summary.groups ?? []
        let place = try #require(groups.firstIndex { $0.isMerged })
        let found = findings { summary in
            summary.groups?[place].regions.reverse()
            summary.groups?[place].tripTypes.reverse()
        }
        #expect(!found.isEmpty)
    }
}
