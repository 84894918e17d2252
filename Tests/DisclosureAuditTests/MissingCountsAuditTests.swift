import DisclosureAudit
import KPIContract
import Testing

/// A release that must leave out counts of missing values, and does not.
@Suite struct MissingCountsAuditTests {
    private static let release = SyntheticRelease.example(seed: 2)
    private static let published = HonestFiles(release)
    private static let omitted = HonestFiles(release.omitting)
    private static let measures: [Measure] =
        [.costedTrips, .costPerTrip, .costPerLoadedMile]
        + (0..<6).flatMap { interval in
            [IntervalStatistic.used, .excluded, .mean].map { Measure(ofInterval: interval, $0) }
        }

    /// Of a changed document without counts.
    private static func findings(_ change: (inout KPISummaryV1) -> Void) -> [String] {
        var summary = omitted.summary
        change(&summary)
        return omitted.audit.findings(in: omitted.files(of: summary))
    }

    private static func has(_ part: String, _ findings: [String]) -> Bool { findings.contains { $0.contains(part) } }

    @Test func theFilesOfTheOtherPolicyAreRefused() {
        #expect(!Self.omitted.audit.findings(in: Self.published.files).isEmpty)
        #expect(!Self.published.audit.findings(in: Self.omitted.files).isEmpty)
    }

    @Test func noneOfTheFiguresIsThere() {
        let cells = Self.omitted.cells + (Self.omitted.summary.groups ?? []).map(\.figures)
        #expect(cells.allSatisfy { cell in Self.measures.allSatisfy { cell[$0] == nil } })
        let isNamed = (UInt64(1)...20).contains { seed in
            HonestFiles(.example(seed: seed).omitting).cells.contains {
                ($0.incompleteMeasures ?? []).contains("costPerLoadedMile")
            }
        }
        #expect(isNamed)
    }

    @Test func eachFigureThatIsLeftOutIsFoundWhereItIsShown() throws {
        let own = Self.published.cells
        var found = 0
        // Every third, All among them.
        for index in own.indices where index.isMultiple(of: 3) {
            for measure in Self.measures where own[index][measure] != nil {
                found += 1
                #expect(
                    Self.has(
                        "\(measure.name) is not the one",
                        Self.findings { $0.cells[index][measure] = own[index][measure] }))
            }
        }
        #expect(found > 100)
        let groups = Self.published.summary.groups ?? []
        for index in groups.indices where index.isMultiple(of: 5) {
            for measure in Self.measures where groups[index].figures[measure] != nil {
                let shown = Self.findings { $0.groups?[index].figures[measure] = groups[index].figures[measure] }
                #expect(Self.has("\(measure.name) is not the one", shown))
            }
        }
    }

    @Test func figuresThatWouldGiveThemBackAreFound() {
        #expect(Self.findings { _ in } == [])
        #expect(Self.has("avgDuration is not", Self.findings { $0.avgDuration = Tenths(tenths: 12) }))
        #expect(Self.has("cost is not", Self.findings { $0.cost = Cents(cents: 12) }))
        #expect(Self.has("withheldHeadlines", Self.findings { $0.withheldHeadlines = [] }))
        #expect(Self.has("qualityShares", Self.findings { $0.qualityShares?.tripsWithCost = 97 }))
        #expect(Self.has("kpiCards", Self.findings { $0.kpiCards[2].subtitle = "97 costed trips" }))
    }

    @Test func theDocumentMustSayThePolicy() {
        #expect(Self.has("privacy.missingCounts", Self.findings { $0.privacy.missingCounts = nil }))
        #expect(Self.has("privacy.missingCounts", Self.findings { $0.privacy.missingCounts = "published" }))
    }
}
