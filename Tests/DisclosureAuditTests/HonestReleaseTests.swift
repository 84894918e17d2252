import DisclosureAudit
import KPIContract
import TestSupport
import Testing

/// A release that is what it says passes the audit.
@Suite struct HonestReleaseTests {
    @Test func honestFilesOfManyReleasesPass() {
        withEvery("seed", in: UInt64(1)...60) { seed in
            let honest = HonestFiles(.example(seed: seed))
            #expect(honest.audit.findings(in: honest.files) == [], CaseTrace.current)
        }
    }

    /// Two years of twenty regions and six trip types.
    @Test func honestFilesOfALargeReleasePass() {
        let letter = { (number: Int) in Character(UnicodeScalar(UInt8(64 + number))) }
        let honest = HonestFiles(
            SyntheticRelease(
                seed: 1, months: Self.months(24), regions: (1...20).map { "Region \(letter($0))" },
                tripTypes: (1...6).map { "Type \(letter($0))" }, tripsPerLeaf: 15...70))
        #expect(honest.cells.count > 2_000)
        #expect(honest.audit.findings(in: honest.files) == [])
    }

    /// The months to March 2026.
    private static func months(_ count: Int) -> [String] {
        (0..<count).map { index in
            let ordinal = 2026 * 12 + 3 - count + index
            return "\(ordinal / 12)-" + (ordinal % 12 < 9 ? "0" : "") + "\(ordinal % 12 + 1)"
        }
    }

    @Test func honestFilesWithoutCountsOfMissingValuesPass() {
        withEvery("seed", in: UInt64(1)...30) { seed in
            let honest = HonestFiles(.example(seed: seed).omitting)
            #expect(honest.audit.findings(in: honest.files) == [], CaseTrace.current)
        }
    }

    @Test func aMeanThatOthersAddUpToIsLeftOut() {
        for seed in UInt64(1)...10 {
            var release = SyntheticRelease.example(seed: seed)
            release.placeWithoutMean = 0
            let honest = HonestFiles(release)
            #expect(honest.audit.findings(in: honest.files) == [], "seed \(seed)")
            #expect(honest.cells.allSatisfy { $0.duration.mean == nil })
        }
    }

    @Test func selectionsPass() {
        let selections = [
            AuditedSelection(regions: ["North", "South"]),
            AuditedSelection(months: ["2026-02"], tripTypes: ["Routine"]),
            AuditedSelection(regions: ["South", "Unassigned"], tripTypes: ["Emergency", "Unassigned"]),
        ]
        var passed = 0
        for seed in UInt64(1)...20 {
            for selection in selections {
                var release = SyntheticRelease.example(seed: seed)
                release.selection = selection
                let honest = HonestFiles(release)
                let findings = honest.audit.findings(in: honest.files)
                if honest.cells[0].suppressed {
                    #expect(!findings.isEmpty)
                } else {
                    #expect(findings == [], "seed \(seed)")
                    passed += 1
                }
            }
        }
        #expect(passed > 20)
    }

    /// The examples meet each of the rules, so that passing says something.
    @Test func examplesHaveEveryKindOfCell() {
        let cells = (UInt64(1)...60).flatMap { HonestFiles(.example(seed: $0)).cells }
        let kinds: [(String, (KPISummaryV1.Cell) -> Bool)] = [
            ("suppressed", { $0.suppressed }), ("empty", { $0.complete == true && $0.trips == 0 }),
            ("in part", { $0.complete == false && !$0.suppressed }),
            ("with a share", { $0.inHousePercent != nil }),
            ("without sourcing", { $0.trips != nil && $0.inHouse == nil }),
            ("in-house in part", { $0.inHouse != nil && ($0.incompleteMeasures ?? []).contains("inHouse") }),
            ("pending", { $0.revisionPending == true }),
            ("with a cost and without its quotient", { $0.totalCost != nil && $0.costPerLoadedMile == nil }),
            ("with a cost per mile", { $0.costPerLoadedMile != nil }),
            ("with costed trips of some groups", { $0.costedTrips != nil && $0.totalCost == nil }),
            ("with p90", { $0.response.p90 != nil }),
            ("with used alone", { $0.response.used != nil && $0.response.p90 == nil }),
        ]
        for (kind, isOne) in kinds {
            let isThere = cells.contains(where: isOne)
            #expect(isThere, "\(kind)")
        }
        #expect(Set(cells.flatMap { $0.incompleteMeasures ?? [] }).count == 18)
    }

    @Test func examplesHaveEveryKindOfGroup() {
        let releases = (UInt64(1)...60).map(SyntheticRelease.example), groups = releases.flatMap(\.groups)
        #expect(Set(groups.map(\.population)).count == 6)
        #expect(groups.contains { $0.isRevised && $0.trips.isEmpty } && groups.contains { $0.isPending })
        #expect(Set(groups.filter { $0.leaves.count > 1 }.map(\.population)).count == 6)
        #expect(Set(releases.flatMap { $0.unpublished.map(\.population) }).count == 3)
        #expect(Set(releases.flatMap { $0.unpublishedMeasures.values.flatMap(\.self) }).count == 9)
    }

    @Test func figuresOfAYearAndMorePass() {
        let honest = HonestFiles(
            SyntheticRelease(
                seed: 3, months: Self.months(16), regions: ["North"], tripTypes: ["Routine"], tripsPerLeaf: 40...160))
        #expect(honest.summary.comparisons.count == honest.release.months.count)
        #expect(honest.summary.controlCharts?.isEmpty == false)
        #expect(honest.audit.findings(in: honest.files) == [])
    }

    @Test func tripsThatNameNoPatientsPass() {
        let honest = HonestFiles(
            SyntheticRelease(
                seed: 5, months: ["2026-03"], regions: ["North", "South"], tripTypes: ["Routine"],
                tripsPerLeaf: 20...60, namesPatients: false))
        #expect(honest.audit.findings(in: honest.files) == [])
    }
}
