import Basics
import Dashboard
import Files
import Foundation
import KPIContract
import TestSupport
import Testing

struct DashboardPageTests {
    @Test("The same summary gives the same page, and the page is what it was", arguments: ["small", "no-trips"])
    func snapshot(name: String) throws {
        let summary = name == "small" ? Self.small : try Self.frozen("summary-1.0-no-trips.json")
        let page = try DashboardPage(summary: summary).bytes
        #expect(try DashboardPage(summary: summary).bytes == page)
        // Style, script and data are held by their own tests; here they would only hide what changed.
        let text = String(decoding: page, as: UTF8.self)
            .replacing(/(?s)<style>.*?<\/style>/, with: "<style></style>")
            .replacing(/(?s)(<script[^>]*>).*?<\/script>/) { "\($0.output.1)</script>" }
            .replacing(/'sha256-[^']*'/, with: "'sha256-'")
        Snapshot.expect(text, matches: "\(name).html")
    }

    @Test("The policy allows the one style and the one script, by their hashes, and nothing else")
    func policy() throws {
        let page = String(decoding: try DashboardPage(summary: Self.small).bytes, as: UTF8.self)
        let policy = try #require(page.firstMatch(of: /http-equiv="Content-Security-Policy" content="([^"]*)"/)).output
            .1
        let style = try #require(page.firstMatch(of: /<style>([^<]*)<\/style>/)).output.1
        let scripts = page.matches(of: /(?s)<script>(.*?)<\/script>/)
        #expect(scripts.count == 1)
        let script = try #require(scripts.first).output.1
        #expect(
            policy
                == "default-src 'none'; style-src 'sha256-\(Self.digest(style))'; script-src 'sha256-\(Self.digest(script))'; "
                + "img-src data:; base-uri 'none'; form-action 'none'")
        #expect(DashboardPage.contentSecurityPolicy == policy)
        #expect(!page.contains(" style="))
        #expect(page.firstMatch(of: /\son[a-z]+="/) == nil)
        let links = page.matches(of: /(?:src|href)="([^"]*)"/).map(\.output.1)
        #expect(!links.isEmpty && links.allSatisfy { $0.hasPrefix("#") || $0 == "data:," }, "\(links)")
        let addresses = page.matches(of: /https?:[^"'\s)]*/).map(\.output)
        #expect(!addresses.isEmpty && addresses.allSatisfy { $0 == "http://www.w3.org/2000/svg" }, "\(addresses)")
        #expect(page.firstMatch(of: /url\(|@import/) == nil)
    }

    @Test("Names that are markup stay names")
    func hostileNames() throws {
        let name = #"</script><script>alert(1)</script><img src=x onerror=alert(1)> & "'"# + "\"\u{301}\u{2028}"
        var summary = try JSONDecoder().decode(KPISummaryV1.self, from: Data(Self.small))
        summary.filters.regions = summary.filters.regions.map { $0 == "North" ? name : $0 }
        for cell in summary.cells.indices where summary.cells[cell].region == "North" {
            summary.cells[cell].region = name
        }
        summary.rules.name = name
        summary.runId = name
        summary.dateBasis = name
        summary.privacy.statement = name
        summary.generatedAt = name
        let bytes = summary.canonicalJSON()
        let page = String(decoding: try DashboardPage(summary: bytes).bytes, as: UTF8.self)
        #expect(page.matches(of: /<script/).count == 3)
        #expect(page.matches(of: /<\/script/).count == 3)
        #expect(!page.contains("<img"))
        let block = try #require(page.firstMatch(of: /(?s)id="kpi-summary">(.*?)<\/script>/)).output.1
        #expect(try JSONDecoder().decode(KPISummaryV1.self, from: Data(block.utf8)) == summary)
        // No name stands in an attribute.
        for tag in page.prefix(upTo: try #require(page.firstRange(of: "<script type")).lowerBound).matches(
            of: /<[a-z][^>]*>/)
        {
            #expect(!tag.output.contains("alert"))
        }
    }

    @Test("The summary is in the page to the byte")
    func embedded() throws {
        let page = try DashboardPage(summary: Self.small).bytes
        #expect(DashboardPage.embeds(Self.small, in: page))
        #expect(!DashboardPage.embeds(try Self.frozen("summary-1.0.json"), in: page))
        #expect(String(decoding: page, as: UTF8.self).contains(String(decoding: Self.small, as: UTF8.self)))
    }

    @Test("What is hidden is never written as 0", arguments: ["summary-1.0.json", "summary-1.0-restated.json"])
    func hiddenValues(name: String) throws {
        let bytes = try Self.frozen(name)
        let summary = try JSONDecoder().decode(KPISummaryV1.self, from: Data(bytes))
        let page = String(decoding: try DashboardPage(summary: bytes).bytes, as: UTF8.self)
        let rows = try #require(page.firstMatch(of: /(?s)<table id="groups".*?<tbody>(.*?)<\/tbody>/)).output.1
        let kpis = ["trips", "cancelled", "noShow", "inHouse", "contracted", "unclassified"]
        var hidden = 0
        for row in rows.matches(
            of: /<tr[^>]*><th scope="row"><bdi>([^<]*)<\/bdi><\/th><td><bdi>([^<]*)<\/bdi><\/td>(.*?)<\/tr>/)
        {
            let figures = row.output.3.matches(of: /<td class="([^"]*)">([^<]*)<\/td>/)
            let cell = try #require(
                summary.cells.first {
                    ($0.month, $0.region, $0.tripType) == ("All", String(row.output.1), String(row.output.2))
                })
            #expect(figures.count >= kpis.count)
            for (figure, kpi) in zip(figures, kpis) {
                let value = KPICatalog.description(named: kpi)?.figure(cell)
                #expect(figure.output.2 == value.map(NumberText.grouped) ?? "hidden")
                #expect((figure.output.1 == "num is-hidden") == (value == nil))
                hidden += value == nil ? 1 : 0
            }
        }
        #expect(hidden > 10)
    }

    @Test("Withheld and restated months are named, and an internal summary is stamped")
    func notices() throws {
        func page(_ name: String) throws -> String {
            String(decoding: try DashboardPage(summary: Self.frozen(name)).bytes, as: UTF8.self)
        }
        let restated = try page("summary-1.0-restated.json")
        #expect(
            restated.contains(
                "<summary>Hidden: 2026-03</summary><p>Too few trips, or trips"
            ))
        #expect(restated.contains("<summary>Restated: 2025-12, 2026-01</summary>"))
        #expect(!restated.contains("class=\"stamp\""))
        let internalPage = try page("summary-1.0-internal.json")
        #expect(internalPage.contains("<p class=\"stamp\">INTERNAL: contains small counts</p>"))
        #expect(internalPage.contains("<title>INTERNAL: contains small counts: "))
        #expect(try page("summary-1.0-no-trips.json").contains("No trips yet"))
        #expect(restated.contains("••••••••"))
    }

    @Test("The key figures are those of the latest complete month")
    func keyFigures() throws {
        var summary = try JSONDecoder().decode(KPISummaryV1.self, from: Data(Self.frozen("summary-1.0-internal.json")))
        let months = summary.months
        for month in [months.last, months.dropLast().last] {
            summary.headline = .init(month: month, sentences: ["A <sentence>."])
            let page = String(decoding: try DashboardPage(summary: summary.canonicalJSON()).bytes, as: UTF8.self)
            #expect(page.contains("<li>A &lt;sentence&gt;.</li>"))
            let table = try #require(page.firstMatch(of: /(?s)<table class="small" id="key-figures">.*?<\/table>/))
                .output
            let rows = table.matches(of: /<tr><th scope="row">([^<]*)<\/th>(.*?)<\/tr>/).map { row in
                (
                    title: String(row.output.1),
                    figures: row.output.2.matches(of: /<td[^>]*>([^<]*)<\/td>/).map(\.output.1)
                )
            }
            #expect(
                rows.map(\.title) == ["Trips", "In-house share", "Cost per trip", "Response p90", "Average duration"])
            let cell = try #require(summary.cells.first { $0.key == CellKey(month: month ?? "") })
            #expect(rows[0].figures[0] == NumberText.grouped(try #require(cell.trips)))
            #expect(rows[2].figures[0] == NumberText.dollars(cents: try #require(cell.costPerTrip).cents))
            #expect(rows[0].figures[4] == NumberText.grouped(summary.totalTrips))
            #expect(table.contains("<th scope=\"col\" class=\"num\">\(month ?? "")</th>"))
        }
    }

    /// The cost of the last month is below 0, that of the one before it 0.
    static func withRefunds() throws -> [UInt8] {
        var summary = try JSONDecoder().decode(KPISummaryV1.self, from: Data(frozen("summary-1.0-internal.json")))
        for (month, cents) in zip(summary.months.suffix(2), [0, -21_345]) {
            for cell in summary.cells.indices where summary.cells[cell].month == month {
                summary.cells[cell].costPerTrip = Cents(cents: cents)
            }
        }
        return summary.canonicalJSON()
    }

    @Test("What is no summary makes no page")
    func refusal() {
        #expect(throws: DashboardError.summaryDoesNotDecode) { try DashboardPage(summary: Array("{}".utf8)) }
    }

    private static func digest(_ text: Substring) -> String {
        let digits = Array(ContentHash.of(Array(text.utf8)))
        let bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
        return Data(bytes).base64EncodedString()
    }

    static func frozen(_ name: String, file: String = #filePath) throws -> [UInt8] {
        let tests = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: tests.appendingPathComponent("KPIContractTests/Frozen/\(name)")))
    }

    /// Two months of one region and one type, one cell of them hidden.
    static let small: [UInt8] = {
        let cells = ["All", "2026-01", "2026-02"].flatMap { month in
            ["All", "North"].flatMap { region in
                ["All", "Emergency"].map { type in
                    DashboardFixture.cell(month, region, type, isHidden: month == "2026-02" && region == "North")
                }
            }
        }
        return DashboardFixture.summary(cells).canonicalJSON()
    }()
}
