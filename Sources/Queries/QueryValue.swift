/// A value of a result, or bound to a parameter.
package enum QueryValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    /// The type of a column.
    package enum Kind: String, CaseIterable, Sendable {
        case integer, real, text
    }

    /// Nil for null.
    package var kind: Kind? {
        switch self {
        case .null: nil
        case .integer: .integer
        case .real: .real
        case .text: .text
        }
    }
}
