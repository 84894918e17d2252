/// One file of `queries/`: a single SELECT, and what the `.yml` beside it says about it.
package struct Query: Sendable {
    /// What a query is for, by the folder it lies in.
    package enum Layer: String, CaseIterable, Sendable {
        /// A de-identified view over the store's tables; the only place that names them.
        case staging
        /// A table of figures over staging views.
        case marts
        /// Finds what is wrong; no row means that all is well.
        case checks
    }

    /// How bad it is when a check finds something.
    package enum Severity: String, CaseIterable, Sendable {
        case warn, fail
    }

    package struct Column: Sendable {
        package let name: String
        package let type: QueryValue.Kind
        /// Nil where there is none, as for names.
        package let unit: String?
        package let description: String
    }

    package struct Parameter: Sendable {
        package let name: String
        package let type: ParameterType
        /// Nil: the parameter must be given.
        package let defaultValue: QueryValue?
        package let description: String
    }

    package let name: String
    package let layer: Layer
    package let description: String
    /// What one row stands for.
    package let grain: String
    package let columns: [Column]
    package let parameters: [Parameter]
    /// Of checks only.
    package let severity: Severity?
    /// Of checks only: what it means that there is no row.
    package let emptyMeans: String?
    package let sql: String
    /// Path of the SQL file, for messages.
    package let file: String
}

/// What a parameter may be.
package enum ParameterType: String, CaseIterable, Sendable {
    case text, integer
    /// `YYYY-MM`, or `All` where the query has such rows.
    case month

    /// The value that a text stands for; nil if it is none of this type.
    func value(of text: String) -> QueryValue? {
        switch self {
        case .text: .text(text)
        case .integer: Int64(text).map { .integer($0) }
        case .month: text == "All" || text.wholeMatch(of: /\d{4}-(0[1-9]|1[0-2])/) != nil ? .text(text) : nil
        }
    }

    var example: String {
        switch self {
        case .text: "a text"
        case .integer: "a whole number"
        case .month: "a month such as 2025-03"
        }
    }
}

/// A value of a result, or bound to a parameter.
package enum QueryValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    /// What a column holds besides null.
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
