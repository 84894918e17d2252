import TestSupport
import Testing

/// The language of code, help and pages, as far as a search can check it.
///
/// A failure lists `file:line: phrase; what to write instead`. The search reads words: case, punctuation, comment marks
/// and line ends between the words of a phrase do not matter, and `weededTrips` counts as `weeded trips`.
@Suite struct PlainWordsTests {
    /// A phrase that readers outside the project do not know, and the term to use.
    private static let everywhere: [(phrases: [String], instead: String)] = [
        (["anew", "once more"], "again"),
        (["mend", "mends", "mended", "mending"], "fix"),
        (
            [
                "held to", "hold to", "holds to", "holding to", "hold it to", "holds it to", "hold them to",
                "holds them to",
            ],
            "checked against, required to match"
        ),
        (
            [
                "given out", "give out", "gives out", "giving out", "gave out", "goes out", "go out", "that may leave",
                "it may leave", "leaves the house",
            ],
            "released, published, written"
        ),
        (["kept back", "keep back", "keeps back", "keeping back", "held back"], "withheld until closed; left out"),
        (["looked through", "look through", "looks through", "looking through"], "scanned"),
        (["looked at twice", "look at twice", "looks at twice"], "exceptions to review"),
        (["nobody"], "a positive statement; the default"),
        (["nothing says otherwise", "says otherwise", "say otherwise", "if nothing is said"], "the default"),
        (["as of"], "from, for"),
        (["give away", "gives away", "given away", "gave away", "giving away"], "disclose"),
        (["set that stands", "one that stands", "those that stand"], "the current published set; the thing's name"),
        (["bug of ours", "bug of tripkpi"], "internal error"),
        (["look after", "looks after", "looked after", "looking after"], "manage"),
        (["tell whom", "tells whom", "told whom"], "re-identify trips by public id"),
        (["tell apart", "tells apart", "told apart"], "identify, distinguish"),
        (["witness", "witnesses", "other world", "other worlds", "worlds"], "alternative table"),
        (["fews"], "small counts"),
        (["surroundings"], "environment"),
        (["conduct"], "session, service"),
        (["wish", "wishes"], "request"),
        (["weed", "weeds", "weeded", "weeding"], "early retraction"),
        (["steadily"], "read consistently"),
        (["unanswerable"], "rules that need a replay"),
        (["hidden part", "hidden parts"], "suppressed measure"),
        (["partner cell", "partner cells"], "complementary suppression"),
        (["dominance"], "(n, k)-dominance rule, p % rule"),
        (["the house"], "the project; the health system"),
        (["none but"], "only"),
        (["deed"], "the action by its name"),
    ]

    /// What pages and data files avoid as well. In code the words occur in other senses.
    private static let onPages: [(phrases: [String], instead: String)] = [
        (["tell", "tells", "told"], "print, report, describe, disclose"),
        (["stand", "stands"], "is; name the place"),
        (["lets be", "goes on", "is wanted", "comes new"], "a plain verb"),
        (["taken up", "takes up", "take up"], "apply, publish"),
        (["looked at", "looks at"], "read, check"),
        (["whoever"], "name who"),
    ]

    /// General nouns that do not say of what. A type's name has a further word.
    private static let bareTypeNames: Set<String> = [
        "Conduct", "Fate", "Figure", "Goal", "Look", "Meaning", "Move", "Part", "Place", "Play", "Share", "Stand",
        "Sum", "Surroundings", "Talk", "Terms", "Verdict", "Way", "Wish", "Work", "World",
    ]

    /// Where a phrase is right.
    private static let allowed: [(path: String, phrase: String, reason: String)] = [
        ("Sources/KPIContract/", "type Share", "part of the public contract, which other programs link"),
        ("Sources/Store/", "as of", "the column as_of of existing stores"),
        ("docs/decisions/0015", "dominance", "names the (n, k)-dominance rule and a removed setting"),
        ("data/rules/", "", "the version of a rule set is a hash of its bytes, comments included"),
        ("data/profiles/", "", "the version of a profile is a hash of its bytes, comments included"),
    ]

    @Test func codeAndHelpSpeakPlainly() throws {
        var files = ["swift", "mustache", "js", "css"].flatMap { Repository.files(under: "Sources", withExtension: $0) }
        files += Repository.files(under: "scripts") + ["Makefile"]
        #expect(files.count > 100)
        try expectNoHits(in: files, Self.everywhere)
    }

