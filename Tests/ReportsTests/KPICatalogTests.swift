import Foundation
import KPIContract
import KPIs
import Privacy
import Reports
import TestSupport
import Testing
import Trips

struct KPICatalogTests {
    @Test("Names and columns are distinct, and every KPI is defined in a sentence")
    func described() {
        #expect(Set(KPICatalog.all.map(\.name)).count == KPICatalog.all.count)
        #expect(Set(KPICatalog.all.map(\.column)).count == KPICatalog.all.count)
        #expect(KPICatalog.all.allSatisfy { $0.definition.hasSuffix(".") && !$0.title.isEmpty })
    }

    @Test("Intervals have the names and events that trips have")
    func intervals() {
        for interval in TripInterval.allCases {
            let events = interval.standardPair
            let pair =
                "from "
                + KPISummaryV1.IntervalEvents(
                    interval: interval.name, start: events.start.field.rawValue, end: events.end.field.rawValue
                ).words
            for figure in ["used", "mean", "p50", "p90"] {
                let definition = KPICatalog.description(named: "\(interval.name).\(figure)")?.definition
                #expect(definition?.contains(pair) == true, "\(interval.name).\(figure)")
            }
        }
    }

    @Test("The page on KPIs says which way is good as the catalog does")
    func documentedDirection() throws {
        let page = try Repository.text("docs/kpis.md")
        for kpi in KPICatalog.all where !kpi.name.hasSuffix("used") && !kpi.name.hasSuffix("excluded") {
            let key = kpi.name.prefix { $0 != "." }
            let row = page.split(separator: "\n").first { $0.hasPrefix("| `\(key)` |") }
            let better = kpi.better == .neither ? "–" : kpi.better.rawValue
            #expect(row?.split(separator: "|").dropFirst(2).first == " \(better) ", "\(kpi.name)")
        }
    }

    @Test("What has no value is told from what is hidden")
    func absence() throws {
        var cell = try #require(try ReportFixture.report(audience: .staff).summary.cells.first)
        let costPerTrip = try #require(KPICatalog.description(named: "costPerTrip"))
        #expect(!costPerTrip.isNone(cell))
        cell.costPerTrip = nil
        #expect(!costPerTrip.isNone(cell))
        cell.costedTrips = 0
        #expect(costPerTrip.isNone(cell))
        cell.costedTrips = nil
        #expect(!costPerTrip.isNone(cell))
        cell.costedTrips = 0
        cell.suppressed = true
        #expect(!costPerTrip.isNone(cell))
        let perMile = try #require(KPICatalog.description(named: "costPerLoadedMile"))
        cell.suppressed = false
        cell.costPerLoadedMile = nil
        #expect(perMile.isNone(cell))
        cell.loadedMiles = nil
        #expect(!perMile.isNone(cell))
    }

    @Test("A quotient whose parts leave out different trips is suppressed, not undefined")
    func unlikeParts() throws {
        var cell = try #require(try ReportFixture.report(audience: .staff).summary.cells.first)
        let ratio = try #require(KPICatalog.description(named: "loadedMileRatio"))
        (cell.loadedMileRatio, cell.loadedMiles, cell.unloadedMiles) = (nil, Tenths(tenths: 0), Tenths(tenths: 0))
        #expect(ratio.isNone(cell))
        cell.incompleteMeasures = ["cost"]
        #expect(ratio.isNone(cell))
        cell.incompleteMeasures = ["unloadedMiles"]
        #expect(!ratio.isNone(cell))
    }

    @Test("The catalogue describes each measure in its place")
    func places() {
        #expect(KPICatalog.all.map(\.measure) == Measure.allCases)
        for measure in Measure.allCases {
            let parts = measure.name.split(separator: ".")
            let name = parts[0] + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            #expect(String(describing: measure) == name)
            #expect(Measure(name: measure.name) == measure)
        }
        #expect(Measure(name: "response.p10") == nil)
    }

    @Test("The mart kpi_cells has the SQL of each measure")
    func mart() throws {
        let mart = try Repository.text("queries/marts/kpi_cells.sql").split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        for kpi in KPICatalog.all {
            if let sql = kpi.sql { #expect(mart.contains(sql), "\(kpi.name)") }
        }
    }

    @Test("A document tells suppressed from undefined figures as they were published")
    func publishedValues() throws {
        var random = SplitMix64(seed: 7), undefined = 0
        for _ in 0..<FuzzPlan.iterations(40) {
            let population = RandomPopulation.make(&random), tally = population.tally(), rule = PartitionRule()
            let months = tally.monthsMet.map {
                ReleasedMonth(month: $0, partition: rule.partition(of: $0, in: tally))
            }
            guard
                let release = try? Publishable(
                    releasing: months, tally: tally, withholding: [], context: population.context)
            else { continue }
            let cells = SummaryReport.cells(of: release)
            #expect(cells.count == release.cells.count)
            for (cell, written) in zip(release.cells, cells) {
                for kpi in KPICatalog.all {
                    #expect(kpi.published(written) == cell[kpi.measure], "\(kpi.name)")
                    undefined += cell[kpi.measure] == .undefined ? 1 : 0
                }
            }
        }
        #expect(undefined > 100)
    }

    @Test("Figures are written as people read them")
    func formats() {
        typealias Format = FigureFormat
        #expect(Format.count.shown(1_234_567) == "1,234,567")
        #expect(Format.percent.shown(61) == "61%")
        #expect(Format.share.shown(6138) == "61.38%")
        #expect(Format.tenthsOfPercent.shown(614) == "61.4%")
        #expect(Format.share.shown(10_000) == "100.0%")
        #expect(Format.dollars.shown(-123_450) == "-$1,234.50")
        #expect(Format.miles.shown(12_345) == "1,234.5")
        #expect(Format.seconds.shown(3725) == "1:02:05")
        #expect(Format.tenthsOfSeconds.shown(35_995) == "1:00:00")
        #expect(Format.tenthsOfSeconds.shown(35_994) == "59:59")
    }

    @Test("The catalog has every figure of a cell, in the contract's order and with its text")
    func complete() throws {
        let report = try ReportFixture.report(audience: .staff)
        let cell = try #require(report.summary.cells.first)
        let line = try #require(NDJSONReport().bytes(report).split(separator: 0x0A).first)
        let text = String(decoding: line, as: UTF8.self)
        let object = try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        let others = [
            "release", "month", "region", "tripType", "suppressed", "complete", "revisionPending", "sourcingSuppressed",
            "sourcingBasis", "incompleteMeasures", "patients",
        ]
        let names = object.flatMap { name, value -> [String] in
            (value as? [String: Any])?.keys.map { "\(name).\($0)" } ?? [name]
        }
        #expect(Set(names).subtracting(others) == Set(KPICatalog.all.map(\.name)))
        var from = text.startIndex
        for description in KPICatalog.all {
            let key = description.name.split(separator: ".").last ?? ""
            let member = "\"\(key)\":\(description.text(cell) ?? "null")"
            let found = try #require(text.range(of: member, range: from..<text.endIndex), "\(description.name)")
            from = found.upperBound
        }
    }
}
