/// Something wrong in a configuration file (profile, rules, roster, settings): what, where, and how to mend it.
///
/// Prints as `file:line:column: what — how to mend it`. Neither part ever holds a value of a trip.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// As the user named it.
    package var file: String
    /// From 1; nil where the whole file is meant.
    package var line: Int?
    /// From 1, in Unicode scalars; nil where the whole line is meant.
    package var column: Int?
    package var message: String
    /// What to do about it; may be empty.
    package var hint: String

    package init(file: String, line: Int? = nil, column: Int? = nil, message: String, hint: String = "") {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.hint = hint
    }

    package var description: String {
        var place = file
        if let line {
            place += ":\(line)"
            if let column { place += ":\(column)" }
        }
        return "\(place): \(message)" + (hint.isEmpty ? "" : " — \(hint)")
    }
}

/// All that is wrong in a configuration, in the order of the file, so that it can be mended in one go.
package struct ConfigurationErrors: Error, Sendable, CustomStringConvertible {
    package let errors: [ConfigurationError]

    package init(_ errors: [ConfigurationError]) {
        self.errors = errors
    }

    /// One error a line.
    package var description: String {
        errors.map(\.description).joined(separator: "\n")
    }
}
