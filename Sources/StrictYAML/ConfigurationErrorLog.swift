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
