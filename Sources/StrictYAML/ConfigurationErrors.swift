package import Trips

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
