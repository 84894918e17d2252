import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// What the file system says about the place of a store. SQLite says that a file cannot be opened or written; why, it
/// says in no code of its own.
struct StorePlace {
    let path: String

    /// SQLite's own files beside the store.
    private static let companions = ["", "-wal", "-shm", "-journal"]
    /// With less than this free a write that failed has failed for want of room.
    private static let leastRoomBytes = 1 << 20

    /// What stands in the way of writing there; nil if nothing can be seen.
    var obstacle: StoreError? {
        if isFolder(path) || !isFolder(folder) { return .cannotCreate(path: path) }
        for name in [folder] + Self.companions.map({ path + $0 }) {
            let mode = name == folder ? W_OK | X_OK : R_OK | W_OK
            guard access(name, mode) != 0 else { continue }
            if errno == EROFS { return .cannotCreate(path: path) }
            if errno == EACCES || errno == EPERM { return .forbidden(path: path) }
        }
        return hasRoom ? nil : .full(path: path)
    }

    /// Whether there is a file at the path, or anything else.
    ///
    /// - Throws: `StoreError.forbidden` if this user may not search its folder; that there is none is not known then.
    func hasFile() throws(StoreError) -> Bool {
        var status = stat()
        if stat(path, &status) == 0 { return true }
        if errno == EACCES || errno == EPERM { throw .forbidden(path: path) }
        return false
    }

    private var folder: String {
        let folder = (path as NSString).deletingLastPathComponent
        return folder.isEmpty ? "." : folder
    }

    /// False also where this process may not make files larger than some size.
    private var hasRoom: Bool {
        var limit = rlimit()
        #if canImport(Glibc)
        let isLimited = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
        #else
        let isLimited = getrlimit(RLIMIT_FSIZE, &limit) == 0
        #endif
        if isLimited, limit.rlim_cur < UInt64(Int64.max) { return false }
        var system = statvfs()
        guard statvfs(folder, &system) == 0 else { return true }
        return UInt64(system.f_bavail) * UInt64(system.f_frsize) >= UInt64(Self.leastRoomBytes)
    }

    private func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
