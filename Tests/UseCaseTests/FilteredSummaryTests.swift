import Basics
import Foundation
import KPIContract
import Privacy
import Reporting
import Reports
import Settings
import TestSupport
import Testing
import Trips
import UseCases

/// A summary that is filtered says what `report --month --region --type` says.
@Suite struct FilteredSummaryTests {
    private struct Place {
        let fixture: UseCaseFixture

        func summary(_ audience: Audience, _ choice: CellKey, _ targets: [MeasureTarget]) throws -> KPISummaryV1 {
            var request = ReportSelection.Request()
            request.month = choice.month == CellKey.all ? nil : choice.month
            request.regions = choice.region == CellKey.all ? [] : [choice.region]
            request.tripTypes = choice.tripType == CellKey.all ? [] : [choice.tripType]
            return try StoreReport(
                storePath: fixture.store, reportsPath: fixture.reports, selection: request, months: MonthLimits.none,
                disclosure: fixture.disclosure, audience: audience
            )
            .report(targets: targets, generatedAt: UTCTime(secondsSince1970: fixture.generatedAt)).report.summary
        }
    }

    private static let targets = [
        MeasureTarget(measure: "inHouseShare", figure: 5_500),
        MeasureTarget(measure: "inHouseShare", region: "North", figure: 6_000),
        MeasureTarget(measure: "response.p90", tripType: "Emergency", figure: 900),
        MeasureTarget(measure: "costPerTrip", region: "West", tripType: "Routine", figure: 45_000),
    ]

    /// Of each month 40 events: in a month by region and kind, in the next all of one region.
    private static let events: String = {
        let rows = (0..<12).flatMap { month in
            (0..<40).map { number in
                let region = month % 2 == 0 ? ["North", "South"][number % 2] : "North"
                let day = "2025-\(month < 9 ? "0" : "")\(month + 1)-03"
                return "\(day),\(["flood", "fire"][number / 20]),\(region),\(number % 3 == 0)"
            }
        }
        return "date,kind,region,evacuation\n" + rows.joined(separator: "\n") + "\n"
    }()

    /// What a filter leaves as it is in the whole document, and a report takes from the months it is asked for.
    private func withoutRunFacts(_ summary: KPISummaryV1) -> KPISummaryV1 {
        var summary = summary
        summary.dataThrough = nil
        summary.quality.freshness = .init(newestTrip: nil, ageDays: nil)
        summary.quality.warnings = [:]
        summary.quality.missingDays = nil
        summary.quality.missingDayCount = nil
        return summary
    }

    @Test(arguments: [400, 9_000])
    func everyChoiceIsAsTheReportHasIt(rows: Int) throws {
        try TemporaryFolder.with { folder in
            let rules = try ShippedRules.sample()
            var fixture = UseCaseFixture(folder, store: "store", rules: rules)
            // In the middle of the last month.
            fixture.generatedAt = 1_767_700_000
            var plan = SampleOptions(rows: rows, seed: 11, firstMonth: Month(year: 2024, month: 12))
            plan.months = 14
            plan.isMessy = true
            var bytes: [UInt8] = []
            try SampleWriter.write(plan) { chunk throws(SampleError) in bytes += chunk }
            try folder.write(bytes, to: "inbox/trips.csv")
            try folder.write(Self.events, to: "inbox/events/events.csv")
            _ = try NightlyRun(fixture.site, fixture.figures, PublicationPolicy()).run(fixture.environment())
            let place = Place(fixture: fixture)
            var compared = 0, hidden = 0
            for audience in [Audience.staff, .release] {
                let whole = try place.summary(audience, CellKey(), Self.targets)
                #expect(try whole.filtered() == whole)
                #expect(whole.events?.counts.contains { $0.region == "North" && $0.kind != "All" } == true)
                // All, and every third month: the others differ in their figures only.
                for month in whole.filters.months.enumerated().filter({ $0.offset.isMultiple(of: 3) }).map(\.element) {
                    for region in whole.filters.regions {
                        for type in whole.filters.tripTypes {
                            let choice = CellKey(month: month, region: region, tripType: type)
                            let reported = Result { try place.summary(audience, choice, Self.targets) }
                            let filtered = Result { () throws(SummaryFilterError) in
                                try whole.filtered(month: month, region: region, tripType: type)
                            }
                            switch (reported, filtered) {
                            case (.success(let reported), .success(let filtered)):
                                compared += 1
                                expectSame(
                                    withoutRunFacts(filtered), withoutRunFacts(reported), "\(audience), \(choice)")
                            case (.failure, .failure(let error)):
                                hidden += 1
                                #expect(error == .withheld)
                            default:
                                Issue.record("\(audience), \(choice): report \(reported), filter \(filtered)")
                            }
                        }
                    }
                }
            }
            #expect(compared > 100)
            #expect(rows > 1_000 || hidden > 0)
        }
    }

    private func expectSame(_ filtered: KPISummaryV1, _ reported: KPISummaryV1, _ choice: String) {
        let ours = filtered.canonicalJSON().split(separator: UInt8(ascii: "\n"))
        let theirs = reported.canonicalJSON().split(separator: UInt8(ascii: "\n"))
        let place = zip(ours, theirs).enumerated().first { $0.element.0 != $0.element.1 }
        let difference = place.map {
            "filtered \(String(decoding: $0.element.0, as: UTF8.self)), reported \(String(decoding: $0.element.1, as: UTF8.self))"
        }
        #expect(ours.count == theirs.count && place == nil, "\(choice): \(difference ?? "")")
    }
}
