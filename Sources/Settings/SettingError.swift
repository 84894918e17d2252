package import Trips

/// A setting that cannot be used: where it was made, what is wrong, how to fix it.
package struct SettingError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    package let origin: String
    package let problem: String
    package let remedy: String

    package var failureKind: FailureKind { .configuration }
    package var description: String { "\(origin): \(problem); \(remedy)" }
}
