import Rules
import TestSupport
import Testing

@Suite struct ImplicationTests {
    private func implies(_ one: Condition, _ other: Condition) -> Bool {
        var implication = Implication()
        return implication.implies(one, other)
    }

    @Test func decidesTheUsualCases() {
        let va = Condition.prefix(field: "v", prefixes: ["VA1"])
        #expect(implies(va, .present(field: "v")))
        #expect(implies(va, .prefix(field: "v", prefixes: ["va", "x"])))
        #expect(!implies(.prefix(field: "v", prefixes: ["VA"]), va))
        #expect(implies(.isIn(field: "v", values: ["a"]), .isIn(field: "v", values: ["B", "A"])))
        #expect(implies(.isIn(field: "v", values: ["va12", "VA1"]), va))
        #expect(implies(.regex(field: "v", pattern: "x"), .present(field: "v")))
        #expect(implies(va, .any([.present(field: "w"), va])))
        #expect(implies(.all([.present(field: "w"), va]), va))
        #expect(
            implies(
                .isIn(field: "v", values: ["a", "b"]),
                .any([.isIn(field: "v", values: ["a"]), .isIn(field: "v", values: ["b"])])))
        #expect(
            implies(.range(field: "n", minimum: 2, maximum: 3), .range(field: "n", minimum: 1, maximum: nil)))
        #expect(implies(.not(.present(field: "v")), .not(va)))
        #expect(!implies(.present(field: "v"), .present(field: "w")))
    }

    private func always(_ condition: Condition) -> Bool {
        var implication = Implication()
        return implication.isAlways(condition)
    }

    private func never(_ condition: Condition) -> Bool {
        var implication = Implication()
        return implication.isNever(condition)
    }

    @Test func seesWhatAlwaysAndNeverHolds() {
        let present = Condition.present(field: "v"), isA = Condition.isIn(field: "v", values: ["a"])
        #expect(always(.any([present, .not(present)])))
        #expect(always(.any([present, .not(isA)])))
        #expect(!always(.any([isA, .not(present)])))
        #expect(never(.all([isA, .not(present)])))
        #expect(never(.all([isA, .isIn(field: "v", values: ["b"])])))
        #expect(!never(.all([present, .present(field: "w")])))
    }

    /// What is called certain must be so for every record.
    @Test func isNeverWrong() {
        var source = RandomConditions(seed: 77)
        var certain = 0
        for _ in 0..<4000 {
            let one = source.condition(depth: 2), other = source.condition(depth: 2)
            guard implies(one, other) else { continue }
            certain += 1
            for _ in 0..<40 {
                let record = Dictionary(
                    uniqueKeysWithValues: RandomConditions.fields.map { ($0, source.pick(RandomConditions.values)) })
                let day = source.bound()
                guard one.holds(for: { record[$0] }, on: day) else { continue }
                #expect(other.holds(for: { record[$0] }, on: day), "\(one) ⇒ \(other), \(record)")
            }
        }
        #expect(certain > 50)
    }

    @Test(.timeLimit(.minutes(1))) func givesUpOnTangles() {
        var one = Condition.present(field: "a"), other = Condition.present(field: "b")
        for _ in 0..<60 {
            one = .all([.any([one, .present(field: "c")]), .present(field: "e")])
            other = .any([.all([other, .present(field: "d")]), .present(field: "f")])
        }
        #expect(!implies(one, other))
    }
}
