import Rules
import Store
import Trips

extension TripCompletion {
    /// Fills in the parts of a trip, and classifies it by these rules.
    ///
    /// - Parameters:
    ///   - texts: of the store.
    ///   - areAdoptedLater: whether these rules become the store's at the end of a replay. Until then a trip whose test results lack
    ///     one keeps the class that its own export gave it.
    init(_ rules: RuleSet, texts: TextTable, areAdoptedLater: Bool) {
        self.init {
            var known: [Int32: String] = [:]
            var stored = StoredRules(rules, texts: texts)
            func text(_ number: Int32) throws -> String {
                if number == 0 { return "" }
                if let text = known[number] { return text }
                // New texts come while an export is read.
                known = texts.all
                guard let text = known[number] else {
                    throw StoreError.inconsistent("a trip has a text that is not there")
                }
                return text
            }
            return { own, parts in
                var trip = own
                var results = try text(own[.testResults])
                for part in parts {
                    trip.fill(from: part)
                    results = StoredClassifier.testResults(results, filledFrom: try text(part[.testResults]))
                }
                trip[.testResults] = texts.number(of: results)
                if let decision = try stored.decision(on: trip, text: text) {
                    trip.sourcing = decision.sourcing.rawValue
                    trip[.rule] = decision.rule
                } else if !areAdoptedLater {
                    try stored.check()
                }
                return trip
            }
        }
    }
}
