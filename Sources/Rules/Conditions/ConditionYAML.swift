package import Basics
package import StrictYAML
import Trips

/// Reads conditions from a rule file or a profile, with the files they name.
///
/// A condition is a mapping with one key:
/// ```yaml
/// present: contract_number
/// equals: {hcpcs_code: A0427}
/// in: {provider_id: [VA-1, VA-2]}
/// in-file: {provider_id: contractors.csv#provider_id}   # a column of a CSV file, or a file of one value a line
/// prefix: {vehicle_id: [VA]}
/// contains-token: {hcpcs_modifiers: QN}
/// regex: {vehicle_id: '^V\d{3}$'}                       # see LinearPattern
/// range: {loaded_miles: {min: 0.1, max: 50}}
/// roster: {field: provider_id, file: providers.csv, sourcing: inHouse}
/// all: [..]
/// any: [..]
/// not: ..
/// ```
package struct ConditionYAML {
    /// Names that may be tested; nil: any name (columns of a file).
    private let fields: [String]?
    /// Folder of the rule file, with its last `/`; empty for the working folder.
    private let folder: String
    private let load: (String) throws -> [UInt8]

    private let log: ConfigurationErrorLog
    /// Content of the files read so far, by their paths as written in the rule file.
    package private(set) var files: [String: [UInt8]] = [:]
    private var rosters: [String: Roster?] = [:]

    /// - Parameters:
    ///   - fields: the names that may be tested; nil for any.
    ///   - file: the file that holds the conditions; the files they name are relative to its folder.
    ///   - log: takes every error.
    ///   - load: the content of a file.
    package init(
        fields: [String]?, file: String, log: ConfigurationErrorLog, load: @escaping (String) throws -> [UInt8]
    ) {
        self.fields = fields
        self.log = log
        self.load = load
        folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    }

    /// The condition, or nil after an error.
    package mutating func condition(_ value: YAMLValue) -> Condition? {
        log.attempt(try read(value))
    }

    private static let kinds = [
        "all", "any", "not", "present", "equals", "in", "in-file", "prefix", "contains-token", "regex", "range",
        "roster",
    ]

    private mutating func read(_ value: YAMLValue) throws(ConfigurationError) -> Condition? {
        let tests = try value.mapping(allowed: Self.kinds).entries
        guard let test = tests.first, tests.count == 1 else {
            throw value.error(
                "a condition has one test, found \(tests.count)", hint: "put several into “all:” or “any:”")
        }
        switch test.key {
        case "all": return try list(test).map(Condition.all)
        case "any": return try list(test).map(Condition.any)
        case "not": return condition(test.value).map(Condition.not)
        case "present": return .test(FieldTest(try field(try test.value.string(), at: test.value.place), .present))
        case "roster": return try roster(test.value)
        default: return .test(try fieldTest(test))
        }
    }

    private mutating func list(_ test: YAMLValue.Entry) throws(ConfigurationError) -> [Condition]? {
        let values = try test.value.list()
        guard !values.isEmpty else {
            throw test.value.error("“\(test.key)” has no conditions", hint: "list at least one")
        }
        let conditions = values.compactMap { condition($0) }
        return conditions.count == values.count ? conditions : nil
    }

    /// Tests of the shape `test: {field: operand}`.
    private mutating func fieldTest(_ test: YAMLValue.Entry) throws(ConfigurationError) -> FieldTest {
        let entries = try test.value.entries()
        guard let entry = entries.first, entries.count == 1 else {
            throw test.value.error("“\(test.key)” takes one field, found \(entries.count)", hint: "use “all:”")
        }
        let field = try field(entry.key, at: entry.keyPlace)
        let operand = entry.value
        switch test.key {
        case "equals": return FieldTest(field, .isIn([try Self.text(operand)]))
        case "in": return FieldTest(field, .isIn(try Self.texts(operand)))
        case "in-file": return FieldTest(field, .isIn(try values(ofFile: operand)))
        case "prefix": return FieldTest(field, .prefix(try Self.texts(operand)))
        case "contains-token": return FieldTest(field, .containsToken(try Self.tokens(operand)))
        case "regex": return FieldTest(field, .regex(try Self.pattern(operand)))
        default: return FieldTest(field, try Self.range(operand))
        }
    }

    private func field(_ name: String, at place: YAMLValue.Location) throws(ConfigurationError) -> String {
        if let fields, !fields.contains(name) { throw place.unknown("field", name, among: fields) }
        return name
    }

    private mutating func roster(_ value: YAMLValue) throws(ConfigurationError) -> Condition? {
        let mapping = try value.mapping(allowed: ["field", "file", "sourcing"])
        let fieldValue = try mapping.required("field")
        let field = try field(try fieldValue.string(), at: fieldValue.place)
        let sourcing = try mapping.required("sourcing").sourcing()
        let file = try mapping.required("file")
        let path = try file.string()
        let key = field + "\u{0}" + path
        if rosters[key] == nil {
            let bytes = try content(of: path, at: file)
            rosters[key] = .some(
                log.attempt(try RosterFile.read(bytes: bytes, file: folder + path, keyColumn: field, log: log)))
        }
        guard let known = rosters[key], let roster = known else { return nil }
        return .test(FieldTest(field, .roster(roster, sourcing: sourcing)))
    }

    /// The content of a file the rules name, read once.
    private mutating func content(of path: String, at value: YAMLValue) throws(ConfigurationError) -> [UInt8] {
        if let known = files[path] { return known }
        do {
            let bytes = try load(path.hasPrefix("/") ? path : folder + path)
            files[path] = bytes
            return bytes
        } catch {
            throw value.error(
                "the file “\(path)” cannot be read", hint: "paths are relative to the file that names them")
        }
    }

    private mutating func values(ofFile value: YAMLValue) throws(ConfigurationError) -> [String] {
        let parts = try value.string().split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(parts[0])
        let bytes = try content(of: path, at: value)
        let table = try CSVTable(bytes: bytes, file: folder + path, hasHeader: parts.count == 2)
        var column = 0
        if parts.count == 2 {
            let name = String(parts[1])
            guard let place = table.column(name) else {
                throw value.error(
                    "the file has no column “\(name)”", hint: Spelling.hint(for: name, among: table.header))
            }
            column = place
        }
        let values = table.records.map { $0.fields[column] }.filter { !$0.isEmpty }
        guard !values.isEmpty else { throw value.error("the file lists no values", hint: "add one, or drop the test") }
        return values
    }
}

