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

/// All that is wrong in a configuration, in the order of the file, so that all of it can be fixed at once.
package struct ConfigurationErrors: ClassifiedError, Sendable, CustomStringConvertible {
    package let errors: [ConfigurationError]

    package init(_ errors: [ConfigurationError]) {
        self.errors = errors
    }

    /// One error a line.
    package var failureKind: FailureKind { .configuration }

    package var description: String {
        errors.map(\.description).joined(separator: "\n")
    }
}

/// Collects the errors of a file: reading goes on after each, so that all are reported together.
package final class ConfigurationErrorLog {
    package private(set) var errors: [ConfigurationError] = []

    package init() {}

    package func add(_ error: ConfigurationError) {
        errors.append(error)
    }

    package func add(_ others: ConfigurationErrors) {
        errors += others.errors
    }

    /// The value that is read; nil after an error, which is kept.
    @discardableResult
    package func attempt<Value>(_ read: @autoclosure () throws(ConfigurationError) -> Value?) -> Value? {
        do {
            return try read()
        } catch {
            errors.append(error)
            return nil
        }
    }

    /// The keys and values of a mapping whose keys are free; empty after an error.
    package func entries(_ value: YAMLValue) -> [YAMLValue.Entry] {
        attempt(try value.entries()) ?? []
    }

    /// The known keys of a mapping. Each other key is an error. Empty if the value is no mapping.
    package func mapping(_ value: YAMLValue, allowed: [String]) -> YAMLMapping {
        let entries = entries(value)
        for entry in entries where !allowed.contains(entry.key) {
            add(entry.keyPlace.unknown("key", entry.key, among: allowed))
        }
        return YAMLMapping(entries: entries.filter { allowed.contains($0.key) }, place: value.place)
    }

    /// The errors in the order of the lines of this file, then of the other files by name.
    package func sorted(from file: String) -> ConfigurationErrors {
        // Stable: errors at one place stay in the order in which they were found.
        func key(_ found: (offset: Int, error: ConfigurationError)) -> (Int, String, Int, Int, Int) {
            let error = found.error
            return (error.file == file ? 0 : 1, error.file, error.line ?? 0, error.column ?? 0, found.offset)
        }
        let found = errors.enumerated().map { (offset: $0.offset, error: $0.element) }
        return ConfigurationErrors(found.sorted { key($0) < key($1) }.map(\.error))
    }
}
