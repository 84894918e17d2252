import Foundation
import KPIContract
import Privacy
import Reports
import Testing

struct KPICatalogTests {
    @Test("Names and columns are distinct, and every KPI is defined in a sentence")
    func described() {
        #expect(Set(KPICatalog.all.map(\.name)).count == KPICatalog.all.count)
        #expect(Set(KPICatalog.all.map(\.column)).count == KPICatalog.all.count)
        #expect(KPICatalog.all.allSatisfy { $0.definition.hasSuffix(".") && !$0.title.isEmpty })
    }

    @Test("The catalog has every figure of a cell, in the contract's order and with its text")
    func complete() throws {
        let report = try ReportFixture.report(mode: .internalUse)
        let cell = try #require(report.summary.cells.first)
        let line = try #require(NDJSONReport().bytes(report).split(separator: 0x0A).first)
        let text = String(decoding: line, as: UTF8.self)
        let object = try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        let others = ["release", "month", "region", "tripType", "suppressed", "sourcingSuppressed", "patients"]
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
