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

    private func inventory(_ text: String, _ name: String, required: Set<CanonicalField> = []) throws -> ColumnInventory
    {
        try TemporaryFolder.with { folder in
            var profile = Self.profile
            profile.required = required
            return try ExportReader(
                ExportReader.Request(path: try folder.write(text, to: name), profile: profile, textNeeds: [])
            ).inventory
        }
    }

    @Test func anyOfTheNamesWillDoAndAConstantNeedsNoColumn() throws {
        let all = try inventory("id,day,amount,text\n1,2024-01-02,3,x\n", "a.csv")
        #expect(all.sentence == nil)
        #expect(all.usual.map(\.field) == [.tripID, .serviceDate, .cost, .notes])
        let some = try inventory("id,day,sum\n1,2024-01-02,3\n", "b.csv")
        #expect(
            some.sentence == "2 mapped columns are missing: cost (“bill.total” or “amount”), notes (“text”)")
        #expect(some.gone(since: [.tripID, .cost, .providerID]) == [.cost])
    }

    private static func records(_ count: Int, _ extra: (Int) -> String) -> String {
        (0..<count).map { #"{"id":"\#($0)","day":"2024-01-02"\#(extra($0))}"# + "\n" }.joined()
    }

    @Test func aJSONKeyIsMissingOnlyIfNoRecordHasIt() throws {
        let one = try inventory(Self.records(20) { $0 == 19 ? #","bill":{"total":1},"text":"x""# : "" }, "a.ndjson")
        #expect(one.sentence == nil)
        // Rare keys are not remembered: tomorrow's first records may be without them.
        #expect(one.usual.map(\.field) == [.tripID, .serviceDate])
        let none = try inventory(Self.records(20) { _ in #","text":null"# }, "b.ndjson")
        #expect(none.sentence == "1 mapped column is missing: cost (“bill.total” or “amount”)")
        #expect(none.gone(since: [.cost]) == [.cost])
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
        #expect(found.gone(since: [.cost]) == [])
        let few = Self.records(3) { _ in "" }
        #expect(throws: ExportError.self) { try inventory(few, "few.ndjson", required: [.cost]) }
    }

    @Test func anEmptyJSONExportLacksNothing() throws {
        #expect(try inventory("[]", "a.json", required: [.cost]).sentence == nil)
    }
}
