/// What the tests of a rule set said of values that may not be kept: the outcome of each test, under its name.
///
/// Its text, one line of ASCII, is what a store keeps:
/// `invoice_number present: no; vehicle_id prefix va: yes; vehicle_id present: yes`.
package struct Evidence: Sendable, Hashable {
    /// Outcome by name of the test (`Condition.testName`).
    package private(set) var outcomes: [String: Bool]

    package init(outcomes: [String: Bool]) {
        self.outcomes = outcomes
    }

    /// Reads what `text` wrote. What cannot be read is left out: a test without outcome is not known, never guessed.
    package init(text: String) {
        outcomes = [:]
        for entry in text.split(separator: ";") {
            let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            let name = String(parts[0].drop { $0 == " " })
            switch parts[1] {
            case " yes": outcomes[name] = true
            case " no": outcomes[name] = false
            default: continue
            }
        }
    }

    /// In the order of the names. Of a field without value only that is told: every test of it fails.
    package var text: String {
        outcomes.sorted { $0.key < $1.key }
            .filter { !isAbsent(fieldOf: $0.key) || $0.key.hasSuffix(" present") }
            .map { "\($0.key): \($0.value ? "yes" : "no")" }.joined(separator: "; ")
    }

    /// The outcome of a test of this name on this field; nil: not known.
    package func outcome(of name: String, field: String) -> Bool? {
        outcomes[Condition.presenceName(of: field)] == false ? false : outcomes[name]
    }

    private func isAbsent(fieldOf name: String) -> Bool {
        outcomes[String(name.prefix { $0 != " " }) + " present"] == false
    }
}
