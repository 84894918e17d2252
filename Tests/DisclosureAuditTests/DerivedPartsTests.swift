import DisclosureAudit
import KPIContract
import Synchronization
import TestSupport
import Testing

/// What is derived from cells must be what the contract library derives from the audited ones.
@Suite struct DerivedPartsTests {
    private let honest = HonestFiles(.example(seed: 2))

    /// Of a changed document, with the files that belong to it.
    private func findings(_ change: (inout KPISummaryV1) -> Void) -> [String] {
        var summary = honest.summary
        change(&summary)
        return honest.audit.findings(in: honest.files(of: summary))
    }

    @Test func eachDerivedPartIsFound() {
        let changes: [(String, (inout KPISummaryV1) -> Void)] = [
            ("totalTrips", { $0.totalTrips += 1 }), ("avgDuration", { $0.avgDuration.tenths += 1 }),
            ("inHousePercent", { $0.inHousePercent += 1 }), ("cost is", { $0.cost.cents += 1 }),
            ("months", { $0.months.removeLast() }), ("chartData", { $0.chartData[0] += 1 }),
            ("withheldHeadlines", { $0.withheldHeadlines = ["12"] }),
            ("kpiCards (inHousePercent).title", { $0.kpiCards[1].title = "In-house 7" }),
            ("kpiCards is", { $0.kpiCards.removeLast() }),
            (
                "kpiCards (costPerTrip).accessibilityLabel",
                { $0.kpiCards[2].accessibilityLabel += " 12 were left out." }
            ),
            ("comparisons", { $0.comparisons[0].trips = 17 }),
            ("controlCharts", { $0.controlCharts?[0].mean += 1 }), ("controlCharts", { $0.controlCharts = nil }),
            ("targets (costPerTrip, All, All).monthsMet", { $0.targets?[0].monthsMet += 1 }),
            ("targets (costPerTrip, All, All).gap", { $0.targets?[0].gap = 12.5 }),
            ("targets is", { $0.targets = nil }),
            ("headline.sentences", { $0.headline?.sentences.append("In North 3 of them were cancelled.") }),
            ("headline is", { $0.headline = nil }),
            ("qualityShares.tripsWithCost", { $0.qualityShares?.tripsWithCost = 3 }),
            ("qualityShares.tripsWithoutRegion", { $0.qualityShares?.tripsWithoutRegion = 50 }),
            ("qualityShares.tripsWithoutType", { $0.qualityShares?.tripsWithoutType = 50 }),
            ("privacy.suppressedCells", { $0.privacy.suppressedCells += 1 }),
        ]
        for (part, change) in changes {
            let found = findings(change).contains { $0.hasPrefix("kpi-summary.json: \(part)") }
            #expect(found, "\(part)")
        }
    }

    /// Whatever the program says, nothing is published if the total is not.
    @Test func aSuppressedTotalIsFound() {
        var release = honest.release.audited
        release.selection = AuditedSelection(regions: ["Nowhere"])
        release.unpublished.insert(.init(month: "2026-01", population: .unclassified))
        let audit = DisclosureAudit(of: release, facts: HonestFiles.facts, files: honest.written)
        #expect(audit.findings(in: honest.files).contains { $0.contains("so nothing may be published") })
    }

    @Test func whatCannotBeDerivedIsFound() {
        var files = honest.written
        files.derived = { _, _ in nil }
        let audit = DisclosureAudit(of: honest.release.audited, facts: HonestFiles.facts, files: files)
        #expect(
            audit.findings(in: honest.files)
                == ["kpi-summary.json: what is derived from the cells cannot be computed again"])
    }

    /// Charts and comparisons are of all released months, also where a document shows one of them.
    @Test func everyReleasedMonthIsHandedOver() {
        for selection in [AuditedSelection(), AuditedSelection(months: ["2026-02"], regions: ["North", "South"])] {
            var release = SyntheticRelease.example(seed: 8)
            release.selection = selection
            let derivation = HonestDerivation(release: release)
            let honest = HonestFiles(release), handed = Mutex<[KPISummaryV1.Cell]>([])
            var files = honest.written
            files.derived = { document, everyMonth in
                handed.withLock { $0 = everyMonth }
                return derivation.document(document, everyMonth)
            }
            let audit = DisclosureAudit(of: release.audited, facts: HonestFiles.facts, files: files)
            #expect(audit.findings(in: honest.files) == [])
            let own = handed.withLock { $0 }, hasTimes = own.contains { $0.response.p90 != nil }
            #expect(own == honest.writer.everyMonth)
            #expect(hasTimes && Set(own.map(\.month)).count == release.months.count)
        }
    }

    /// The closure receives the cells that the auditor computed, whatever the document holds.
    @Test func derivedAreTheRightCells() {
        let handed = Mutex<[KPISummaryV1.Cell]>([]), derivation = HonestDerivation(release: honest.release)
        var files = honest.written
        files.derived = { document, everyMonth in
            handed.withLock { $0 = document.cells }
            return derivation.document(document, everyMonth)
        }
        var summary = honest.summary
        summary.cells[0].trips = .max
        let audit = DisclosureAudit(of: honest.release.audited, facts: HonestFiles.facts, files: files)
        let findings = audit.findings(in: honest.files(of: summary)), own = handed.withLock { $0 }
        #expect(
            findings.contains("kpi-summary.json: cells (All, All, All).trips is not the one that the auditor expects"))
        #expect(own == honest.cells)
    }

    /// The auditor takes nothing from the closure but the derived parts.
    @Test func aDerivationChangesNothingElse() {
        let changes: [(String, @Sendable (inout KPISummaryV1) -> Void)] = [
            ("cells (All, All, All).trips", { $0.cells[0].trips = 1 }), ("groups", { $0.groups = [] }),
            ("withheldMonths", { $0.withheldMonths = [] }), ("filters.months", { $0.filters.months = [] }),
            ("privacy.statement", { $0.privacy.statement = "12" }), ("quality.read", { $0.quality.read = 12 }),
            ("qualityShares.rejectedRecords", { $0.qualityShares?.rejectedRecords = 3 }),
        ]
        for (part, change) in changes {
            let derivation = HonestDerivation(release: honest.release)
            var files = honest.written, summary = honest.summary
            files.derived = { document, everyMonth in
                derivation.document(document, everyMonth).map { derived in
                    var derived = derived
                    change(&derived)
                    return derived
                }
            }
            change(&summary)
            let audit = DisclosureAudit(of: honest.release.audited, facts: HonestFiles.facts, files: files)
            #expect(audit.findings(in: honest.files) == [])
            let found = audit.findings(in: honest.files(of: summary)).contains { $0.contains(": \(part)") }
            #expect(found, "\(part)")
        }
    }

    @Test func aHeadlineIsOfAMonthThatIsOver() {
        for (change, isFound) in [
            ({ $0.firstOpenMonth = "2026-03" }, true), ({ $0.firstOpenMonth = "2026-04" }, false),
            ({ $0.partialMonths = ["2026-03"] }, true),
        ] as [((inout AuditedRelease) -> Void, Bool)] {
            var release = honest.release.audited
            change(&release)
            let audit = DisclosureAudit(of: release, facts: HonestFiles.facts, files: honest.written)
            let found = audit.findings(in: honest.files).contains { $0.contains("headline.month is of a month") }
            #expect(found == isFound)
        }
    }
}
