internal import Conditions
internal import Hashing
package import StrictYAML
internal import Trips

/// Reads a rule set from YAML, with the rosters and lists it names, and checks it before any row is read.
///
/// ```yaml
/// name: default
/// rules:
///   - id: hcpcs-qn
///     reason: The claim says QN, furnished directly by the provider.
///     when: {contains-token: {hcpcs_modifiers: QN}}   # see ConditionYAML
///     then: inHouse                                   # or contracted
///     from: 2020-01-01                                # optional, first day in force
///     to: 2029-12-31                                  # optional, last day in force
/// ```
package enum RuleSetFile {
    /// More rules than this are refused.
    package static let maximumRules = 1000

    /// The rule set, or all that is wrong with it.
    /// - Parameters:
    ///   - file: the rule file's path, as the user named it; files it names are relative to its folder.
    ///   - load: the content of a file.
    package static func read(
        file: String, load: @escaping (String) throws -> [UInt8]
    ) throws(ConfigurationErrors) -> RuleSet {
        let bytes: [UInt8]
        do {
            bytes = try load(file)
        } catch {
            throw ConfigurationErrors([
                ConfigurationError(file: file, message: "the rule file cannot be read", hint: "check the path")
            ])
        }
        var reader = RuleReader(conditions: ConditionYAML(fields: fieldNames, file: file, load: load))
        let name: String
        do throws(ConfigurationError) {
            name = try reader.readSet(try YAMLValue.parse(bytes: bytes, file: file))
        } catch {
            throw ConfigurationErrors(sorted(reader.allErrors + [error], ruleFile: file))
        }
        var errors = reader.allErrors
        errors += RuleChecks.faults(in: reader.rules, file: file)
        guard errors.isEmpty else { throw ConfigurationErrors(sorted(errors, ruleFile: file)) }
        return RuleSet(name: name, rules: reader.rules, version: version(rules: bytes, files: reader.conditions.files))
    }

    /// What rules may test.
    private static let fieldNames = CanonicalField.allCases.map(\.rawValue)

    /// In the order of the rule file, then of the other files by name.
    private static func sorted(_ errors: [ConfigurationError], ruleFile: String) -> [ConfigurationError] {
        func key(_ error: ConfigurationError) -> (Int, String, Int, Int) {
            (error.file == ruleFile ? 0 : 1, error.file, error.line ?? 0, error.column ?? 0)
        }
        return errors.sorted { key($0) < key($1) }
    }

    /// SHA-256 over each file's path (as written in the rules; empty for the rule file), its length and its bytes.
    private static func version(rules: [UInt8], files: [String: [UInt8]]) -> String {
        var hash = ContentHash()
        for (path, bytes) in [("", rules)] + files.sorted(by: { $0.key < $1.key }).map({ ($0.key, $0.value) }) {
            hash.update(Array("\(path)\n\(bytes.count)\n".utf8))
            hash.update(bytes)
        }
        return hash.hexadecimal
    }
}

/// Reads the rules one by one and goes on past a bad one.
private struct RuleReader {
    var conditions: ConditionYAML
    private(set) var rules: [Rule] = []
    private var errors: [ConfigurationError] = []

    init(conditions: ConditionYAML) {
        self.conditions = conditions
    }

    var allErrors: [ConfigurationError] { errors + conditions.errors }

    /// Reads all rules; the name of the set.
    mutating func readSet(_ root: YAMLValue) throws(ConfigurationError) -> String {
        let mapping = try root.mapping(allowed: ["name", "description", "rules"])
        let list = try mapping.required("rules")
        let values = try list.list()
        guard !values.isEmpty else { throw list.error("there are no rules", hint: "list at least one") }
        guard values.count <= RuleSetFile.maximumRules else {
            throw list.error(
                "there are more than \(RuleSetFile.maximumRules) rules", hint: "use in-file or a roster for long lists")
        }
        for value in values {
            do throws(ConfigurationError) {
                if let rule = try rule(value) { rules.append(rule) }
            } catch {
                errors.append(error)
            }
        }
        return try mapping.required("name").string()
    }

    /// Nil where the condition is bad; its errors are kept by `conditions`.
    private mutating func rule(_ value: YAMLValue) throws(ConfigurationError) -> Rule? {
        let mapping = try value.mapping(allowed: ["id", "reason", "when", "then", "from", "to"])
        let condition = conditions.condition(try mapping.required("when"))
        let id = try mapping.required("id")
        let name = try id.string()
        guard name.utf8.allSatisfy(Self.isIDByte), !name.isEmpty, name.utf8.count <= 64 else {
            throw id.error("a rule's id is 1–64 letters, digits, “-”, “_” or “.”", hint: "write contract-number")
        }
        let reason = try mapping.required("reason").string()
        let then = try mapping.required("then")
        let word = try then.string()
        guard let sourcing = Sourcing(name: word), sourcing != .unclassified else {
            throw then.error("unknown sourcing", hint: Spelling.hint(for: word, among: ["inHouse", "contracted"]))
        }
        let from = try day(mapping.optional("from")), to = try day(mapping.optional("to"))
        if let from, let to, from > to {
            throw mapping.place(ofKey: "from").error("“from” lies after “to”", hint: "swap the two days")
        }
        return condition.map {
            Rule(
                id: name, reason: reason, condition: $0, sourcing: sourcing, from: from, to: to,
                line: value.place.line)
        }
    }

    private func day(_ value: YAMLValue?) throws(ConfigurationError) -> CivilDay? {
        guard let value else { return nil }
        guard let day = CivilDay(try value.string()) else {
            throw value.error("not a day of the calendar", hint: "write YYYY-MM-DD")
        }
        return day
    }

    private static func isIDByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == 0x2D || byte == 0x2E || byte == 0x5F
    }
}
