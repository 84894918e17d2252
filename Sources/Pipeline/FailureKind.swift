import Intake
import Privacy
import Reports
import Samples
import StrictYAML

/// The families of failure that a caller tells apart (SPEC §6). Only the command line knows their numbers.
package enum FailureKind: Sendable, Hashable, CaseIterable {
    case usage, data, inputMissing, internalBug, cannotCreate, inputOutput, locked, permission, configuration

    /// The family of an error of any stage. One that is not listed is a bug of ours: each stage's errors belong here.
    package init(of error: any Error) {
        switch error {
        case is ConfigurationError, is ConfigurationErrors, is DataFolderError: self = .configuration
        case let error as ScanError: self.init(of: error)
        case let error as ExportError: self.init(of: error)
        case let error as OutputError:
            self = error.isPermission ? .permission : error.isCreation ? .cannotCreate : .inputOutput
        case DisclosureError.overallTotalHidden: self = .data
        case is DisclosureError: self = .configuration
        case is WorkbookError: self = .cannotCreate
        case is SampleError: self = .usage
        default: self = .internalBug
        }
    }

    private init(of error: ScanError) {
        switch error {
        case .export(let error): self.init(of: error)
        case .tooManyRejects: self = .data
        case .notReconciled: self = .internalBug
        }
    }

    private init(of error: ExportError) {
        switch error.kind {
        case .missing: self = .inputMissing
        case .unreadable: self = error.problem.contains("may not be read") ? .permission : .inputOutput
        case .damaged, .malformed, .tooManyRejects, .missingColumns, .notRepeatable: self = .data
        }
    }
}
