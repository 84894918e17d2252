import Audit
import Classification
import Crosswalk
import Foundation
import Hashing
import Intake
import Operations
import OutputScan
import Privacy
import Profiles
import Publishing
import Queries
import Reports
import Samples
import Store
import StrictYAML

/// The families of failure that a caller tells apart (SPEC §6). Only the command line knows their numbers.
package enum FailureKind: Sendable, Hashable, CaseIterable {
    case usage, data, inputMissing, internalBug, cannotCreate, inputOutput, locked, permission, configuration

    /// The family of an error of any stage. One that is not listed is a bug of ours: each stage's errors belong here.
    package init(of error: any Error) {
        switch error {
        case is ConfigurationError, is ConfigurationErrors, is DataFolderError, is SettingError: self = .configuration
        case let error as ScanError: self.init(of: error)
        case let error as ExportError: self.init(of: error)
        case let error as OutputError:
            self = error.isPermission ? .permission : error.isCreation ? .cannotCreate : .inputOutput
        case let error as RunLockError:
            self =
                error.isHeld
                ? .locked : error.isPermission ? .permission : error.isCreation ? .cannotCreate : .inputOutput
        case let error as MetricsFileError:
            self = error.code == EACCES || error.code == EPERM ? .permission : .inputOutput
        case is OutputRefusal: self = .data
        case is PlaceError: self = .permission
        case let error as AuditError:
            self =
                error.isPermission
                ? .permission : error.isBroken ? .data : error.isCreation ? .cannotCreate : .inputOutput
        case let error as DisclosureError: self.init(of: error)
        case let error as WorkbookError: self.init(of: error)
        case let error as PublishingError: self.init(of: error)
        case let error as QueryError: self.init(of: error)
        case let error as StoreError: self.init(of: error)
        case let error as PseudonymKeyError: self.init(of: error)
        case let error as CrosswalkError: self.init(of: error)
        case let error as ReidentificationError: self.init(of: error)
        case let error as ExportFolderError: self = error.isPermission ? .permission : .inputMissing
        case is UnanswerableRules: self = .configuration
        case is PlainHeaderError, is ProfileProposalError: self = .data
        case is TripNotFound, is TripNotStored: self = .inputMissing
        case let error as QuarantineError: self.init(of: error)
        case is SampleError, is SelectionError, is TripRowError: self = .usage
        case is CostsError: self = .data
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
        case .forbidden: self = .permission
        case .unreadable: self = .inputOutput
        case .damaged, .malformed, .tooManyRejects, .missingColumns, .notRepeatable, .changing: self = .data
        }
    }

    private init(of error: QuarantineError) {
        switch error {
        case .notAHash, .reasonLength, .reasonControl, .nothingRejected, .notWaived, .isLoaded: self = .usage
        case .unknown, .fileNotFound: self = .inputMissing
        case .otherFile: self = .data
        }
    }

    private init(of error: DisclosureError) {
        switch error {
        case .nothingToRelease, .nothingReleasedYet, .patientsNotSure, .releasedByAnotherStore: self = .data
        case .overallCellMissing, .auditFailed: self = .internalBug
        case .thresholdOutOfRange: self = .configuration
        }
    }

    private init(of error: PublishingError) {
        switch error {
        case .system, .notOurs:
            self = error.isPermission ? .permission : error.isCreation ? .cannotCreate : .inputOutput
        case .unsafeName: self = .usage
        case .repeatedName: self = .internalBug
        case .clockBehind: self = .configuration
        case .damaged: self = .data
        case .unknownRun, .nothingPublished, .nothingToGoBackTo: self = .inputMissing
        }
    }

    private init(of error: QueryError) {
        switch error {
        case .storeMissing: self = .inputMissing
        case .storeUnreadable(_, _, let isPermission): self = isPermission ? .permission : .inputOutput
        case .stagingDoesNotFit: self = .configuration
        case .unknownQuery, .unknownParameter, .parameterMissing, .wrongParameter, .refused, .wrongSQL: self = .usage
        case .changed, .busy: self = .locked
        case .interrupted, .failed: self = .inputOutput
        }
    }

    private init(of error: PseudonymKeyError) {
        switch error {
        case _ where error.isPermission: self = .permission
        case .missing, .symbolicLink, .notAFile, .wrongSize, .notRotated, .rotatedOut: self = .configuration
        case .exists, .notCreated: self = .cannotCreate
        case .open, .foreign, .unreadable: self = .inputOutput
        }
    }

    private init(of error: CrosswalkError) {
        switch error {
        case _ where error.isPermission: self = .permission
        case .missing, .lost: self = .inputMissing
        case .keyLost, .notACrosswalk, .tooNew, .wrongKey, .otherFile, .sameFolder: self = .configuration
        case .tampered, .truncated: self = .data
        case .busy: self = .locked
        case .unsafe, .system: self = .inputOutput
        }
    }

    private init(of error: ReidentificationError) {
        switch error {
        case .notConfigured: self = .configuration
        case .reason, .nothingAsked: self = .usage
        case .unknown: self = .inputMissing
        }
    }

    private init(of error: StoreError) {
        switch error {
        case .missing, .notLoaded, .ambiguous: self = .inputMissing
        case .lost, .notAStore, .tooNew, .tooOld, .otherKey, .unknownListEntry: self = .configuration
        case .damaged, .full, .inputOutput, .stale: self = .inputOutput
        case .forbidden: self = .permission
        case .cannotCreate: self = .cannotCreate
        case .busy: self = .locked
        case .alreadyLoaded: self = .data
        case .inconsistent: self = .internalBug
        }
    }

    private init(of error: WorkbookError) {
        switch error.code {
        case _ where error.isPermission: self = .permission
        case .cannotCreate, .cannotReplace: self = .cannotCreate
        case .cannotWrite: self = .inputOutput
        case .library: self = .internalBug
        case .tooLarge: self = .data
        }
    }
}
