import TestSupport
import Testing
import Trips

/// The bytes of ids against plain patterns.
@Suite struct NoTripIDTests {
    private static func isRounded(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9](?:[.,][0-9]+)?[Ee]\+[0-9]{2,3}|[0-9][.,][0-9]+[Ee][0-9]{2,3}/) != nil
    }

    private static func isTotal(_ text: String) -> Bool {
        text.wholeMatch(of: /(?:sub[-_ ]*|grand[-_ ]*)?totals?(?:[^a-z0-9é].*)?/.ignoresCase()) != nil
            || text.wholeMatch(of: /[^0-9]+[-_ ](?:sub)?total/.ignoresCase()) != nil
            || text.wholeMatch(of: /[-_ ](?:sub)?total/.ignoresCase()) != nil
    }

    @Test func idsAreAsThePatternsSay() {
        var random = SplitMix64(seed: 0x1D5)
        let pieces = [
            "1", "23", "E", "e", "+", ".", ",", "total", "Total", "TOTAL", "s", "sub", "Sub", "grand", " ", "-", "_",
            "North", "x",
            ":", "é", "tot", "al", "E+11", "1.2",
        ]
        var met = (rounded: 0, total: 0)
        for _ in 0..<FuzzPlan.iterations(10_000) {
            let count = Int.random(in: 0...6, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let bytes = Array(text.utf8)
            let rounded = Self.isRounded(text), total = Self.isTotal(text)
            if NoTripID.isRounded(bytes.span) != rounded { Issue.record("“\(text)” is rounded: \(rounded)") }
            if NoTripID.isTotal(bytes.span) != total { Issue.record("“\(text)” is a total: \(total)") }
            met.rounded += rounded ? 1 : 0
            met.total += total ? 1 : 0
        }
        #expect(met.rounded > 2 && met.total > 100)
    }
}
