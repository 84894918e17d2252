import Foundation
import KPIContract
import Privacy
import Reports
import TestSupport
import Testing
import Trips

struct CSVReportTests {
    private func rows(_ bytes: [UInt8]) -> [[String]] {
        String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n").dropLast()
            .map { $0.components(separatedBy: ",") }
    }

    @Test("Every row has every column, with the stamp on each")
    func rectangular() throws {
        let report = try ReportFixture.report(audience: .staff)
        let rows = rows(CSVReport().bytes(report))
        #expect(rows.first == CSVReport.columns)
        #expect(rows.count == report.summary.cells.count + 1)
        #expect(rows.allSatisfy { $0.count == CSVReport.columns.count })
        #expect(rows.dropFirst().allSatisfy { $0[0] == SummaryReport.internalStamp })
    }

    @Test("A hidden cell has empty fields and its flags set")
    func hiddenCell() throws {
        var groups = ReportFixture.quarter()
        groups.add(4, month: ReportFixture.january, region: 1, tripType: 2)
        let rows = rows(CSVReport().bytes(try ReportFixture.report(groups)))
        let hidden = try #require(rows.first { $0[1] == "2026-01" && $0[2] == "North" && $0[3] == "Routine" })
        #expect(hidden[4...8] == ["true", "false", "false", "true", "classified"])
        #expect(hidden.dropFirst(9).allSatisfy { $0.isEmpty })
    }

    @Test("Names that look like a formula cannot become one", arguments: ["=1+1", "+1", "-1", "@x", "\tx", "\rx"])
    func formulaInjection(name: String) throws {
        var groups = ReportFixture.quarter()
        groups.regions = NamedList([name, "a,\"b\""])
        let text = String(decoding: CSVReport().bytes(try ReportFixture.report(groups)), as: UTF8.self)
        #expect(text.contains(",'\(name),") || text.contains(",\"'\(name)\","))
        #expect(!text.contains(",\(name),") && !text.contains(",\"\(name)\","))
        #expect(text.contains(",\"a,\"\"b\"\"\","))
    }

    @Test("Patients are exact to 10, then at least 11")
    func patients() throws {
        var groups = ReportFixture.quarter()
        groups.groups = groups.groups.map { group in
            var group = group
            group.patients = 4
            return group
        }
        let rows = rows(CSVReport().bytes(try ReportFixture.report(groups, audience: .staff)))
        // The last column is about groups.
        let patients = try #require(CSVReport.columns.firstIndex(of: "patients"))
        #expect(rows[1][patients] == "11+")
        let march = try #require(rows.first { $0[1] == "2026-03" && $0[2] == "All" && $0[3] == "All" })
        #expect(march[patients] == "4")
        let shown = self.rows(CSVReport().bytes(try ReportFixture.report(groups)))
        #expect(shown.allSatisfy { ["11+", "", "patients"].contains($0[patients]) })
    }
}
