import StrictYAML

/// The families of failure that a caller tells apart (SPEC §6). Only the command line knows their numbers.
package enum FailureKind: Sendable, Hashable, CaseIterable {
    case usage, data, inputMissing, internalBug, cannotCreate, inputOutput, locked, permission, configuration

    /// The family of an error of any stage. One that is not listed is a bug of ours: each stage's errors belong here.
    package init(of error: any Error) {
        switch error {
        case is ConfigurationError, is ConfigurationErrors, is DataFolderError: self = .configuration
        default: self = .internalBug
        }
    }
}
