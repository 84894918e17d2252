import Basics
import Dashboard
import Foundation
import KPIContract
import KPIs
import Privacy
import Publishing
import Reporting
import Reports
import TestSupport
import Testing
import Trips
import UseCases

/// Every tampering with a published set is found, even by whoever mends the manifest's hashes.
@Suite struct PublishedSetCheckTests {
    private static let id = "20260401T120000Z-000000000000"

    private func report() throws -> SummaryReport {
        var groups = TripGroups()
        for (month, trips) in [(1, 40), (2, 50)] {
            groups.add(trips, month: Month(year: 2026, month: month), region: 1, tripType: 1) {
                $0.costCents = 12_345
                $0.seconds = [.duration: 3_600, .response: 600]
            }
        }
        var counts = ReadCounts()
        counts.read = 90
        counts.added = 90
        let facts = RunStatement(
            generatedAt: UTCTime(secondsSince1970: 1_775_044_800), runID: Self.id,
            dataThrough: CivilDay(year: 2026, month: 2, day: 28), dateBasis: "local dates", counts: counts,
            rulesName: "standard", rulesVersion: String(repeating: "0", count: 64), exports: .init(loaded: 2))
        return SummaryReport(try Publishable(forStaff: groups.table()), facts: facts)
    }

    @Test func aSetThatSaysItHasNoCountsOfMissingValuesHasNone() throws {
        let failures = try failures(summary: { $0.privacy.missingCounts = "omitted" })
        #expect(failures.contains { $0.hasPrefix("figures: ") && $0.contains("a count of missing values") })
    }

    /// What is wrong after a set was published whose files are right by the manifest.
    private func failures(
        summary change: (inout KPISummaryV1) -> Void = { _ in },
        manifest changeManifest: (inout PublicationManifestV1) -> Void = { _ in },
        json: ((String) -> String)? = nil, csv changeCSV: (String) -> String = { $0 },
        page: [UInt8]? = nil, after damage: (TemporaryFolder) throws -> Void = { _ in }
    ) throws -> [String] {
        try TemporaryFolder.with { temporary in
            let report = try report()
            var summary = report.summary
            change(&summary)
            let text = String(decoding: summary.canonicalJSON(), as: UTF8.self)
            let cells = changeCSV(String(decoding: CSVReport().bytes(report), as: UTF8.self))
            var manifest = PublicationManifestV1(
                runId: Self.id, generatedAt: report.summary.generatedAt, contractVersion: KPISummaryV1.version,
                dataThrough: report.summary.dataThrough, files: [], ledger: String(repeating: "a", count: 64),
                exports: 2, rules: report.summary.rules, minimumCell: 11, tool: "tripkpi")
            changeManifest(&manifest)
            let folder = PublicationFolder(root: temporary.path)
            try folder.publish(
                PublicationDraft(
                    manifest,
                    files: [
                        .init(
                            name: "kpi-summary.json", mediaType: "application/json",
                            bytes: Array((json?(text) ?? text).utf8)),
                        .init(
                            name: "kpi-cells.csv", mediaType: "text/csv", bytes: Array(cells.utf8),
                            rows: report.summary.cells.count),
                    ]
                        + (page.map { [.init(name: "dashboard.html", mediaType: "text/html", bytes: $0)] } ?? [])))
            try damage(temporary)
            return try PublishedSetCheck(folder, .staff).findings().findings.filter { !$0.isOK }
                .map { "\($0.subject): \($0.text)" }
        }
    }

    @Test func aWholeSetHasNoFailure() throws {
        #expect(try failures() == [])
    }

    /// Neither its JSON nor its CSV has the measure. One of the two alone is a failure.
    @Test func aSetFromBeforeAMeasureWasAddedHasNoFailure() throws {
        let older = { (json: String) in json.replacing(/"loadedMileRatio":[^,]*,/, with: "") }
        let place = try #require(CSVReport.columns.firstIndex(of: "loaded_mile_ratio"))
        let narrower = { (csv: String) in
            csv.components(separatedBy: "\r\n").map { line in
                var fields = line.components(separatedBy: ",")
                if fields.count > place { fields.remove(at: place) }
                return fields.joined(separator: ",")
            }.joined(separator: "\r\n")
        }
        #expect(try failures(json: older, csv: narrower) == [])
        #expect(try failures(json: older) == ["cells: the columns are not those of the summary"])
        #expect(try failures(csv: narrower) == ["cells: the columns are not those of the summary"])
    }

