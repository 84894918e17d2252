import StrictYAML
import Testing

@Suite struct YAMLValueTests {
    private func parse(_ text: String) throws(ConfigurationError) -> YAMLValue {
        try YAMLValue.parse(text: text, file: "rules.yaml")
    }

    private func value(_ text: String) throws -> YAMLValue {
        try parse("key: \(text)\n").mapping(allowed: ["key"]).required("key")
    }

    @Test(arguments: ["no", "08", "1:30", "2026-01-01", "0x1F", "1_000", "~", "null", "yes", "1e3"])
    func scalarsStayTextAsWritten(text: String) throws {
        #expect(try value(text).string() == text)
        #expect(throws: ConfigurationError.self) { try value(text).bool() }
    }

    @Test func booleansAreTrueAndFalseWithoutQuotesOnly() throws {
        #expect(try value("true").bool())
        #expect(try !value("false").bool())
        for text in ["'true'", "True", "on", "1", "[true]", ""] {
            #expect(throws: ConfigurationError.self) { try value(text).bool() }
        }
    }

    @Test func wholeNumbersArePlainDigits() throws {
        #expect(try value("24").int() == 24)
        #expect(try value("-3").int() == -3)
        for text in ["08", "'24'", "2.0", "+1", "1_000", "0x1F", "99999999999999999999", ""] {
            #expect(throws: ConfigurationError.self) { try value(text).int() }
        }
    }

    @Test func numbersArePlainDecimals() throws {
        #expect(try value("-12.5").number() == -12.5)
        #expect(try value("7").number() == 7)
        for text in ["1e3", ".5", "5.", "inf", ".nan", "1:30", "'1.5'"] {
            #expect(throws: ConfigurationError.self) { try value(text).number() }
        }
    }

    @Test func aTextMayStandForAListOfOne() throws {
        #expect(try value("a").strings() == ["a"])
        #expect(try value("[a, 'b c']").strings() == ["a", "b c"])
        #expect(throws: ConfigurationError.self) { try value("[a, [b]]").strings() }
    }

    @Test func aKeyWithoutValueIsNotAText() throws {
        #expect(throws: ConfigurationError.self) { try value("").string() }
        #expect(try value("''").string().isEmpty)
    }

    @Test func valuesKnowTheirPlace() throws {
        let root = try parse("first: 1\nsecond:\n  - a\n  - b: c\n")
        let list = try root.mapping(allowed: ["first", "second"]).required("second").list()
        #expect(list[1].place == YAMLValue.Location(file: "rules.yaml", line: 4, column: 5))
    }

    @Test func anErrorPrintsPlaceAndRemedy() {
        let error = ConfigurationError(file: "a.yaml", line: 3, column: 7, message: "what", hint: "mend it so")
        #expect(error.description == "a.yaml:3:7: what — mend it so")
        #expect(ConfigurationError(file: "a.yaml", message: "what").description == "a.yaml: what")
    }

    @Test func anUnknownKeyIsRefusedWithTheLikelyOne() throws {
        let root = try parse("name: a\nrulse: b\n")
        let error = #expect(throws: ConfigurationError.self) { try root.mapping(allowed: ["name", "rules"]) }
        #expect(error?.description == "rules.yaml:2:1: unknown key “rulse” — did you mean “rules”?")
    }

    @Test func aMissingKeyIsNamed() throws {
        let mapping = try parse("name: a\n").mapping(allowed: ["name", "rules"])
        #expect(mapping.optional("rules") == nil)
        let error = #expect(throws: ConfigurationError.self) { try mapping.required("rules") }
        #expect(error?.message == "“rules” is missing")
    }

    @Test(arguments: [
        "a: 1\nb: 2\na: 3\n", "a: &x 1\nb: *x\n", "a: &x 1\n", "a: 1\n---\nb: 2\n", "a: !!int 1\n", "a: !x b\n",
        "<<: {a: 1}\n", "[a, b]: c\n", "a: [b\n", "a:\n\t- b\n", "", "# only a comment\n", "a: *x\n", "a: \u{0}\n",
    ])
    func whatTheSubsetDoesNotHaveIsRefused(text: String) {
        #expect(throws: ConfigurationError.self) { try parse(text) }
    }

    @Test func aDuplicateKeyIsReportedByItsLine() {
        let error = #expect(throws: ConfigurationError.self) { try parse("a: 1\nb: 2\na: 3\n") }
        #expect(
            error?.description == "rules.yaml:1:1: the key “a” appears more than once in a mapping — keep one of them")
    }

    @Test func billionLaughsAreRefusedAtOnce() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1...12 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }
        #expect(throws: ConfigurationError.self) { try parse(text) }
        #expect(throws: ConfigurationError.self) { try parse(text.replacing(", ", with: ",")) }
    }

    @Test(arguments: ["[", "{a: ", "- ", "? ", "a: {b: [", "- - ? "])
    func deepNestingIsRefusedNotFollowed(opening: String) {
        for count in [70, 1200, 40_000] {
            let text = String(repeating: opening, count: count)
            #expect(throws: ConfigurationError.self) { try parse(text) }
        }
    }

    @Test func sixtyLevelsAreStillTaken() throws {
        let text = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        #expect(throws: Never.self) { try parse(text) }
    }

    @Test func invalidUTF8IsAnErrorWithItsLine() {
        let bytes: [UInt8] = Array("name: a\nrules: ".utf8) + [0xFF, 0xFE, 0x0A]
        let error = #expect(throws: ConfigurationError.self) { try YAMLValue.parse(bytes: bytes, file: "r.yaml") }
        #expect(error?.line == 2)
    }

    @Test func largeFilesAreRefused() {
        let text = "a: " + String(repeating: "x", count: YAMLValue.maximumBytes)
        #expect(throws: ConfigurationError.self) { try parse(text) }
    }

    @Test func aByteOrderMarkAndLineEndsOfWindowsAreTaken() throws {
        let root = try parse("\u{FEFF}name: a\r\nlist:\r\n  - b\r\n")
        #expect(try root.mapping(allowed: ["name", "list"]).required("list").strings() == ["b"])
    }
}
