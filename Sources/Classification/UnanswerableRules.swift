/// A test of a rule that the evidence of some stored trips does not know.
package struct UnansweredTest: Sendable, Hashable {
    package let ruleID: String
    /// As evidence names it, such as `vehicle_id prefix va`: no value of any trip.
    package let test: String

    package init(ruleID: String, test: String) {
        self.ruleID = ruleID
        self.test = test
    }
}

/// Stored trips cannot be classified by these rules, because the values that they test were not kept and nobody had
/// asked for these tests when the trips were loaded.
package struct UnanswerableRules: Error, Sendable, Hashable, CustomStringConvertible {
    /// Stored trips by what cannot be answered of them. A trip is told once, under the first rule in doubt.
    package let trips: [UnansweredTest: Int]

    /// Nil where there is no such trip.
    package init?(trips: [UnansweredTest: Int]) {
        self.trips = trips.filter { $0.value > 0 }
        if self.trips.isEmpty { return nil }
    }

    package var description: String {
        let lines = trips.sorted { ($1.value, $0.key.ruleID, $0.key.test) < ($0.value, $1.key.ruleID, $1.key.test) }
            .map { "  rule \($0.key.ruleID) tests “\($0.key.test)”: \($0.value) trips" }
        return
            "the rules ask what is not known of \(trips.values.reduce(0, +)) stored trips, whose values were not kept:\n"
            + lines.joined(separator: "\n")
            + "\nload their exports again with these rules: tripkpi load --replay"
    }
}