    @Test func aChangedByteIsFoundByItsHash() throws {
        let found = try failures(after: { try $0.write("x", to: "runs/\(Self.id)/kpi-cells.csv") })
        #expect(found.contains { $0.hasPrefix("files: kpi-cells.csv has 1 bytes") })
    }

    @Test func figuresThatDoNotAddUpAreFound() throws {
        #expect(
            try failures(summary: { $0.totalTrips += 1 }) == ["figures: totalTrips is not the trips of all cells"])
        #expect(
            try failures(summary: { $0.chartData[0] += 1 }) == ["figures: chartData is not the trips of the months"])
        #expect(
            try failures(summary: { $0.quality.read? += 1 }) == ["figures: quality.read is not the sum of its parts"])
        let trips = try failures(summary: { $0.cells[0].trips = 91 })
        #expect(trips.contains("figures: All, All, All: trips is not the sum of its parts"))
        #expect(trips.contains("figures: All, All, All: duration used and excluded are not the trips"))
        #expect(trips.contains("cells: line 2: trips is not that of the summary"))
    }

    @Test func aPageOfAnotherSummaryIsFound() throws {
        var other = try report().summary
        #expect(try failures(page: DashboardPage(summary: other.canonicalJSON()).bytes) == [])
        other.totalTrips += 1
        #expect(
            try failures(page: DashboardPage(summary: other.canonicalJSON()).bytes)
                == ["page: dashboard.html does not match kpi-summary.json"])
    }

    @Test func aSummaryInAnotherFormOrNoneIsFound() throws {
        #expect(
            try failures(json: { $0 + " " }) == ["contract: kpi-summary.json is not in its canonical form"])
        #expect(try failures(json: { _ in "{}" }) == ["contract: kpi-summary.json does not decode"])
    }

    @Test func cellsThatDifferFromTheSummaryAreFoundByLineAndColumn() throws {
        #expect(
            try failures(csv: { $0.replacingOccurrences(of: "2026-02,North", with: "2026-02,Nord") })
                .contains { $0.hasSuffix("region is not that of the summary") })
        #expect(
            try failures(csv: { $0.replacingOccurrences(of: "123.45", with: "123.46") })
                .contains("cells: line 2: cost_per_trip_dollars is not that of the summary"))
        #expect(
            try failures(csv: { $0.replacingOccurrences(of: "INTERNAL: contains small counts", with: "free") })
                .contains("cells: line 2: release is not that of the summary"))
        #expect(
            try failures(csv: {
                String($0.dropLast(2).prefix(upTo: $0.dropLast(2).lastIndex(of: "\r\n") ?? $0.endIndex))
            })
            .contains("cells: the rows are not as many as the summary's cells and merged groups"))
        #expect(try failures(csv: { "x" + $0 }) == ["cells: the columns are not those of the summary"])
    }

    @Test func aManifestThatSaysOtherThanTheSummaryIsFound() throws {
        #expect(try failures(manifest: { $0.exports = 3 }) == ["manifest: exports is not that of the summary"])
        #expect(
            try failures(manifest: { $0.dataThrough = nil }) == ["manifest: dataThrough is not that of the summary"])
        #expect(try failures(manifest: { $0.minimumCell = 5 }) == ["manifest: minimumCell is not that of the summary"])
        #expect(
            try failures(summary: { $0.audience = "release" }).contains("manifest: the summary is not for staff"))
    }

    @Test func withoutASetThereIsNothingToCheck() throws {
        try TemporaryFolder.with { temporary in
            let check = PublishedSetCheck(PublicationFolder(root: temporary.path), .staff)
            #expect(throws: PublishingError.nothingPublished(root: temporary.path)) { try check.findings() }
            #expect(throws: PublishingError.unknownRun("x")) { try check.findings(run: "x") }
        }
    }
}
