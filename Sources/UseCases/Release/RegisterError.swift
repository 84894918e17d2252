package import Trips

/// Why a register of released months cannot be used with these tallies.
package enum RegisterError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    case missing(file: String)
    /// It is of tallies with another key, or with other regions or trip types.
    case differs(file: String, what: String)
    /// The file of changes has no tally of a month with a changed trip.
    case incompleteChanges(months: [String])
    /// The published summary cannot be read.
    case unreadablePublication(file: String)

    package var failureKind: FailureKind {
        switch self {
        case .missing: .inputMissing
        case .differs: .configuration
        case .incompleteChanges, .unreadablePublication: .data
        }
    }

    package var description: String {
        switch self {
        case .missing(let file): "\(file): there is no register of released months; `tripkpi merge --changes` makes one"
        case .differs(let file, let what):
            "\(file): its \(what) differ from those of the tallies; name the register that belongs to them"
        case .incompleteChanges(let months):
            "the file of changes has changed trips of \(months.joined(separator: ", ")), but no tally of the other trips; make "
                + "it again"
        case .unreadablePublication(let file):
            "\(file): this is not a summary of tripkpi that can be read; name the kpi-summary.json that readers have"
        }
    }
}
