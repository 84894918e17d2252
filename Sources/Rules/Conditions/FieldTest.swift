package import Trips

/// A test of one field of a record. A blank value fails every test.
package struct FieldTest: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// The field has a value that is not blank.
        case present
        /// The value, without outer blanks, is one of these. ASCII case does not matter.
        case isIn([String])
        /// The value starts with one of these. ASCII case does not matter.
        case prefix([String])
        /// One of the value's tokens is one of these. Tokens lie between blanks and `,` `;` `/` `|` `:`: `RH QN` and
        /// `RH,QN` both hold `QN`. ASCII case does not matter.
        case containsToken([String])
        /// The regular expression (see `LinearPattern`) matches somewhere in the value, without outer blanks. Case
        /// matters unless the pattern starts with `(?i)`.
        case regex(String)
        /// The value is a plain decimal number (`-12.5`) within these bounds (inclusive).
        case range(minimum: Double?, maximum: Double?)
        /// The dated roster gives this sourcing for the value on the day of the trip. ASCII case does not matter.
        /// Where the day is not known, only entries without dates count.
        case roster(Roster, sourcing: Sourcing)
    }

    package let field: String
    package let kind: Kind

    package init(_ field: String, _ kind: Kind) {
        self.field = field
        self.kind = kind
    }

    var rosterEntries: [Roster.Entry] {
        if case .roster(let roster, _) = kind { roster.entries } else { [] }
    }
}
