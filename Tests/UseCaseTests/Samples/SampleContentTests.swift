import Basics
import Testing
import Trips
import UseCases

@Suite("The trips of a sample")
struct SampleContentTests {
    private let header: [String: Int]
    private let rows: [[String]]

    init() throws {
        var plan = SampleOptions(rows: 60_000, seed: 11, firstMonth: Month(year: 2023, month: 10))
        plan.hasStructuralFaults = false
        plan.isMessy = true
        var bytes: [UInt8] = []
        try SampleWriter.write(plan) { bytes += $0 }
        let table = PlainTable.rows(of: String(decoding: bytes, as: UTF8.self), delimiter: ",")
        header = Dictionary(uniqueKeysWithValues: table[0].enumerated().map { ($0.element, $0.offset) })
        rows = Array(table.dropFirst())
    }

    private func values(_ field: CanonicalField) -> [String] {
        guard let column = header[field.rawValue] else { return [] }
        return rows.map { $0[column] }
    }

    private func share(_ field: CanonicalField, _ test: (String) -> Bool) -> Double {
        Double(values(field).filter(test).count) / Double(rows.count)
    }

    @Test("are mostly completed, of both types, in four regions")
    func haveTheirProportions() {
        #expect((0.94...0.96).contains(share(.status) { $0 == "completed" || $0.isEmpty }))
        #expect((0.025...0.035).contains(share(.status) { $0 == "cancelled" }))
        #expect((0.36...0.41).contains(share(.tripType) { $0 == "Emergency" }))
        for region in ["North", "South", "East", "West"] { #expect(share(.region) { $0 == region } > 0.15) }
        #expect((0.01...0.03).contains(share(.region) { $0.isEmpty }))
    }

    @Test("are in-house by modifier or vehicle in about six of ten")
    func haveEvidence() {
        #expect((0.56...0.60).contains(share(.vehicleID) { $0.hasPrefix("VA") }))
        #expect((0.43...0.50).contains(share(.hcpcsModifiers) { $0.hasSuffix(" QN") }))
        #expect((0.24...0.28).contains(share(.contractNumber) { !$0.isEmpty }))
    }

    @Test("come by month through two years, more of them in January than in September")
    func followTheSeasons() {
        var byMonth: [Substring: Int] = [:]
        for day in values(.serviceDate) where day.count == 10 { byMonth[day.prefix(7), default: 0] += 1 }
        #expect(byMonth.filter { $0.value > 1000 }.count == 24)
        #expect((byMonth["2024-01"] ?? 0) > (byMonth["2024-09"] ?? 0))
    }

    @Test("come in several versions of one key, exact copies among them")
    func haveVersions() {
        let keys = zip(values(.tripID), values(.legID)).filter { !$0.0.isEmpty }.map { "\($0)/\($1)" }
        let repeats = keys.count - Set(keys).count
        #expect((450...750).contains(repeats))
        #expect(rows.count - Set(rows).count > 30)
        #expect(values(.tripID).allSatisfy { $0.isEmpty || $0.utf8.count == 10 })
    }

    @Test("have the rejects that were asked for")
    func haveFaults() {
        let noID = values(.tripID).filter(\.isEmpty).count
        let unknown = values(.status).filter { $0 == "in_transit" }.count
        #expect((60...140).contains(noID))
        #expect((60...140).contains(unknown))
    }

    @Test("are in the repeated hour of the autumn night, and in no skipped hour but by a stale clock")
    func knowTheNightsOfDaylightSaving() throws {
        let zone = try #require(SampleZone.names.first)
        var plan = SampleOptions(rows: 20_000, seed: 3, firstMonth: Month(year: 2024, month: 11))
        plan.months = 1
        plan.zone = zone
        var bytes: [UInt8] = []
        try SampleWriter.write(plan) { bytes += $0 }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("2024-11-03 01:"))
        plan.firstMonth = Month(year: 2025, month: 3)
        bytes = []
        try SampleWriter.write(plan) { bytes += $0 }
        let spring = String(decoding: bytes, as: UTF8.self)
        let night = spring.split(separator: "\n").filter { $0.contains("2025-03-09 0") }
        let skipped = night.filter { $0.contains("2025-03-09 02:") }
        #expect(!skipped.isEmpty)
        #expect(skipped.count * 3 < night.count)
    }

    @Test("identify no person: ids, telephones and ZIP codes are out of any real range")
    func identifyNoPerson() {
        #expect(values(.patientID).allSatisfy { $0.hasPrefix("SYN-") })
        #expect(values(.patientPhone).allSatisfy { $0.hasPrefix("555-01") })
        #expect(values(.patientZIP).allSatisfy { $0.hasPrefix("0000") })
        #expect(values(.patientDOB).allSatisfy { $0 == "1900-01-01" })
    }

    @Test("of a maintained site: 0.5 % without a known region or type, 1 % without evidence in each month")
    func areMaintainedByDefault() throws {
        var plan = SampleOptions(rows: 48_000, seed: 470, firstMonth: Month(year: 2023, month: 10))
        plan.faultyPerMillion = 0
        plan.fields = [.tripID, .tripType, .region, .serviceDate, .vehicleID, .providerID]
        var bytes: [UInt8] = []
        try SampleWriter.write(plan) { bytes += $0 }
        let rows = PlainTable.rows(of: String(decoding: bytes, as: UTF8.self), delimiter: ",").dropFirst()
        let unassigned = rows.count {
            !["Emergency", "Routine"].contains($0[1]) || !["North", "South", "East", "West"].contains($0[2])
        }
        #expect((0.004...0.006).contains(Double(unassigned) / Double(rows.count)))
        let without = rows.filter { row in
            !row[4].hasPrefix("VA") && !["VA-", "P-"].contains { row[5].hasPrefix($0) }
        }
        #expect((460...500).contains(without.count))
        let months = Dictionary(grouping: without.filter { $0[3].count == 10 }) { String($0[3].prefix(7)) }
        #expect(months.count >= 24 && months.values.count { $0.count >= 15 } >= 24)
    }
}