    @Test func pagesAndDataSpeakPlainly() throws {
        var files = ["docs", "data", "Benchmarks", "Tests"].flatMap { Repository.files(under: $0, withExtension: "md") }
        files = files.filter { !$0.hasPrefix("Benchmarks/Runs/") }
        files += Repository.files(under: "data").filter { !$0.hasSuffix(".md") && !$0.hasPrefix("data/samples/") }
        files += Repository.files(under: "queries") + ["README.md", "CONTRIBUTING.md"]
        #expect(files.count > 50)
        try expectNoHits(in: files, Self.everywhere + Self.onPages)
    }

    @Test(arguments: [
        ("/// Nobody knows.", "nobody"), ("// held\n    /// to it", "held to"), ("let weededTrips = 1", "weeded"),
        ("struct Share: Sendable {", "type Share"), ("# mends it", "mends"), ("\"as of today\"", "as of"),
    ])
    func findsEach(text: String, phrase: String) {
        #expect(Self.hits(in: text, Self.everywhere).map(\.phrase) == [phrase])
    }

    @Test(arguments: [
        "recommended", "it held. To begin", "let asOf = date", "struct TimeShare {", "`Share` of a file", "amend",
        "held, to", "/// The class Share is gone.",
    ])
    func letsPass(text: String) {
        #expect(Self.hits(in: text, Self.everywhere).isEmpty)
    }

    private func expectNoHits(in files: [String], _ rules: [(phrases: [String], instead: String)]) throws {
        var found: [String] = []
        for file in files {
            for hit in Self.hits(in: try Repository.text(file), rules) {
                let isAllowed = Self.allowed.contains { file.hasPrefix($0.path) && hit.phrase.hasPrefix($0.phrase) }
                if !isAllowed { found.append("\(file):\(hit.line): \(hit.phrase); write: \(hit.instead)") }
            }
        }
        #expect(found.isEmpty, "\(found.count) phrases to rewrite:\n\(found.joined(separator: "\n"))")
    }

    private struct Hit {
        var line: Int
        var phrase: String
        var instead: String
    }

    /// All hits of a text, by line.
    private static func hits(in text: String, _ rules: [(phrases: [String], instead: String)]) -> [Hit] {
        var byFirstWord: [String: [(words: [String], instead: String)]] = [:]
        for rule in rules {
            for phrase in rule.phrases {
                let words = phrase.split(separator: " ").map(String.init)
                byFirstWord[words.first ?? "", default: []].append((words, rule.instead))
            }
        }
        let words = PlainWord.all(of: text)
        var hits: [Hit] = []
        for index in words.indices {
            for rule in byFirstWord[words[index].lowercase] ?? [] {
                let end = index + rule.words.count
                guard end <= words.count, words[index..<end].map(\.lowercase) == rule.words else { continue }
                hits.append(
                    Hit(line: words[index].line, phrase: rule.words.joined(separator: " "), instead: rule.instead))
            }
        }
        return hits + bareTypes(in: text)
    }

    private static func bareTypes(in text: String) -> [Hit] {
        let keywords: Set<Substring> = ["struct", "enum", "class", "actor", "protocol", "typealias"]
        var hits: [Hit] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "/") }
            if words.first?.hasPrefix("//") == true { continue }
            for (keyword, name) in zip(words, words.dropFirst()) where keywords.contains(keyword) {
                guard bareTypeNames.contains(String(name)) else { continue }
                hits.append(Hit(line: index + 1, phrase: "type \(name)", instead: "a name that says of what"))
            }
        }
        return hits
    }
}

/// A word of a text in lower case, with its line; a break between sentences or clauses is an empty word. The parts of
/// a camel-case name are words; `asOf` is one, a term of databases.
struct PlainWord {
    var lowercase: String
    var line: Int

    static func all(of text: String) -> [PlainWord] {
        var words: [PlainWord] = []
        var letters: [UInt8] = []
        var line = 1
        var isAfterLowercase = false
        func finish() {
            guard !letters.isEmpty else { return }
            words.append(PlainWord(lowercase: String(decoding: letters, as: UTF8.self), line: line))
            letters.removeAll(keepingCapacity: true)
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                letters.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                let isAsOf = byte == UInt8(ascii: "O") && letters == Array("as".utf8)
                if isAfterLowercase && !isAsOf { finish() }
                letters.append(byte | 0x20)
            case UInt8(ascii: "\n"):
                finish()
                line += 1
            default:
                finish()
                if ".,;:!?(){}[]=".utf8.contains(byte) { words.append(PlainWord(lowercase: "", line: line)) }
            }
            isAfterLowercase = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
        }
        finish()
        return words
    }
}
