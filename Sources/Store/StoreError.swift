import GRDB

/// Why the store cannot be used, or an export cannot be taken in or out.
package enum StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    case missing(path: String)
    /// There is none although something was published from one: a new one would make the published trips vanish.
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
    /// A name of a profile that the store's list does not have.
    case unknownListEntry(list: String, name: String)
    /// A run was stopped before it had tallied a month.
    case stale(path: String, month: String)
    /// A bug of ours: what the store says does not add up.
    case inconsistent(String)

    package var description: String {
        switch self {
        case .missing(let path): "\(path): there is no store; `tripkpi run` or `tripkpi load` makes one"
        case .lost(let path, let published):
            "\(path): the store is gone or empty, but \(published) was published from it; put a backup in its place. To "
                + "begin anew with nothing but the exports in the inbox, run once with --new-store"
        case .notAStore(let path): "\(path): this is not a store of tripkpi; check the path (--store)"
        case .tooNew(let path): "\(path): a newer tripkpi made this store; use that version"
        case .tooOld(let path):
            "\(path): an earlier tripkpi made this store; run `tripkpi run` or `tripkpi publish` once to bring it up to date"
        case .otherKey(let path):
            "\(path): the store was made with another key; name the right one with --key-file. Without it the store "
                + "cannot be added to: load the exports into a new store"
        case .damaged(let path, let detail):
            "\(path): the store is damaged, or no store (\(detail)); what was published stands. Put a backup in its "
                + "place, or move it away and run once with --new-store and all exports in the inbox"
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
        case .inconsistent(let what): "the store does not add up (\(what)); please report this bug"
        }
    }

    /// What SQLite's answer means for the store at `path`.
    init(_ error: DatabaseError, path: String) {
        let text = error.message ?? "SQLite code \(error.extendedResultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_FULL: self = .full(path: path)
        // The tables are ours: a statement that does not fit them, or a rule that they break, is damage too.
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_FORMAT:
            self = .damaged(path: path, detail: text)
        case .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH:
            self = StorePlace(path: path).obstacle ?? .forbidden(path: path)
        case .SQLITE_CANTOPEN, .SQLITE_IOERR:
            self = StorePlace(path: path).obstacle ?? .inputOutput(path: path, detail: text)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
        default: self = .inputOutput(path: path, detail: text)
        }
    }
}
