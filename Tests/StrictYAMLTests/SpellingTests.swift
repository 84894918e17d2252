import StrictYAML
import Testing

@Suite struct SpellingTests {
    @Test func theNearestNameIsFound() {
        #expect(Spelling.nearest(to: "provder_id", among: ["provider_id", "vehicle_id"]) == "provider_id")
        #expect(Spelling.nearest(to: "INHOUSE", among: ["inHouse", "contracted"]) == "inHouse")
    }

    @Test func nothingNearGivesNothing() {
        #expect(Spelling.nearest(to: "zebra", among: ["provider_id", "vehicle_id"]) == nil)
        #expect(Spelling.nearest(to: "ab", among: ["cd"]) == nil)
    }

    @Test func theHintNamesWhatThereIs() {
        #expect(Spelling.hint(for: "zebra", among: ["b", "a"]) == "use one of: a, b")
    }
}
