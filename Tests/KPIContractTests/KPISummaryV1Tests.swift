import AppTypes
import Foundation
import KPIContract
import TestSupport
import Testing

struct KPISummaryV1Tests {
    @Test("A frozen document decodes and is written again to the byte", arguments: FrozenExamples.names)
    func frozen(name: String) throws {
        let data = try FrozenExamples.bytes(name)
        let summary = try JSONDecoder().decode(KPISummaryV1.self, from: data)
        #expect(String(decoding: summary.canonicalJSON(), as: UTF8.self) == String(decoding: data, as: UTF8.self))
    }

    @Test("A document from before a measure was added is written again without it", arguments: FrozenExamples.names)
    func fromBeforeAMeasure(name: String) throws {
        let text = String(decoding: try FrozenExamples.bytes(name), as: UTF8.self)
        let older = text.replacing(/"loadedMileRatio":[^,]*,/, with: "")
        #expect(older != text)
        let summary = try JSONDecoder().decode(KPISummaryV1.self, from: Data(older.utf8))
        #expect(String(decoding: summary.canonicalJSON(), as: UTF8.self) == older)
        let whole = try JSONDecoder().decode(KPISummaryV1.self, from: Data(text.utf8))
        for (cell, own) in zip(summary.cells, whole.cells) {
            #expect(cell.missingMeasures == own.missingMeasures.union(["loadedMileRatio"]) && cell != own)
            #expect(cell.agrees(with: own) && own.agrees(with: cell))
            var other = own
            other.loadedMiles = Tenths(tenths: 123_456)
            #expect(!cell.agrees(with: other))
        }
    }

    @Test("A document from before a statistic was added is written again without it", arguments: FrozenExamples.names)
    func fromBeforeAStatistic(name: String) throws {
        let text = String(decoding: try FrozenExamples.bytes(name), as: UTF8.self)
        let older = text.replacing(/,"p90":(null|[0-9]+)/, with: "")
        #expect(older != text)
        let summary = try JSONDecoder().decode(KPISummaryV1.self, from: Data(older.utf8))
        #expect(String(decoding: summary.canonicalJSON(), as: UTF8.self) == older)
        #expect(summary.cells.allSatisfy { $0.missingMeasures.contains(.responseP90) })
    }

    @Test("The app's own types decode from it", arguments: FrozenExamples.names)
    func appTypes(name: String) throws {
        let data = try FrozenExamples.bytes(name)
        let whole = try JSONDecoder().decode(KPISummaryV1.self, from: data)
        let summary = try JSONDecoder().decode(KPISummary.self, from: data)
        #expect(summary.totalTrips == whole.totalTrips && summary.chartData == whole.chartData)
        #expect(summary.avgDuration == whole.avgDuration.doubleValue)
        let dashboard = try JSONDecoder().decode(Dashboard.self, from: data)
        #expect(dashboard.cost == whole.cost.doubleValue && dashboard.inHousePercent == whole.inHousePercent)
        let cards = try JSONDecoder().decode(CardsAsSummaries.self, from: data).kpiCards
        #expect(cards.count == whole.kpiCards.count && cards.allSatisfy { $0.totalTrips == whole.totalTrips })
        #expect(try JSONDecoder().decode(CardsAsWords.self, from: data).kpiCards.first?.title == "Total trips")
    }

    @Test("A reader bears keys that a later 1.x adds")
    func additive() throws {
        let text = String(decoding: try FrozenExamples.bytes("summary-1.0.json"), as: UTF8.self)
        let later = text.replacingOccurrences(of: "  \"runId\"", with: "  \"addedLater\": {\"x\": [1]},\n  \"runId\"")
        #expect(later != text)
        let summary = try JSONDecoder().decode(KPISummaryV1.self, from: Data(later.utf8))
        #expect(String(decoding: summary.canonicalJSON(), as: UTF8.self) == text)
    }

    @Test("A document of 1.0 has no direction on its cards and no shares; one of 1.1 has both keys")
    func keysOfEleven() throws {
        func summary(_ name: String) throws -> KPISummaryV1 {
            try JSONDecoder().decode(KPISummaryV1.self, from: FrozenExamples.bytes(name))
        }
        let old = try summary("summary-1.0.json")
        #expect(old.audience == nil && old.qualityShares == nil && old.kpiCards.allSatisfy { $0.isBetter == nil })
        #expect(!String(decoding: old.canonicalJSON(), as: UTF8.self).contains("isBetter"))
        let release = try summary("summary-1.1-release.json"), staff = try summary("summary-1.1-staff.json")
        #expect(release.audience == "release" && staff.audience == "staff")
        #expect(release.qualityShares != nil && staff.qualityShares == nil)
        #expect(release.cells.contains { $0.complete == false } && release.mergedGroups?.isEmpty == false)
        #expect(release.cells.contains { $0.incompleteMeasures?.contains("cost") == true })
        for document in [release, staff] {
            let text = String(decoding: document.canonicalJSON(), as: UTF8.self)
            #expect(text.contains("\"isBetter\":") && text.contains("\"qualityShares\":"))
            #expect(document.kpiCards.first?.isBetter == nil)
            #expect(document.kpiCards.contains { $0.isBetter != nil })
        }
    }

    @Test("The top-level keys stand in the order of the contract")
    func keyOrder() throws {
        let text = String(decoding: try FrozenExamples.bytes("summary-1.0-restated.json"), as: UTF8.self)
        let keys = text.split(separator: "\n").filter { $0.hasPrefix("  \"") }
            .compactMap { $0.split(separator: "\"").dropFirst().first.map(String.init) }
        #expect(
            keys == [
                "contractVersion", "generatedAt", "runId", "dataThrough", "monthEvent", "dateBasis", "totalTrips",
                "avgDuration", "inHousePercent", "cost", "chartData", "months", "withheldMonths", "kpiCards", "filters",
                "cells", "comparisons", "restatements", "quality", "privacy", "rules",
            ])
    }

    @Test("Text is escaped, and comes back as it was")
    func escaping() throws {
        var summary = try JSONDecoder().decode(
            KPISummaryV1.self, from: FrozenExamples.bytes("summary-1.0-no-trips.json"))
        let text = "quote \" backslash \\ tab \t newline \n bell \u{7} nul \u{0} – ‹é› 🚑 / \u{2028}"
        summary.runId = text
        summary.quality.warnings = [text: nil, "b": 2, "a": 1]
        let bytes = summary.canonicalJSON()
        let written = String(decoding: bytes, as: UTF8.self)
        #expect(written.contains(#"quote \" backslash \\ tab \t newline \n bell \u0007 nul \u0000 – ‹é› 🚑 / "#))
        #expect(written.contains("\"warnings\": {\n      \"a\": 1,\n      \"b\": 2,\n"))
        let back = try JSONDecoder().decode(KPISummaryV1.self, from: Data(bytes))
        #expect(back == summary)
        #expect(back.quality.warnings[text] == .some(nil))
    }

    @Test("Chart figures are plain numbers whatever their size")
    func chartFigures() throws {
        var summary = try JSONDecoder().decode(
            KPISummaryV1.self, from: FrozenExamples.bytes("summary-1.0-no-trips.json"))
        summary.chartData = [0, 83, 412.5, 0.1, 1e15, -2]
        let written = String(decoding: summary.canonicalJSON(), as: UTF8.self)
        #expect(written.contains("\"chartData\": [0, 83, 412.5, 0.1, 1000000000000000, -2],\n"))
    }
}
