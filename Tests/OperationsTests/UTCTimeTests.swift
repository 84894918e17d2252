import Basics
import Operations
import Testing

@Suite struct UTCTimeTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (1_767_225_599, "2025-12-31T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
        (-1, "1969-12-31T23:59:59Z"),
    ])
    func textAndNumberAreTheSameInstant(seconds: Int, text: String) {
        #expect(UTCTime(secondsSince1970: seconds).description == text)
        #expect(UTCTime(text)?.secondsSince1970 == seconds)
    }

    @Test func theCompactFormIsForNamesOfFiles() {
        #expect(UTCTime(secondsSince1970: 951_782_401).compact == "20000229T000001Z")
    }

    @Test(arguments: [
        "", "2026-01-01", "2026-01-01T00:00:00", "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T0:00:00Z",
        "2026-01-01T00:00Z", "2026-01-01T00:00:00+00:00Z", "2026-01-01T-1:00:00Z", "2026-01-01T00:00:00ZZ",
    ])
    func otherTextsAreNone(text: String) {
        #expect(UTCTime(text) == nil)
    }
}
