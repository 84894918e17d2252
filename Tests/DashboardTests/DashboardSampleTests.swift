import Dashboard
import Foundation
import KPIContract
import Testing

/// Pages that `Tests/Tools/check_dashboard.py` opens: those that no export of the samples gives.
struct DashboardSampleTests {
    @Test(
        "Pages for the browser",
        .enabled(if: ProcessInfo.processInfo.environment["TRIPKPI_DASHBOARD_SAMPLES"] != nil))
    func write() throws {
        let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["TRIPKPI_DASHBOARD_SAMPLES"] ?? ".")
        var summaries = [
            "restated": try DashboardPageTests.frozen("summary-1.0-restated.json"),
            "no-trips": try DashboardPageTests.frozen("summary-1.0-no-trips.json"),
        ]
        summaries["refunds"] = try DashboardPageTests.withRefunds()
        summaries["hostile"] = try Self.hostile(DashboardPageTests.frozen("summary-1.1-release.json"))
        for (name, summary) in summaries {
            try Data(summary).write(to: folder.appendingPathComponent("\(name).json"))
            try Data(try DashboardPage(summary: summary).bytes).write(to: folder.appendingPathComponent("\(name).html"))
        }
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
        return summary.canonicalJSON()
    }
}
