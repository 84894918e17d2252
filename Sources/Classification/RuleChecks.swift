internal import Conditions
internal import StrictYAML
internal import Trips

/// What can be known to be wrong with rules before any trip is read.
enum RuleChecks {
    static func faults(in rules: [Rule], file: String) -> [ConfigurationError] {
        duplicateIDs(rules, file: file) + unreachable(rules, file: file)
    }

    private static func duplicateIDs(_ rules: [Rule], file: String) -> [ConfigurationError] {
        var lines: [String: Int] = [:]
        var errors: [ConfigurationError] = []
        for rule in rules {
            if let line = lines[rule.id] {
                errors.append(
                    ConfigurationError(
                        file: file, line: rule.line, message: "the id “\(rule.id)” stands also in line \(line)",
                        hint: "give every rule an id of its own"))
            } else {
                lines[rule.id] = rule.line
            }
        }
        return errors
    }

    /// Rules that can never decide: their condition cannot hold, or earlier rules in force on all their days take
    /// every trip they could take.
    private static func unreachable(_ rules: [Rule], file: String) -> [ConfigurationError] {
        var errors: [ConfigurationError] = []
        for (index, rule) in rules.enumerated() {
            var implication = Implication()
            if implication.isNever(rule.condition) {
                errors.append(
                    ConfigurationError(
                        file: file, line: rule.line, message: "the condition of rule “\(rule.id)” can never hold",
                        hint: "two of its tests exclude each other: remove one, or use “any:”"))
                continue
            }
            let earlier = rules[..<index].filter { covers($0, rule) }
            if let taker = earlier.first(where: { implication.implies(rule.condition, $0.condition) }) {
                errors.append(unreachable(rule, by: "rule “\(taker.id)” in line \(taker.line) takes", file: file))
            } else if earlier.count > 1, implication.implies(rule.condition, .any(earlier.map(\.condition))) {
                errors.append(unreachable(rule, by: "the rules before it take", file: file))
            }
        }
        return errors
    }

    private static func unreachable(_ rule: Rule, by taker: String, file: String) -> ConfigurationError {
        ConfigurationError(
            file: file, line: rule.line,
            message: "rule “\(rule.id)” is unreachable: \(taker) every trip it matches",
            hint: "move it up, narrow what stands before it, or remove it")
    }

    /// Whether a rule is in force on every day on which the other is.
    private static func covers(_ one: Rule, _ other: Rule) -> Bool {
        let startsInTime = one.from.map { from in other.from.map { from <= $0 } ?? false } ?? true
        let lastsLongEnough = one.to.map { to in other.to.map { to >= $0 } ?? false } ?? true
        return startsInTime && lastsLongEnough
    }
}
