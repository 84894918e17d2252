import StrictYAML
import TestSupport
import Testing

@Suite struct YAMLMutationTests {
    /// Soups of YAML's own marks reach the parser's corners sooner than damaged files do.
    @Test(.timeLimit(.minutes(2))) func soupsOfMarksNeverCrash() {
        let pieces = [
            "a", "b: ", ": ", "- ", "? ", "[", "]", "{", "}", ", ", "\n", "\n  ", "\n    ", "\r\n", "\t", "\"", "'",
            "|",
            ">-\n", "|2\n", "# c\n", "&x ", "*x", "!!str ", "!", "%YAML 1.1\n", "%TAG ! a\n", "---\n", "...\n", "\\",
            "\\u00e9", "\\x", "<<: ", "~", "@", "`", "é", "\u{2028}", "\u{85}", "\u{FEFF}", "\u{0}", "\u{1B}", "08",
            "*", "&",
        ]
        var random = SplitMix64(seed: 1_121)
        var taken = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...24, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            if (try? YAMLValue.parse(text: text, file: "soup.yaml")) != nil { taken += 1 }
        }
        #expect(taken > 500)
    }

    @Test func anyBytesGiveAValueOrAnError() {
        var random = SplitMix64(seed: 7), refused = 0
        for _ in 0..<3000 {
            let length = Int.random(in: 0...64, using: &random)
            let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            do throws(ConfigurationError) {
                _ = try YAMLValue.parse(bytes: bytes, file: "noise.yaml")
            } catch {
                #expect(!error.message.isEmpty && error.file == "noise.yaml")
                refused += 1
            }
        }
        #expect(refused > 1000)
    }
}
