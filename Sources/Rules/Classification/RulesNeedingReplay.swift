package import Trips

/// Stored trips cannot be classified by these rules: the values that they test are not kept, and the rules that the
/// trips were loaded with had no such test.
package struct RulesNeedingReplay: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    /// Stored trips by the first missing test result.
    package let trips: [MissingTestResult: Int]

    /// Nil where there is no such trip.
    package init?(trips: [MissingTestResult: Int]) {
        self.trips = trips.filter { $0.value > 0 }
        if self.trips.isEmpty { return nil }
    }

    package var failureKind: FailureKind { .configuration }

    package var description: String {
        let lines = trips.sorted { ($1.value, $0.key.ruleID, $0.key.test) < ($0.value, $1.key.ruleID, $1.key.test) }
            .map { "  rule \($0.key.ruleID) tests “\($0.key.test)”: \($0.value) trips" }
        return "the rules test values that the store does not keep, of \(trips.values.reduce(0, +)) trips:\n"
            + lines.joined(separator: "\n")
            + "\nload their exports again with these rules: tripkpi load --replay"
    }
}
