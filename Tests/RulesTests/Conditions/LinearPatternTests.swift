import Rules
import TestSupport
import Testing

@Suite struct LinearPatternTests {
    /// Both engines must agree on what both understand.
    @Test func agreesWithTheStandardLibrary() throws {
        var random = SplitMix64(seed: 20_261_121)
        var compared = 0
        for _ in 0..<1500 {
            let text = Self.pattern(depth: 3, &random)
            guard let standard = try? Regex(text).matchingSemantics(.unicodeScalar) else { continue }
            let linear = try #require(try? LinearPattern(text), "\(text) is not understood")
            for _ in 0..<8 {
                let length = Int.random(in: 0...6, using: &random)
                let value = String((0..<length).compactMap { _ in "abA1 -".randomElement(using: &random) })
                let expected = try standard.firstMatch(in: value) != nil
                #expect(linear.matches(value) == expected, "pattern \(text), value “\(value)”")
                compared += 1
            }
        }
        #expect(compared > 8000)
    }

    private static func pattern(depth: Int, _ random: inout SplitMix64) -> String {
        let atoms = ["a", "b", "A", "1", ".", #"\d"#, #"\w"#, #"\s"#, "[ab]", "[^a]", "[a-b1]", #"\-"#, #"[\d-]"#]
        var text = ""
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where depth > 0: text += "(\(pattern(depth: depth - 1, &random)))"
            case 1 where depth > 0:
                text += "(?:\(pattern(depth: depth - 1, &random))|\(pattern(depth: depth - 1, &random)))"
            default: text += atoms.randomElement(using: &random) ?? "a"
            }
            let counts = ["", "", "", "", "*", "+", "?", "{2}", "{1,2}", "{1,}", "*?"]
            text += counts.randomElement(using: &random) ?? ""
        }
        if Int.random(in: 0..<6, using: &random) == 0 { text = "^" + text }
        if Int.random(in: 0..<6, using: &random) == 0 { text += "$" }
        if depth == 3, Int.random(in: 0..<8, using: &random) == 0 { text = "(?i)" + text }
        return text
    }

    @Test func caseMattersUnlessThePatternSaysOtherwise() throws {
        #expect(try !LinearPattern("^va").matches("VA-1"))
        #expect(try LinearPattern("(?i)^va[^x]").matches("VA-1"))
        #expect(try !LinearPattern("(?i)[^x]").matches("X"))
    }

    @Test func wordBoundariesSeparateTokens() throws {
        let pattern = try LinearPattern(#"\bQN\b"#)
        #expect(pattern.matches("RH,QN"))
        #expect(!pattern.matches("RHQN"))
    }

    /// A backtracking engine would need longer than the universe is old.
    @Test(.timeLimit(.minutes(1))) func noPatternTakesForever() throws {
        let value = String(repeating: "a", count: 2000)
        #expect(try !LinearPattern("(a+)+$b").matches(value))
        #expect(try !LinearPattern("(a|a)*(a|aa)+x").matches(value))
        #expect(throws: PatternFault.self) {
            try LinearPattern("((((((a{256}){256}){256}){256}){256}){256})")
        }
        #expect(try LinearPattern("((((((){256}){256}){256}){256}){256})").matches(""))
    }

    @Test(arguments: [
        "(", ")", "[", "[]", "*", "a**", "a{2", "a{3,2}", "a{999}", #"\"#, #"\q"#, "(?=a)", "(?<n>a)",
        "[z-a]",
    ])
    func badPatternsAreRefused(text: String) {
        #expect(throws: PatternFault.self) { try LinearPattern(text) }
    }
}
