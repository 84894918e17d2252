package import Trips

/// Why a backup cannot be written, or not be restored. Whatever it is, nothing was replaced.
package enum BackupError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    // Writing.
    case exists(path: String)
    /// A file changed while it was read.
    case changed(String)
    /// The secret of the seal is the key itself.
    case secretIsKey(path: String)
    /// An internal error.
    case inconsistent(String)
    // Reading.
    case missing(path: String)
    case notABackup(path: String)
    /// A newer tripkpi wrote the file, or the store in it.
    case tooNew(path: String)
    case cutShort(path: String)
    case damaged(path: String, detail: String)
    case notSealed(path: String)
    case wrongSecret(path: String)
    // Restoring.
    case otherKey(path: String, fingerprint: String)
    case keyMissing(path: String, isSealed: Bool, fingerprint: String)
    case storeIsThere(path: String)
    case brokenLog(path: String, finding: String)

    package var failureKind: FailureKind {
        switch self {
        case .exists: .cannotCreate
        case .inconsistent: .internalBug
        case .missing: .inputMissing
        case .changed, .notABackup, .cutShort, .damaged, .brokenLog: .data
        case .notSealed, .storeIsThere: .usage
        case .secretIsKey, .tooNew, .wrongSecret, .otherKey, .keyMissing: .configuration
        }
    }

    package var description: String {
        switch self {
        case .exists(let path): "\(path): there is something already, which is kept; name another file"
        case .changed(let name):
            "\(name) changed while it was read, or a published set is damaged; run `tripkpi verify`, and back up again"
        case .secretIsKey(let path):
            "\(path): this is the key itself. Without it the seal could not be opened: name another secret, and keep it "
                + "elsewhere"
        case .inconsistent(let what): "internal error: \(what); please report this bug"
        case .missing(let path): "\(path): there is no such backup; check the path"
        case .notABackup(let path):
            "\(path): this is not a backup of tripkpi, or its beginning is damaged; name the file that `tripkpi backup` "
                + "wrote, as it wrote it"
        case .tooNew(let path): "\(path): a newer tripkpi wrote it; use that version"
        case .cutShort(let path): "\(path): its end is missing; copy it again, or use another backup"
        case .damaged(let path, let detail): "\(path): the backup is damaged (\(detail)); use another one"
        case .notSealed(let path):
            "\(path): it has no sealed key; leave out --seal-with, and name the key with --key-file"
        case .wrongSecret(let path):
            "\(path): this secret does not open its key, or a file in it was replaced; name the secret that it was sealed "
                + "with"
        case .otherKey(let path, let fingerprint):
            "\(path): this key is not the one of the backup's store (\(fingerprint)), and it is kept; name the right key "
                + "with --key-file, or move this one away"
        case .keyMissing(let path, let isSealed, let fingerprint):
            "\(path): there is no key, and the backup's store needs \(fingerprint); "
                + (isSealed
                    ? "the backup has it: name the secret that it was sealed with (--seal-with)"
                    : "put the copy of the key there, or name it with --key-file")
        case .storeIsThere(let path):
            "\(path): there is a store already. With --replace it is moved aside, and the backup takes its place"
        case .brokenLog(let path, let finding):
            "\(path): the audit log there is not whole (\(finding)). With --replace it is moved aside, and the backup's "
                + "log takes its place"
        }
    }
}
