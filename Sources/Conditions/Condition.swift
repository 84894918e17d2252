package import Trips

/// A test on the text fields of one record, as rules and row filters state it (SPEC §3).
///
/// A blank value is no value: every test of a single field fails on it. `ConditionYAML` reads conditions from files,
/// `holds(for:on:)` says plainly what they mean, `ConditionMachine` decides many records fast.
package indirect enum Condition: Sendable, Hashable {
    /// The field has a value that is not blank.
    case present(field: String)
    /// The field's value, without outer blanks, is one of these. ASCII case does not matter.
    case isIn(field: String, values: [String])
    /// The value starts with one of these. ASCII case does not matter.
    case prefix(field: String, prefixes: [String])
    /// One of the value's tokens is one of these. Tokens lie between blanks and `,` `;` `/` `|` `:`: `RH QN` and
    /// `RH,QN` both hold `QN`. ASCII case does not matter.
    case containsToken(field: String, tokens: [String])
    /// The regular expression (see `LinearPattern`) matches somewhere in the value, without outer blanks. Case matters
    /// unless the pattern starts with `(?i)`.
    case regex(field: String, pattern: String)
    /// The value is a plain decimal number (`-12.5`) within these bounds (inclusive).
    case range(field: String, minimum: Double?, maximum: Double?)
    /// The dated roster gives this sourcing for the value on the day of the trip. ASCII case does not matter. Where
    /// the day is not known, only entries without dates count.
    case roster(field: String, roster: Roster, sourcing: Sourcing)
    case all([Condition])
    case any([Condition])
    case not(Condition)
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
    }

    package var name: String
    package var entries: [Entry]

    package init(name: String, entries: [Entry]) {
        self.name = name
        self.entries = entries
    }
}
