import Files
import Foundation
import GRDB
package import Trips

#if canImport(Glibc)
import Glibc
#endif

/// Why the store cannot be used, or an export cannot be taken in or out.
package enum StoreError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    case missing(path: String)
    /// There is no store, but a set was published from one: with a new store the published trips would disappear.
    case lost(path: String, published: String)
    case notAStore(path: String)
    /// A newer tripkpi made it.
    case tooNew(path: String)
    case tooOld(path: String)
    /// Its pseudonyms were made with another key.
    case otherKey(path: String)
    case damaged(path: String, detail: String)
    case full(path: String)
    case forbidden(path: String)
    case busy(path: String)
    case cannotCreate(path: String)
    case inputOutput(path: String, detail: String)
    case alreadyLoaded(sha256: String)
    case notLoaded(hash: String)
    case ambiguous(hash: String)
    /// A profile names an entry that the store's list does not have.
    case unknownListEntry(list: String, name: String)
    /// A run was stopped before it had tallied a month.
    case stale(path: String, month: String)
    /// An internal error: the counts of the store contradict each other.
    case inconsistent(String)

    package var failureKind: FailureKind {
        switch self {
        case .missing, .notLoaded, .ambiguous: .inputMissing
        case .lost, .notAStore, .tooNew, .tooOld, .otherKey, .unknownListEntry: .configuration
        case .damaged, .full, .inputOutput, .stale: .inputOutput
        case .forbidden: .permission
        case .cannotCreate: .cannotCreate
        case .busy: .locked
        case .alreadyLoaded: .data
        case .inconsistent: .internalBug
        }
    }

    package var description: String {
        switch self {
        case .missing(let path): "\(path): there is no store; `tripkpi run` or `tripkpi load` makes one"
        case .lost(let path, let published):
            "\(path): the store is gone or empty, but \(published) was published from it; put a backup in its place. To "
                + "start again with only the exports in the inbox, run once with --new-store"
        case .notAStore(let path): "\(path): this is not a store of tripkpi; check the path (--store)"
        case .tooNew(let path): "\(path): a newer tripkpi made this store; use that version"
        case .tooOld(let path):
            "\(path): an earlier tripkpi made this store; run `tripkpi run` or `tripkpi publish` once to bring it up to date"
        case .otherKey(let path):
            "\(path): the store was made with another key; name the right one with --key-file. Without it the store "
                + "cannot be added to: load the exports into a new store"
        case .damaged(let path, let detail):
            "\(path): the store is damaged, or is not a store (\(detail)); the published set is unchanged. Put a backup "
                + "in its place, or move it away and run once with --new-store and all exports in the inbox"
        case .full(let path): "\(path): there is no space left for the store; free some and run again, nothing is lost"
        case .forbidden(let path):
            "\(path): this user may not use the store; check the owner and mode of it and its folder"
        case .cannotCreate(let path):
            "\(path): the store cannot be written there; check that its folder is there, on a file system that can be "
                + "written to, and that no folder has its name"
        case .busy(let path): "\(path): another process is writing to the store; wait for it and run again"
        case .inputOutput(let path, let detail):
            "\(path): the store cannot be read or written (\(detail)); check the disk and its quota"
        case .alreadyLoaded(let sha256): "export \(sha256.prefix(12)) is in the store already"
        case .notLoaded(let hash):
            "no export \(hash) is in the store; `tripkpi query export_ledger --internal` lists them"
        case .ambiguous(let hash): "several exports begin with \(hash); give more digits"
        case .unknownListEntry(let list, let name):
            "the store has no \(list) “\(name)”; add it to \(list)s in tripkpi.yaml"
        case .stale(let path, let month):
            "\(path): the numbers of \(month) are not finished: a run is under way, or one was stopped; wait for it, or "
                + "`tripkpi run` or `tripkpi publish` finishes them"
        case .inconsistent(let what): "internal error: the store is inconsistent (\(what)); please report this bug"
        }
    }

    /// The error of the store at `path` for an error of SQLite.
    init(_ error: DatabaseError, path: String) {
        let text = error.message ?? "SQLite code \(error.extendedResultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_FULL: self = .full(path: path)
        // The schema is fixed: a statement that does not fit it, or a broken constraint, is damage too.
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_FORMAT:
            self = .damaged(path: path, detail: text)
        case .SQLITE_PERM, .SQLITE_AUTH:
            self = StoreFile(path: path).obstacle ?? .forbidden(path: path)
        // SQLite opens a file to read only after any failure to open it for writing.
        case .SQLITE_CANTOPEN, .SQLITE_IOERR, .SQLITE_READONLY:
            self = StoreFile(path: path).obstacle ?? .inputOutput(path: path, detail: text)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
        default: self = .inputOutput(path: path, detail: text)
        }
    }
}

/// The file of a store, as the file system sees it. SQLite reports that it cannot open or write a file, but not why.
struct StoreFile {
    let path: String

    /// SQLite's own files beside the store.
    private static let companions = ["", "-wal", "-shm", "-journal"]
    /// With less than this free, a write that failed has failed for lack of space.
    private static let leastFreeBytes = 1 << 20

    /// Why the file cannot be written; nil if the file system shows no reason.
    var obstacle: StoreError? {
        let folder = folder
        if isFolder(path) || !isFolder(folder) { return .cannotCreate(path: path) }
        for name in [folder] + Self.companions.map({ path + $0 }) {
            let mode = name == folder ? W_OK | X_OK : R_OK | W_OK
            guard access(name, mode) != 0 else { continue }
            if errno == EROFS { return .cannotCreate(path: path) }
            if errno == EACCES || errno == EPERM { return .forbidden(path: path) }
        }
        return hasSpace ? nil : .full(path: path)
    }

    /// Whether there is a file, or anything else, at the path.
    ///
    /// - Throws: `StoreError.forbidden` if this user may not search its folder, `.inputOutput` if it cannot be told: a store that
    ///   is there must not be taken for none.
    func exists() throws(StoreError) -> Bool {
        do throws(FileError) {
            return try FileStatus.lookUp(path) != nil
        } catch {
            throw error.isPermission ? .forbidden(path: path) : .inputOutput(path: path, detail: error.reason)
        }
    }

    private var folder: String {
        let folder = (path as NSString).deletingLastPathComponent
        return folder.isEmpty ? "." : folder
    }

    /// False also where the process has a limit on the size of files.
    private var hasSpace: Bool {
        var limit = rlimit()
        #if canImport(Glibc)
        let isLimited = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
        #else
        let isLimited = getrlimit(RLIMIT_FSIZE, &limit) == 0
        #endif
        if isLimited, limit.rlim_cur < UInt64(Int64.max) { return false }
        var system = statvfs()
        guard statvfs(folder, &system) == 0 else { return true }
        return UInt64(system.f_bavail) * UInt64(system.f_frsize) >= UInt64(Self.leastFreeBytes)
    }

    private func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
