import Dashboard
import Foundation
import KPIContract
import Testing

/// Pages of summaries that no export of the samples gives. Where `CHECK_DASHBOARD_SAMPLES` names a folder, they are also
/// written there, for `Tests/Tools/check_dashboard.py` to open.
@Suite("Dashboard samples") struct DashboardSampleTests {
    private static let folder = ProcessInfo.processInfo.environment["CHECK_DASHBOARD_SAMPLES"]

    private func page(_ name: String, _ summary: [UInt8]) throws -> String {
        let page = try DashboardPage(summary: summary).bytes
        if let folder = Self.folder.map(URL.init(fileURLWithPath:)) {
            try Data(summary).write(to: folder.appendingPathComponent("\(name).json"))
            try Data(page).write(to: folder.appendingPathComponent("\(name).html"))
        }
        return String(decoding: page, as: UTF8.self)
    }

    @Test("A page names the months of its summary", arguments: ["restated", "no-trips"])
    func months(name: String) throws {
        let summary = try DashboardPageTests.frozen("summary-1.0-\(name).json")
        let months = try JSONDecoder().decode(KPISummaryV1.self, from: Data(summary)).months
        let page = try page(name, summary)
        #expect(months.isEmpty == (name == "no-trips") && months.allSatisfy(page.contains))
    }

    @Test("A negative cost keeps its sign in words")
    func refunds() throws {
        #expect(try page("refunds", DashboardPageTests.withRefunds()).contains("-$213.45"))
    }

    @Test("Names that are markup are text on the page and in its data")
    func hostile() throws {
        let page = try page("hostile", Self.hostile(DashboardPageTests.frozen("summary-1.2-release.json")))
        #expect(page.contains("&lt;b&gt;Emergency&lt;/b&gt;, very urgent"))
        #expect(!page.contains("<img src=x") && !page.contains("<b>Emergency"))
        #expect(page.matches(of: /<\/script>/).count == page.matches(of: /<script[ >]/).count)
    }

    /// Names as nobody should give them, with what links and markup could stumble over.
    private static func hostile(_ bytes: [UInt8]) throws -> [UInt8] {
        var summary = try JSONDecoder().decode(KPISummaryV1.self, from: Data(bytes))
        let names = [
            "North": "</script><img src=x onerror=alert(1)>", "South": "A & B = C #1 + 100% \"quoted\" ünïcode",
            "Emergency": "<b>Emergency</b>, very urgent indeed and with a name that does not end so soon",
        ]
        func renamed(_ name: String) -> String { names[name] ?? name }
        summary.filters.regions = summary.filters.regions.map(renamed)
        summary.filters.tripTypes = summary.filters.tripTypes.map(renamed)
        for cell in summary.cells.indices {
            summary.cells[cell].region = renamed(summary.cells[cell].region)
            summary.cells[cell].tripType = renamed(summary.cells[cell].tripType)
        }
        summary.mergedGroups = summary.mergedGroups?.map { group in
            var group = group
            group.regions = group.regions.map(renamed)
            group.tripTypes = group.tripTypes.map(renamed)
            return group
        }
        summary.groups = summary.groups?.map { group in
            var group = group
            group.regions = group.regions.map(renamed)
            group.tripTypes = group.tripTypes.map(renamed)
            return group
        }
        return summary.canonicalJSON()
    }
}
