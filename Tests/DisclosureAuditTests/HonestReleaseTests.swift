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
        // April 2024 to March 2026.
        let months = (3..<27).map { month in
            let number = month % 12 + 1
            return "\(2024 + month / 12)-\(number < 10 ? "0" : "")\(number)"
        }
        let honest = HonestFiles(
            SyntheticRelease(
                seed: 1, months: months, regions: (1...20).map { "Region \(Character(UnicodeScalar(UInt8(64 + $0))))" },
                tripTypes: (1...6).map { "Type \(Character(UnicodeScalar(UInt8(64 + $0))))" }, tripsPerLeaf: 15...70))
        #expect(honest.cells.count > 2_000)
        #expect(honest.audit.findings(in: honest.files) == [])
    }

    @Test func honestFilesWithoutCountsOfMissingValuesPass() {
        withEvery("seed", in: UInt64(1)...30) { seed in
            let honest = HonestFiles(.example(seed: seed).omitting)
            #expect(honest.audit.findings(in: honest.files) == [], CaseTrace.current)
        }
    }

    /// Its counts are shown, and still the card says that it is hidden: "None" would say that there is no such time.
    @Test func aMeanThatIsLeftOutIsHiddenOnItsCard() throws {
        var release = SyntheticRelease.example(seed: 1)
        release.placeWithoutMean = 0
        let honest = HonestFiles(release)
        #expect(honest.audit.findings(in: honest.files) == [])
        #expect(honest.cells[0].duration.used ?? 0 > 0 && honest.cells[0].duration.mean == nil)
        #expect(honest.summary.kpiCards[3].value == "Hidden")
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
            ("in part", { $0.complete == false && !$0.suppressed }), ("in two", { $0.sourcingBasis == "all" }),
            ("in three", { $0.unclassified ?? 0 > 0 }), ("undivided", { $0.sourcingSuppressed && !$0.suppressed }),
            ("pending", { $0.revisionPending == true }), ("no share", { $0.inHousePercent == nil && $0.inHouse == 0 }),
        ]
        for (kind, isOne) in kinds {
            let isThere = cells.contains(where: isOne)
            #expect(isThere, "\(kind)")
        }
        let incomplete = Set(cells.flatMap { $0.incompleteMeasures ?? [] })
        #expect(incomplete.count == 13)
    }

    @Test func figuresOfAYearAndMorePass() {
        let months = (0..<16).map { index in
            let ordinal = 2025 * 12 + index
            return "\(ordinal / 12)-" + (ordinal % 12 < 9 ? "0" : "") + "\(ordinal % 12 + 1)"
        }
        let honest = HonestFiles(
            SyntheticRelease(
                seed: 3, months: months, regions: ["North"], tripTypes: ["Routine"], tripsPerLeaf: 40...60))
        #expect(honest.summary.comparisons.last?.rolling12Trips != nil)
        #expect(honest.summary.comparisons.last?.fiscalYearToDateTrips != nil)
        #expect(honest.summary.controlCharts?.isEmpty == false)
        #expect(honest.audit.findings(in: honest.files) == [])
    }

    /// How often a target was met follows from the cells; any other count, place or gap is a finding.
    @Test func targetsAreCountedAgain() throws {
        let honest = HonestFiles(.example(seed: 3))
        var document = honest.summary
        func findings() -> [String] {
            var files = honest.files
            files["kpi-summary.json"] = document.canonicalJSON()
            return honest.audit.findings(in: files).filter { $0.contains("target") }
        }
        func met(_ months: Int, _ count: Int, _ gap: Double?, region: String = "All", value: Double = 0) -> [String] {
            document.targets = [
                .init(
                    measure: "costPerTrip", region: region, tripType: "All", target: value, monthCount: count,
                    monthsMet: months, gap: gap)
            ]
            return findings()
        }
        let cells = document.cells.filter {
            $0.region == "All" && $0.tripType == "All" && $0.month != "All" && $0.costPerTrip != nil
                && $0.complete == true && !($0.incompleteMeasures ?? []).contains("cost")
        }
        let latest = try #require(document.headline?.month)
        let gap = cells.first { $0.month == latest }?.costPerTrip.map { Double($0.units) / 100 }
        #expect(!cells.isEmpty)
        #expect(met(0, cells.count, gap) == [])
        #expect(met(1, cells.count, gap).count == 1)
        #expect(met(0, cells.count + 1, gap).count == 1)
        #expect(met(0, cells.count, (gap ?? 0) + 1).count == 1)
        #expect(met(0, cells.count, gap, region: "Elsewhere").count == 1)
        document.targets = (document.targets ?? []) + (document.targets ?? [])
        #expect(findings().count == 2)
    }

    @Test func tripsThatNameNoPatientsPass() {
        let honest = HonestFiles(
            SyntheticRelease(
                seed: 5, months: ["2026-03"], regions: ["North", "South"], tripTypes: ["Routine"],
                tripsPerLeaf: 20...60, namesPatients: false))
        #expect(honest.audit.findings(in: honest.files) == [])
    }
}

extension SyntheticRelease {
    static func example(seed: UInt64) -> SyntheticRelease {
        SyntheticRelease(
            seed: seed, months: ["2026-01", "2026-02", "2026-03"], regions: ["North", "South", "West & <East>"],
            tripTypes: ["Emergency", "Routine"], tripsPerLeaf: 0...70, withheldMonths: ["2026-04"])
    }
}
