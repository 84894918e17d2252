import ExportBytes
import Foundation
import Intake
import Profiles
import TestSupport
import Testing
import Trips

@Suite struct ColumnInventoryTests {
    private static var profile: Profile {
        var profile = Profile(source: "cad")
        profile.columns = [.tripID: ["id"], .serviceDate: ["day"], .cost: ["bill.total", "amount"], .notes: ["text"]]
        profile.constants = [.region: "North"]
        return profile
    }

    private func inventory(
        _ text: String, _ name: String, profile: Profile = Self.profile, required: Set<CanonicalField>? = nil
    ) throws -> ColumnInventory {
        try TemporaryFolder.with { folder in
            var profile = profile
            profile.required = required ?? profile.required
            return try ExportReader(
                ExportReader.Request(path: try folder.write(text, to: name), profile: profile, textNeeds: [])
            ).inventory
        }
    }

    @Test func anyOfTheNamesWillDoAndAConstantNeedsNoColumn() throws {
        let all = try inventory("id,day,amount,text\n1,2024-01-02,3,x\n", "a.csv")
        #expect(all.sentence == nil)
        #expect(all.remembered.map(\.field) == [.tripID, .serviceDate, .cost, .notes])
        let some = try inventory("id,day,sum\n1,2024-01-02,3\n", "b.csv")
        #expect(
            some.sentence == "2 mapped columns are missing: cost (“bill.total” or “amount”), notes (“text”)")
        #expect(some.missing(since: [.tripID, .cost, .providerID]) == [.cost])
    }

    private static func records(_ count: Int, _ extra: (Int) -> String) -> String {
        (0..<count).map { #"{"id":"\#($0)","day":"2024-01-02"\#(extra($0))}"# + "\n" }.joined()
    }

    @Test func aJSONKeyIsMissingOnlyIfNoRecordHasIt() throws {
        let one = try inventory(Self.records(20) { $0 == 19 ? #","bill":{"total":1},"text":"x""# : "" }, "a.ndjson")
        #expect(one.sentence == nil)
        // Rare keys are not remembered: tomorrow's first records may be without them.
        #expect(one.remembered.map(\.field) == [.tripID, .serviceDate])
        let none = try inventory(Self.records(20) { _ in #","text":null"# }, "b.ndjson")
        #expect(none.sentence == "1 mapped column is missing: cost (“bill.total” or “amount”)")
        #expect(none.missing(since: [.cost]) == [.cost])
    }

    @Test func fewFirstRecordsOfJSONAreNoError() throws {
        let long = String(repeating: "x", count: 20_000)
        let text =
            "["
            + (0..<20).map { #"{"id":"\#($0)","day":"2024-01-02","text":"\#(long)"}"# }
            .joined(separator: ",\n") + "]"
        let found = try inventory(text, "a.json", required: [.cost])
        #expect(
            found.sentence == "1 mapped column is missing from the first records: cost (“bill.total” or “amount”)")
        #expect(found.missing(since: [.cost]) == [])
        let few = Self.records(3) { _ in "" }
        #expect(throws: ExportError.self) { try inventory(few, "few.ndjson", required: [.cost]) }
    }

    @Test func aTableOfRegionsReadsAColumn() throws {
        var profile = Self.profile
        profile.constants = [:]
        profile.lookups = [LookupTable(column: "station", regions: ["1": "North"], zones: [:])]
        profile.required = [.region]
        let header = "id,day,amount,text"
        let found = try inventory("\(header),station\n1,2024-01-02,3,x,1\n", "a.csv", profile: profile)
        #expect(found.sentence == nil)
        #expect(found.remembered.last.map(\.field) == .region)
        profile.required = []
        let lacking = try inventory("\(header)\n1,2024-01-02,3,x\n", "b.csv", profile: profile)
        #expect(lacking.sentence == "1 mapped column is missing: region (“station”)")
        #expect(lacking.missing(since: [.region, .cost]) == [.region])
        profile.required = [.region]
        #expect(throws: ExportError.self) {
            try inventory("\(header)\n1,2024-01-02,3,x\n", "c.csv", profile: profile)
        }
    }

    @Test func anEmptyJSONExportLacksNothing() throws {
        #expect(try inventory("[]", "a.json", required: [.cost]).sentence == nil)
    }
}
