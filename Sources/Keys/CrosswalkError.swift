package import Files
package import Trips

/// Why a crosswalk cannot be used. It names files and offsets in them, never their content.
package enum CrosswalkError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    case missing(path: String)
    /// The store has a mark of a crosswalk, and there is no crosswalk.
    case lost(path: String)
    case keyLost(path: String, keyPath: String)
    case notACrosswalk(path: String)
    /// A newer tripkpi made it.
    case tooNew(path: String)
    /// It was made with another key; both are named by their ids.
    case wrongKey(path: String, keyID: String, ownKeyID: String)
    case tampered(path: String, byteOffset: Int)
    /// Shorter than when the store last wrote to it.
    case truncated(path: String, bytes: Int, expected: Int)
    /// The store was loaded with another crosswalk.
    case otherFile(path: String)
    /// Two of crosswalk, key and store are in one folder.
    case sameFolder(String, and: String)
    /// Others may get at it, or it is not a plain file.
    case unsafe(path: String, problem: String, remedy: String)
    case busy(path: String)
    case system(FileError)

    package var failureKind: FailureKind {
        switch self {
        case .unsafe: .permission
        case .missing, .lost: .inputMissing
        case .keyLost, .notACrosswalk, .tooNew, .wrongKey, .otherFile, .sameFolder: .configuration
        case .tampered, .truncated: .data
        case .busy: .locked
        case .system(let error): error.isPermission ? .permission : .inputOutput
        }
    }

    package var description: String {
        switch self {
        case .missing(let path):
            "\(path): there is no crosswalk; a load makes it, once `crosswalk` stands in tripkpi.yaml"
        case .lost(let path):
            "\(path): the crosswalk is gone; restore it from a backup. Lost for good: `tripkpi crosswalk forget` lets the "
                + "next load begin another one; trips that were loaded before can then not be re-identified. Figures and "
                + "public ids are not touched by it"
        case .keyLost(let path, let keyPath):
            "\(keyPath): the key of the crosswalk \(path) is gone; restore it from a backup: without it no one can read "
                + "the crosswalk. Lost for good: move the crosswalk away, run `tripkpi crosswalk forget`, and load with "
                + "--replay what shall be re-identifiable. Figures and public ids are not touched by it"
        case .notACrosswalk(let path): "\(path): this is not a crosswalk of tripkpi; check crosswalk.file"
        case .tooNew(let path): "\(path): a newer tripkpi made this crosswalk; use that version"
        case .wrongKey(let path, let keyID, let ownKeyID):
            "\(path): it was made with key \(keyID), not with \(ownKeyID), which crosswalk.key_file names; name the right one"
        case .tampered(let path, let byteOffset):
            "\(path): it was changed or damaged at byte \(byteOffset); nothing of it is used. Restore it from a backup, "
                + "and find out who did it"
        case .truncated(let path, let bytes, let expected):
            "\(path): it was cut: it has \(bytes) of at least \(expected) bytes; restore it from a backup"
        case .otherFile(let path):
            "\(path): the store was loaded with another crosswalk; name that one, or run `tripkpi crosswalk forget` to go "
                + "on with this one"
        case .sameFolder(let first, let second):
            "\(first) and \(second) lie in one folder; whoever gets at it has both. Keep crosswalk, its key and the store "
                + "in three folders"
        case .unsafe(let path, let problem, let remedy): "\(path): \(problem); \(remedy)"
        case .busy(let path): "\(path): another process writes to the crosswalk; wait for it and run again"
        case .system(let error):
            "\(error.path): the crosswalk cannot \(error.action) (\(error.reason)); check the disk, the folder and its "
                + "mode, and run again"
        }
    }
}
