/// The families of failure that a caller can distinguish. Only the command line knows their exit codes.
package enum FailureKind: Sendable, Hashable, CaseIterable {
    case usage, data, inputMissing, internalBug, cannotCreate, inputOutput, locked, permission, configuration

    /// The family of any error. An error without one is an internal error.
    package init(of error: any Error) {
        self = (error as? any ClassifiedError)?.failureKind ?? .internalBug
    }
}
