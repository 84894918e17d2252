import Rules
import StrictYAML
import TestSupport

/// The rules of the synthetic exports, with their roster and vehicle prefix.
enum ShippedRules {
    static func sample() throws(ConfigurationErrors) -> RuleSet {
        try RuleSetFile.read(file: "data/rules/sample.yaml") { try Repository.bytes($0) }
    }
}
