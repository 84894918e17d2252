import Basics
import Foundation
import KPIContract
import KPIs
import Privacy
import Reports
import TestSupport
import Testing
import Trips

/// The report on one screen, and the brief one.
struct ScreenReportTests {
    private static let january = ReportFixture.january

    private func screen(_ groups: TripGroups, _ audience: Audience = .staff) throws -> [String] {
        ScreenReport(color: false).text(try ReportFixture.report(groups, audience: audience))
            .components(separatedBy: "\n").dropLast()
    }

    /// Months with trips of several regions and trip types.
    private func groups(months: Int, regions: Int, types: Int) -> TripGroups {
        var groups = TripGroups()
        groups.regions = NamedList((1...regions).map { "Region number \($0) of the county" })
        groups.tripTypes = NamedList((1...types).map { "Type \($0)" })
        for month in 0..<months {
            for region in 1...regions {
                for type in 1...types {
                    groups.add(
                        12 + (month + region) % 5, month: Self.january.advanced(by: month - months),
                        region: UInt8(region), tripType: UInt8(type)
                    ) {
                        $0.sourcing = (region + type).isMultiple(of: 3) ? .contracted : .inHouse
                        $0.costCents = 123_456
                        $0.seconds = [.duration: 4_000 + region, .response: 600 + 30 * type]
                    }
                }
            }
        }
        return groups
    }

    @Test(
        "80 columns and 40 lines hold whatever there is", arguments: [Audience.release, .staff],
        [(3, 4, 2), (12, 4, 2), (24, 4, 2), (3, 20, 6), (24, 20, 6), (1, 1, 1), (1, 20, 6)])
    func size(audience: Audience, shape: (months: Int, regions: Int, types: Int)) throws {
        let lines = try screen(groups(months: shape.months, regions: shape.regions, types: shape.types), audience)
        #expect(lines.count <= ScreenReport.lines && lines.allSatisfy { $0.count <= 80 })
        #expect(lines.contains { $0.hasPrefix("  All trips") } && lines.last?.hasSuffix("--long.") == true)
        #expect(lines.count { $0.contains("9 of 10 trips") } >= 1)
    }

    @Test("The report of the quarter", arguments: [Audience.release, .staff])
    func snapshot(audience: Audience) throws {
        let report = try ReportFixture.report(audience: audience)
        let end = audience == .staff ? "-internal" : ""
        Snapshot.expect(ScreenReport(color: false).text(report), matches: "screen\(end).txt")
        Snapshot.expect(BriefReport(color: false).text(report), matches: "brief\(end).txt")
        Snapshot.expect(BriefReport(color: false).markdown(report), matches: "brief\(end).md")
    }

    @Test("A brief report has at most 12 lines", arguments: [Audience.release, .staff], [1, 3, 24])
    func brief(audience: Audience, months: Int) throws {
        let report = try ReportFixture.report(groups(months: months, regions: 20, types: 6), audience: audience)
        for text in [BriefReport(color: false).text(report), BriefReport(color: false).markdown(report)] {
            #expect(text.components(separatedBy: "\n").dropLast().count <= BriefReport.lines)
            #expect(text.contains("Response, 9 of 10 trips") && text.contains("December 2025"))
        }
        let lines = BriefReport(color: false).text(report).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 })
        // A sentence is there as a whole, or not at all.
        for sentence in (report.summary.headline?.sentences ?? []).dropFirst() {
            let wrapped = TextColumn.wrapped(PlainName.sentence(sentence), to: 80)
            let count = wrapped.count { line in lines.contains { $0 == line } }
            #expect(count == 0 || count == wrapped.count, "\(sentence)")
        }
    }

    @Test("A column without a value is dropped")
    func columns() throws {
        var groups = groups(months: 3, regions: 2, types: 1)
        for index in groups.groups.indices { groups.groups[index].costCents = nil }
        func headers() throws -> String {
            try screen(groups).filter { $0.contains("share") || $0.contains("In-house") }.joined(separator: "\n")
        }
        let costless = try headers()
        #expect(!costless.contains("per trip") && costless.contains("9 of 10 trips") && costless.contains("duration"))
        for index in groups.groups.indices { groups.groups[index].seconds = [:] }
        let timeless = try headers().replacing("in-house share", with: "")
        #expect(!timeless.contains("9 of 10") && !timeless.contains("duration") && timeless.contains("share"))
    }

    @Test("A mark is in the margin of its line, and in no number")
    func margin() throws {
        var groups = ReportFixture.quarter()
        // Too few to be published: the totals of the month are at least.
        groups.add(3, month: Self.january.advanced(by: 1), region: 2, tripType: 2) { $0.sourcing = .unclassified }
        let lines = try screen(groups, .release)
        let marked = lines.filter { $0.hasPrefix("+ ") && $0.contains("%") }
        #expect(!marked.isEmpty && marked.allSatisfy { !$0.dropFirst().contains("+") })
        #expect(lines.contains { $0.hasPrefix("+ at least: leaves out trips") })
        #expect(try !screen(groups).contains { $0.hasPrefix("+") })
    }

    @Test("Old data are a warning at the top, but not of a selection")
    func oldData() throws {
        var facts = ReportFixture.facts
        facts.generatedAt = facts.generatedAt.advanced(byDays: 40)
        let report = try ReportFixture.report(audience: .staff, facts: facts)
        let lines = ScreenReport(color: false).text(report).components(separatedBy: "\n")
        #expect(lines[0] == SummaryReport.internalStamp)
        #expect(lines[1] == "WARNING: old data. The newest day with trips is 30 March 2026, 42 days ago.")
        #expect(BriefReport(color: false).text(report).contains("WARNING: old data."))
        facts.selection = ["only month 2026-03"]
        let part = ScreenReport(color: false).text(try ReportFixture.report(audience: .staff, facts: facts))
        #expect(!part.contains("WARNING") && part.contains("only month March 2026"))
    }

    @Test("Escapes are written only where colour is asked for, and ASCII where the terminal has no more")
    func characters() throws {
        let report = try ReportFixture.report()
        #expect(!ScreenReport(color: false).text(report).contains("\u{1B}"))
        #expect(ScreenReport(color: true).text(report).contains("\u{1B}[1m"))
        #expect(ScreenReport(color: false, ascii: true).text(report).utf8.allSatisfy { $0 < 0x80 })
        #expect(BriefReport(color: false, ascii: true).text(report).utf8.allSatisfy { $0 < 0x80 })
    }
}

/// Words for months, days and measures.
struct PlainNameTests {
    @Test func monthsAndDaysAreWords() {
        #expect(PlainName.month("2025-09") == "September 2025" && PlainName.month("All") == "All")
        #expect(PlainName.day("2025-09-03") == "3 September 2025")
        #expect(
            PlainName.sentence("2025-09: response p90 since 2024-01-31, 12345-678 apart.")
                == "September 2025: response for 9 of 10 trips since 31 January 2024, 12345-678 apart.")
    }
}
