package import Basics
package import Trips

/// A condition on the text fields of one record, as rules and row filters state it.
///
/// `ConditionYAML` reads conditions from files, `holds(for:on:)` defines what they mean, `ConditionMachine` decides
/// many records fast.
package typealias Condition = ConditionTree<FieldTest>

/// Tests combined by and, or and not.
package indirect enum ConditionTree<Test: Sendable & Hashable>: Sendable, Hashable {
    case test(Test)
    case all([ConditionTree])
    case any([ConditionTree])
    case not(ConditionTree)

    /// Every distinct test once, in the order of first mention.
    package var tests: [Test] {
        switch self {
        case .test(let test): return [test]
        case .all(let parts), .any(let parts):
            var seen: Set<Test> = []
            return parts.flatMap(\.tests).filter { seen.insert($0).inserted }
        case .not(let part): return part.tests
        }
    }

    /// The same tree of other tests.
    func map<Other>(_ other: (Test) -> Other) -> ConditionTree<Other> {
        switch self {
        case .test(let test): .test(other(test))
        case .all(let parts): .all(parts.map { $0.map(other) })
        case .any(let parts): .any(parts.map { $0.map(other) })
        case .not(let part): .not(part.map(other))
        }
    }

    /// What follows from the outcomes of the tests by Kleene's three-valued logic; nil: not known.
    func evaluate(_ outcome: (Test) -> Bool?) -> Bool? {
        switch self {
        case .test(let test): outcome(test)
        case .all(let parts): Self.combine(parts.map { $0.evaluate(outcome) }, decisive: false)
        case .any(let parts): Self.combine(parts.map { $0.evaluate(outcome) }, decisive: true)
        case .not(let part): part.evaluate(outcome).map(!)
        }
    }

    /// One false outcome decides `all`, one true outcome decides `any`; else one that is not known leaves it open.
    private static func combine(_ outcomes: [Bool?], decisive: Bool) -> Bool? {
        outcomes.contains(decisive) ? decisive : outcomes.contains(nil) ? nil : !decisive
    }

    /// The first test because of which the outcome is not known.
    func firstUnknown(_ outcome: (Test) -> Bool?) -> Test? {
        switch self {
        case .test(let test): test
        case .all(let parts), .any(let parts):
            parts.first { $0.evaluate(outcome) == nil }.flatMap { $0.firstUnknown(outcome) }
        case .not(let part): part.firstUnknown(outcome)
        }
    }
}

/// Which providers were in-house and which contracted, and when.
package struct Roster: Sendable, Hashable {
    /// One row: from its first to its last day, both included, the provider had this sourcing.
    package struct Entry: Sendable, Hashable {
        package var key: String
        package var from: CivilDay?
        package var to: CivilDay?
        package var sourcing: Sourcing

        package init(key: String, from: CivilDay?, to: CivilDay?, sourcing: Sourcing) {
            self.key = key
            self.from = from
            self.to = to
            self.sourcing = sourcing
        }

        package func isInForce(on day: CivilDay?) -> Bool { CivilDay.isInForce(from: from, to: to, on: day) }
    }

    package var name: String
    package var entries: [Entry]

    package init(name: String, entries: [Entry]) {
        self.name = name
        self.entries = entries
    }
}

extension CivilDay {
    /// Whether a period covers a day; bounds are included, nil: no bound. Only a period without bounds covers a day
    /// that is not known.
    static func isInForce(from: CivilDay?, to: CivilDay?, on day: CivilDay?) -> Bool {
        guard let day else { return from == nil && to == nil }
        return from ?? day <= day && day <= to ?? day
    }
}
