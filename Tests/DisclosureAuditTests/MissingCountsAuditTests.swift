import DisclosureAudit
import KPIContract
import Testing

/// A release that must leave out counts of missing values, and does not.
@Suite struct MissingCountsAuditTests {
    private static let release = SyntheticRelease.example(seed: 2)
    private static let published = HonestFiles(release)
    private static let omitted = HonestFiles(release.omitting)

    /// Of a changed document without counts.
    private static func findings(_ change: (inout KPISummaryV1) -> Void) -> [String] {
        var summary = omitted.summary
        change(&summary)
        let bytes = summary.canonicalJSON()
        var files = omitted.files
        files["kpi-summary.json"] = bytes
        files["dashboard.html"] = HonestFiles.page(bytes)
        return omitted.audit.findings(in: files)
    }

    private static func has(_ part: String, _ findings: [String]) -> Bool { findings.contains { $0.contains(part) } }

    @Test func theFilesOfTheOtherPolicyAreRefused() {
        #expect(!Self.omitted.audit.findings(in: Self.published.files).isEmpty)
        #expect(!Self.published.audit.findings(in: Self.omitted.files).isEmpty)
    }

    @Test func eachFigureThatIsLeftOutIsFoundWhereItIsShown() throws {
        let own = Self.published.cells
        let intervals: [(String, WritableKeyPath<KPISummaryV1.Cell, KPISummaryV1.Interval>)] = [
            ("duration", \.duration), ("response", \.response), ("turnout", \.turnout), ("scene", \.scene),
            ("transport", \.transport), ("turnaround", \.turnaround),
        ]
        var means = 0, cells = 0
        // Every third, All among them.
        for index in own.indices where index.isMultiple(of: 3) && !own[index].suppressed {
            cells += 1
            let found = Self.findings { $0.cells[index] = own[index] }
            if own[index].costedTrips != nil { #expect(Self.has("costedTrips is not the one", found)) }
            if own[index].costPerTrip != nil { #expect(Self.has("costPerTrip is not the one", found)) }
            for (name, interval) in intervals where own[index][keyPath: interval].used != nil {
                for (part, key) in [("used", \KPISummaryV1.Interval.used), ("excluded", \.excluded)] {
                    let shown = Self.findings {
                        $0.cells[index][keyPath: interval][keyPath: key] = own[index][keyPath: interval][keyPath: key]
                    }
                    #expect(Self.has("\(name).\(part) is not the one", shown))
                }
                let mean = own[index][keyPath: interval].mean
                guard mean != nil else { continue }
                means += 1
                #expect(
                    Self.has(
                        "\(name).mean is not the one", Self.findings { $0.cells[index][keyPath: interval].mean = mean })
                )
            }
        }
        #expect(cells > 0 && means > 0)
    }

    @Test func figuresThatWouldGiveThemBackAreFound() {
        let honest = Self.published.summary
        #expect(Self.findings { _ in } == [])
        #expect(Self.has("avgDuration is not", Self.findings { $0.avgDuration = honest.avgDuration }))
        #expect(Self.has("cost is not", Self.findings { $0.cost = honest.cost }))
        #expect(Self.has("withheldHeadlines", Self.findings { $0.withheldHeadlines = honest.withheldHeadlines }))
        #expect(Self.has("qualityShares", Self.findings { $0.qualityShares?.tripsWithCost = 97 }))
        for place in [2, 3, 4] {
            let card = honest.kpiCards[place]
            #expect(
                Self.has("card \(card.id): subtitle", Self.findings { $0.kpiCards[place].subtitle = card.subtitle }))
        }
        for place in [2, 3] {
            let card = honest.kpiCards[place]
            #expect(Self.has("card \(card.id): value", Self.findings { $0.kpiCards[place].value = card.value }))
            #expect(Self.has("card \(card.id): chartData", Self.findings { $0.kpiCards[place].chartData = [1] }))
        }
        #expect(Self.has("avgDuration", Self.findings { $0.kpiCards[0].avgDuration = honest.avgDuration }))
    }

    @Test func theDocumentMustSayThePolicy() {
        #expect(Self.has("privacy.missingCounts", Self.findings { $0.privacy.missingCounts = nil }))
        #expect(Self.has("privacy.missingCounts", Self.findings { $0.privacy.missingCounts = "published" }))
    }
}
