import TestSupport
import Testing

/// What the house does not write, with the place and what to write instead.
@Suite struct ForbiddenWordsTests {
    /// A pattern, and what to do instead.
    private struct Rule {
        var name: String
        /// One of them is in each line that the pattern matches. To look for them is faster.
        var words: [String]
        var pattern: Regex<Substring>
        var instead: String

        func matches(_ line: Substring) -> Bool {
            words.contains { line.contains($0) } && line.firstMatch(of: pattern) != nil
        }
    }

    private static var inCode: [Rule] {
        [
            Rule(name: "try!", words: ["try!"], pattern: /\btry!/, instead: "throw, or say what happens on failure"),
            Rule(name: "as!", words: ["as!"], pattern: /\bas!/, instead: "use as? and say what happens otherwise"),
            Rule(
                name: "force unwrap", words: ["!"], pattern: /[\w)\]>?]!(?!=)/,
                instead: "use guard let, or a typed error"),
            Rule(
                name: "fatalError", words: ["fatalError"], pattern: /\bfatalError\b/,
                instead: "throw; for a programmer's slip: precondition"),
            Rule(
                name: "singleton", words: [" shared"], pattern: /\bstatic (?:let|var) shared\b/, instead: "pass it in"),
        ]
    }

    private static var anywhere: [Rule] {
        [
            Rule(
                name: "promise", words: ["TODO", "FIXME"], pattern: /\b(?:TODO|FIXME)\b/,
                instead: "do it, or open an issue and drop the comment"),
            Rule(
                name: "citation", words: ["SPEC", "§"], pattern: /\bSPEC\b|§/,
                instead: "write the rule; the reader does not have the page"),
        ]
    }

    @Test func sourcesAndTestsAreFreeOfThem() throws {
        for file in files() {
            let text = try Repository.text(file)
            let problems = Self.problems(in: text)
            #expect(problems.isEmpty, "\(file): \(problems.joined(separator: "; "))")
        }
    }

    @Test(arguments: [
        "let a = b!", "let a = b[0]!.c", "call()!", "try! call()", "x as! Y", "var a: Int!", "fatalError(\"x\")",
        "static let shared = A()", "// TODO: later", "/// As SPEC §5 says.", "\"\\(a!)\"",
        "final class A: @unchecked Sendable {}",
    ])
    func findsEach(line: String) {
        #expect(!Self.problems(in: line).isEmpty)
    }

    @Test(arguments: [
        "a != b", "if !a { }", "call(!a)", "// Stop! try! is not used", "\"Stop!\"", "\"\"\"\nStop!\n\"\"\"",
        "#\"a!\"#",
        "/// Why: guarded by a lock.\nfinal class A: @unchecked Sendable {}", "/* a! /* b! */ c! */",
    ])
    func letsPass(line: String) {
        #expect(Self.problems(in: line) == [])
    }

    private func files() -> [String] {
        let tests = Repository.files(under: "Tests", withExtension: "swift")
        // This folder names the words it looks for.
        return Repository.files(under: "Sources", withExtension: "swift")
            + tests.filter { !$0.hasPrefix("Tests/RepositoryTests/") }
    }

    private static func problems(in text: String) -> [String] {
        var problems: [String] = []
        let inCode = inCode, anywhere = anywhere
        let raw = text.split(separator: "\n", omittingEmptySubsequences: false)
        let code = SwiftCode(text).bare.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in code.enumerated() {
            for rule in inCode where rule.matches(line) {
                problems.append("line \(index + 1): \(rule.name); \(rule.instead)")
            }
            let isUnchecked = line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)")
            if isUnchecked && !hasReason(at: index, in: raw) {
                problems.append("line \(index + 1): unchecked concurrency; say beside it what makes it sound")
            }
        }
        for (index, line) in raw.enumerated() {
            for rule in anywhere where rule.matches(line) {
                problems.append("line \(index + 1): \(rule.name); \(rule.instead)")
            }
        }
        return problems
    }

    private static func hasReason(at index: Int, in lines: [Substring]) -> Bool {
        if lines[index].contains("//") { return true }
        return index > 0 && lines[index - 1].contains("//")
    }
}
