import OutputScan
import Testing

/// What was read is found in outputs, as far as it could hardly be anything else.
@Suite("Identifiers of the run in outputs")
struct IdentifierTests {
    private func identifiers(
        _ values: [String], names: [String] = [], limit: Int = IdentifierSet.standardLimit
    ) -> IdentifierSet {
        let collector = IdentifierCollector(seed: 7, limit: limit)
        var gatherer = collector.gatherer()
        for (text, isName) in values.map({ ($0, false) }) + names.map({ ($0, true) }) {
            let bytes = Array(text.utf8)
            gatherer.add(bytes.span, isName: isName)
        }
        collector.add([gatherer])
        return collector.identifiers
    }

    private func isFound(_ text: String, _ set: IdentifierSet, publicTexts: [String] = []) -> Bool {
        let scan = OutputScan(.init(ownDays: [], publicTexts: publicTexts, identifiers: set))
        let findings = scan.findings(in: Array("{\"a\":\"\(text)\"}".utf8), named: "a.json")
        return findings.contains { $0.kind == .identifier }
    }

    @Test(
        "an id, a name, an address, in whatever surroundings",
        arguments: [
            "SYN-T0001234", "syn-t0001234", "x (SYN-T0001234).", "id=SYN-T0001234", "DOE, JANE", "seen Doe, Jane today",
            "123 Main St, Apt 4", "at 123 main st, apt 4.", "no 7654321 of", "MED12",
        ])
    func finds(text: String) {
        let set = identifiers(
            [" SYN-T0001234 ", "(123 Main St, Apt 4)", "7654321", "MED12"], names: ["Doe, Jane"])
        #expect(isFound(text, set))
    }

    @Test("what every report says is none, though a column holds it")
    func common() {
        let set = identifiers(
            ["12", "North", "2025-03", "over 24 h", "11195", "A1", "Emergency", "654321"], names: ["Lee"])
        #expect(set.count == 0)
        for text in ["12", "North", "2025-03", "over 24 h", "11195", "654321"] { #expect(!isFound(text, set)) }
    }

    @Test("a place in an export is none, however far in it lies")
    func places() {
        for text in ["export 1, xxx.csv, byte 123,456,789", "export 2, xxx.csv, byte 20,250,101"] {
            let scan = OutputScan(.init(ownDays: []))
            #expect(scan.findings(in: Array("a\r\n\"\(text)\"\r\n".utf8), named: "a.csv").isEmpty)
        }
    }

    @Test("names that the settings made public are no identifiers")
    func publicNames() {
        let set = identifiers(["Region7"])
        #expect(isFound("Region7", set))
        #expect(!isFound("Region7", set, publicTexts: ["Region7"]))
    }

    @Test("beyond the limit it is said that there were more")
    func limit() {
        let values = (0..<200_000).map { "ID-\($0)-X" }
        #expect(identifiers(values).isComplete)
        let few = identifiers(values, limit: 1024)
        #expect(!few.isComplete && few.count <= 1024)
        #expect(identifiers(values).count == 199_900, "those with fewer than three digits are none")
    }

    @Test("a hundred thousand strange texts meet none of a hundred thousand identifiers")
    func chance() {
        let set = identifiers((0..<100_000).map { "SYN-\($0 * 7919)-A" })
        let text = (0..<100_000).map { "\"OUT-\($0 * 104_729)-B\"" }.joined(separator: ",")
        let scan = OutputScan(.init(ownDays: [], identifiers: set))
        #expect(scan.findings(in: Array("[\(text)]".utf8), named: "a.json").isEmpty)
    }
}
