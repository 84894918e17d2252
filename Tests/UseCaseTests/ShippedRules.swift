import Rules
import StrictYAML
import TestSupport

/// The rules that come with tripkpi.
enum ShippedRules {
    static func read() throws(ConfigurationErrors) -> RuleSet {
        try RuleSetFile.read(file: "data/rules/default.yaml") { try Repository.bytes($0) }
    }
}