/// The operands of the tests.
extension ConditionYAML {
    /// A text that is not blank.
    fileprivate static func text(_ value: YAMLValue) throws(ConfigurationError) -> String {
        let text = try value.string()
        guard !FoldedText.trimmed(text).isEmpty else {
            throw value.error("a blank value never matches", hint: "use “not: {present: …}” to test for no value")
        }
        return text
    }

    /// One or several texts that are not blank.
    fileprivate static func texts(_ value: YAMLValue) throws(ConfigurationError) -> [String] {
        guard case .list(let values) = value.content else { return [try text(value)] }
        guard !values.isEmpty else { throw value.error("the list is empty", hint: "list at least one value") }
        var texts: [String] = []
        for value in values { texts.append(try text(value)) }
        return texts
    }

    /// Texts each of which is a single token.
    fileprivate static func tokens(_ value: YAMLValue) throws(ConfigurationError) -> [String] {
        let tokens = try texts(value)
        for token in tokens where FoldedText.tokens(FoldedText.folded(token)).count != 1 {
            throw value.error(
                "a token holds no blank and none of , ; / | :", hint: "list several tokens one by one")
        }
        return tokens
    }

    /// A regular expression that compiles.
    fileprivate static func pattern(_ value: YAMLValue) throws(ConfigurationError) -> String {
        let text = try value.string()
        do throws(PatternFault) {
            return try LinearPattern(text).text
        } catch {
            throw value.error("bad regex at character \(error.offset + 1): \(error.message)", hint: error.hint)
        }
    }

    /// `{min: n, max: n}`, at least one of them.
    fileprivate static func range(_ value: YAMLValue) throws(ConfigurationError) -> FieldTest.Kind {
        let mapping = try value.mapping(allowed: ["min", "max"])
        let minimum = try mapping.optional("min")?.number()
        let maximum = try mapping.optional("max")?.number()
        guard minimum != nil || maximum != nil else {
            throw value.error("a range needs “min” or “max”", hint: "write {min: 0, max: 50}")
        }
        if let minimum, let maximum, minimum > maximum {
            throw value.error("“min” is above “max”", hint: "swap them")
        }
        return .range(minimum: minimum, maximum: maximum)
    }
}

extension YAMLValue {
    /// A day of the calendar.
    package func day() throws(ConfigurationError) -> CivilDay {
        guard let day = CivilDay(try string()) else {
            throw error("this is not a day of the calendar", hint: "write YYYY-MM-DD")
        }
        return day
    }

    /// In-house or contracted.
    func sourcing() throws(ConfigurationError) -> Sourcing {
        let names = [Sourcing.inHouse, .contracted].map(\.name)
        let text = try string()
        guard names.contains(text), let sourcing = Sourcing(name: text) else {
            throw error("unknown sourcing", hint: Spelling.hint(for: text, among: names))
        }
        return sourcing
    }
}
