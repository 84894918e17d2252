import Basics

/// One file of `queries/`: a single SELECT, and its description in the `.yml` beside it.
package struct Query: Sendable {
    /// The purpose of a query, by its folder.
    package enum Layer: String, CaseIterable, Sendable {
        /// A de-identified view over the store's tables; the only place that names them.
        case staging
        /// A table of results over staging views.
        case marts
        /// Finds problems; no row means that there is none.
        case checks
    }

    /// The severity of a check that finds rows.
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
    /// The grain: what one row is.
    package let grain: String
    package let columns: [Column]
    package let parameters: [Parameter]
    /// Of checks only.
    package let severity: Severity?
    /// Of checks only: the meaning of an empty result.
    package let emptyMeans: String?
    package let sql: String
    /// Path of the SQL file, for messages.
    package let file: String

    /// Whether it reads versions of trips, which takes time by their number, and not only the ledger.
    package var readsTrips: Bool {
        ["stg_trips", "stg_older_versions", "stg_trip_parts", "stg_version_faults", "stg_patients"].contains {
            sql.contains($0)
        }
    }
}

/// The type of a parameter.
package enum ParameterType: String, CaseIterable, Sendable {
    case text, integer
    /// `YYYY-MM`, or `All` where the query has such rows.
    case month

    /// The value of a text; nil if the text is not of this type.
    func value(of text: String) -> QueryValue? {
        switch self {
        case .text: .text(text)
        case .integer: Int64(text).map { .integer($0) }
        case .month: text == CellKey.all || text.wholeMatch(of: /\d{4}-(0[1-9]|1[0-2])/) != nil ? .text(text) : nil
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
