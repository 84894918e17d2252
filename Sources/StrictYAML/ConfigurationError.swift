package import Trips

/// Something wrong in a configuration file (profile, rules, roster, settings): what, where, and how to fix it.
///
/// Prints as `file:line:column: what — how to fix it`. Neither part ever holds a value of a trip.
package struct ConfigurationError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    /// As the user named it.
    package var file: String
    /// From 1; nil where the whole file is meant.
    package var line: Int?
    /// From 1, in Unicode scalars; nil where the whole line is meant.
    package var column: Int?
    package var message: String
    /// How to fix it; may be empty.
    package var hint: String

    package init(file: String, line: Int? = nil, column: Int? = nil, message: String, hint: String = "") {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.hint = hint
    }

    package var failureKind: FailureKind { .configuration }

    package var description: String {
        var place = file
        if let line {
            place += ":\(line)"
            if let column { place += ":\(column)" }
        }
        return "\(place): \(message)" + (hint.isEmpty ? "" : " — \(hint)")
    }
}
