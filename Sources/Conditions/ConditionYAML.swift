package import StrictYAML
internal import Trips

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
/// It gathers every error it meets; whoever reads a file reports them together.
package struct ConditionYAML {
    /// Names that may be tested; nil: any name (columns of a file).
    private let fields: [String]?
    /// Folder of the rule file, with its last `/`; empty for the working folder.
    private let folder: String
    private let load: (String) throws -> [UInt8]

    /// All errors so far.
    package private(set) var errors: [ConfigurationError] = []
    /// Content of the files read so far, by their paths as written in the rule file.
    package private(set) var files: [String: [UInt8]] = [:]
    private var rosters: [String: Roster?] = [:]

    /// - Parameters:
    ///   - fields: the names that may be tested; nil for any.
    ///   - file: the file the conditions stand in; the files they name are relative to its folder.
    ///   - load: the content of a file.
    package init(fields: [String]?, file: String, load: @escaping (String) throws -> [UInt8]) {
        self.fields = fields
        self.load = load
        folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    }

    /// One condition on its own, for profiles; all its errors at once.
    package static func condition(
        from value: YAMLValue, fields: [String]?, load: @escaping (String) throws -> [UInt8]
    ) throws(ConfigurationErrors) -> Condition {
        var reader = ConditionYAML(fields: fields, file: value.place.file, load: load)
        guard let condition = reader.condition(value), reader.errors.isEmpty else {
            throw ConfigurationErrors(reader.errors)
        }
        return condition
    }

    /// The condition, or nil with at least one error more.
    package mutating func condition(_ value: YAMLValue) -> Condition? {
        do throws(ConfigurationError) {
            return try read(value)
        } catch {
            errors.append(error)
            return nil
        }
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
        case "present": return .present(field: try field(try test.value.string(), at: test.value.place))
        case "roster": return try roster(test.value)
        default: return try fieldTest(test)
        }
    }

    private mutating func list(_ test: YAMLValue.Entry) throws(ConfigurationError) -> [Condition]? {
        let values = try test.value.list()
        guard !values.isEmpty else {
            throw test.value.error("“\(test.key)” has no conditions", hint: "list at least one")
        }
        var conditions: [Condition] = []
        for value in values {
            if let condition = condition(value) { conditions.append(condition) }
        }
        return conditions.count == values.count ? conditions : nil
    }

    /// Tests of the shape `test: {field: operand}`.
    private mutating func fieldTest(_ test: YAMLValue.Entry) throws(ConfigurationError) -> Condition {
        let entries = try test.value.entries()
        guard let entry = entries.first, entries.count == 1 else {
            throw test.value.error("“\(test.key)” takes one field, found \(entries.count)", hint: "use “all:”")
        }
        let field = try field(entry.key, at: entry.keyPlace)
        let operand = entry.value
        switch test.key {
        case "equals": return .isIn(field: field, values: [try Self.text(operand)])
        case "in": return .isIn(field: field, values: try Self.texts(operand))
        case "in-file": return .isIn(field: field, values: try values(ofFile: operand))
        case "prefix": return .prefix(field: field, prefixes: try Self.texts(operand))
        case "contains-token": return .containsToken(field: field, tokens: try Self.tokens(operand))
        case "regex": return .regex(field: field, pattern: try Self.pattern(operand))
        default: return try Self.range(operand, field: field)
        }
    }

    private func field(_ name: String, at place: YAMLValue.Place) throws(ConfigurationError) -> String {
        guard let fields else { return name }
        guard fields.contains(name) else {
            throw place.error("unknown field “\(name)”", hint: Spelling.hint(for: name, among: fields))
        }
        return name
    }

    private mutating func roster(_ value: YAMLValue) throws(ConfigurationError) -> Condition? {
        let mapping = try value.mapping(allowed: ["field", "file", "sourcing"])
        let fieldValue = try mapping.required("field")
        let field = try field(try fieldValue.string(), at: fieldValue.place)
        let sourcingValue = try mapping.required("sourcing")
        guard let sourcing = Sourcing(name: try sourcingValue.string()), sourcing != .unclassified else {
            throw sourcingValue.error("unknown sourcing", hint: "write inHouse or contracted")
        }
        let file = try mapping.required("file")
        let path = try file.string()
        let key = field + "\u{0}" + path
        if rosters[key] == nil {
            let bytes = try content(of: path, at: file)
            do throws(ConfigurationErrors) {
                rosters[key] = .some(try RosterFile.read(bytes: bytes, file: folder + path, keyColumn: field))
            } catch {
                errors += error.errors
                rosters[key] = .some(nil)
            }
        }
        guard let known = rosters[key], let roster = known else { return nil }
        return .roster(field: field, roster: roster, sourcing: sourcing)
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
