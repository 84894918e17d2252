import Rules
import StrictYAML
import TestSupport

/// The rule sets that tripkpi ships.
enum ShippedRules {
    static func load(_ path: String) throws(ConfigurationErrors) -> RuleSet {
        try RuleSetFile.read(file: path) { try Repository.bytes($0) }
    }

    static func standard() throws(ConfigurationErrors) -> RuleSet { try load("data/rules/default.yaml") }

    /// The rules of the synthetic exports, with their roster and vehicle prefix.
    static func sample() throws(ConfigurationErrors) -> RuleSet { try load("data/rules/sample.yaml") }
}
