internal import Files
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

    /// The rule set, or all its errors.
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
        let log = ConfigurationErrorLog()
        let fields = CanonicalField.allCases.map(\.rawValue)
        var reader = RuleReader(log: log, conditions: ConditionYAML(fields: fields, file: file, log: log, load: load))
        let set = log.attempt(try reader.readSet(try YAMLValue.parse(bytes: bytes, file: file)))
        if let set { RuleChecks(rules: set.rules, file: file, log: log).check() }
        guard let set, log.errors.isEmpty else { throw log.sorted(from: file) }
        return RuleSet(
            name: set.name, rules: set.rules, version: version(rules: bytes, files: reader.conditions.files))
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
    let log: ConfigurationErrorLog
    var conditions: ConditionYAML

    mutating func readSet(_ root: YAMLValue) throws(ConfigurationError) -> (name: String, rules: [Rule]) {
        let mapping = try root.mapping(allowed: ["name", "description", "rules"])
        let list = try mapping.required("rules")
        let values = try list.list()
        guard !values.isEmpty else { throw list.error("there are no rules", hint: "list at least one") }
        guard values.count <= RuleSetFile.maximumRules else {
            throw list.error(
                "there are more than \(RuleSetFile.maximumRules) rules", hint: "use in-file or a roster for long lists")
        }
        var rules: [Rule] = []
        for value in values {
            if let rule = log.attempt(try rule(value)) { rules.append(rule) }
        }
        return (try mapping.required("name").string(), rules)
    }

    /// Nil where the condition is bad.
    private mutating func rule(_ value: YAMLValue) throws(ConfigurationError) -> Rule? {
        let mapping = try value.mapping(allowed: ["id", "reason", "when", "then", "from", "to"])
        let condition = conditions.condition(try mapping.required("when"))
        let id = try mapping.required("id")
        let name = try id.string()
        guard (1...64).contains(name.utf8.count), name.wholeMatch(of: /[A-Za-z0-9._-]+/) != nil else {
            throw id.error("a rule's id is 1–64 letters, digits, “-”, “_” or “.”", hint: "write contract-number")
        }
        let reason = try mapping.required("reason").string()
        let sourcing = try mapping.required("then").sourcing()
        let from = try mapping.optional("from")?.day(), to = try mapping.optional("to")?.day()
        if let from, let to, from > to {
            throw mapping.place(ofKey: "from").error("“from” lies after “to”", hint: "swap the two days")
        }
        return condition.map {
            Rule(
                id: name, reason: reason, condition: $0, sourcing: sourcing, from: from, to: to, line: value.place.line)
        }
    }
}

/// What can be known to be wrong with rules before any trip is read.
private struct RuleChecks {
    let rules: [Rule]
    let file: String
    let log: ConfigurationErrorLog

    func check() {
        var lines: [String: Int] = [:]
        for (index, rule) in rules.enumerated() {
            if let line = lines[rule.id] {
                add(rule, "the id “\(rule.id)” is also in line \(line)", hint: "give every rule an id of its own")
            } else {
                lines[rule.id] = rule.line
            }
            checkReachable(rule, after: rules[..<index].filter { isInForce($0, wheneverIs: rule) })
        }
    }

    /// A rule can never decide if its condition cannot hold, or if earlier rules in force on all its days take every
    /// trip it could take.
    private func checkReachable(_ rule: Rule, after earlier: [Rule]) {
        var implication = Implication()
        guard !implication.isNever(rule.condition) else {
            return add(
                rule, "the condition of rule “\(rule.id)” can never hold",
                hint: "two of its tests exclude each other: remove one, or use “any:”")
        }
        let takers: String
        if let taker = earlier.first(where: { implication.implies(rule.condition, $0.condition) }) {
            takers = "rule “\(taker.id)” in line \(taker.line) takes"
        } else if earlier.count > 1, implication.implies(rule.condition, .any(earlier.map(\.condition))) {
            takers = "the rules before it take"
        } else {
            return
        }
        add(
            rule, "rule “\(rule.id)” is unreachable: \(takers) every trip it matches",
            hint: "move it up, narrow the rules before it, or remove it")
    }

    private func add(_ rule: Rule, _ message: String, hint: String) {
        log.add(ConfigurationError(file: file, line: rule.line, message: message, hint: hint))
    }

    private func isInForce(_ one: Rule, wheneverIs other: Rule) -> Bool {
        let startsInTime = one.from.map { from in other.from.map { from <= $0 } ?? false } ?? true
        let lastsLongEnough = one.to.map { to in other.to.map { to >= $0 } ?? false } ?? true
        return startsInTime && lastsLongEnough
    }
}
