import Foundation
import Hashing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where a crosswalk and its key are, and whether they are where they may be.
package struct CrosswalkPlace: Sendable, Hashable {
    package var file: String
    package var keyFile: String
    package var store: String

    package init(file: String, keyFile: String, store: String) {
        self.file = file
        self.keyFile = keyFile
        self.store = store
    }

    /// Crosswalk, key and store lie in three folders, and nobody else gets into the crosswalk's.
    package func check() throws(CrosswalkError) {
        for (first, second) in [(file, keyFile), (keyFile, store), (file, store)]
        where Self.identity(Self.folder(of: first)) == Self.identity(Self.folder(of: second)) {
            throw .sameFolder(first, and: second)
        }
        let folder = Self.folder(of: file)
        var status = stat()
        guard stat(folder, &status) == 0 else {
            if errno == ENOENT { return }
            throw .system(path: folder, action: "be reached", code: errno)
        }
        try Self.check(status, folder, mode: "700")
    }

    /// Makes the crosswalk's folder, mode 0700, if it is not there; the one above it must be.
    func makeFolder() throws(CrosswalkError) {
        let folder = Self.folder(of: file)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .system(path: folder, action: "have its folder", code: errno)
        }
    }

    /// The key, and where there is neither key nor crosswalk, a new one.
    func key(credentials: String?, makesNew: Bool) throws -> CrosswalkKey {
        let isThere = FileManager.default.fileExists(atPath: keyFile)
        if !isThere {
            let mayMake = makesNew && !FileManager.default.fileExists(atPath: file)
            if !mayMake { throw CrosswalkError.keyLost(path: file, keyPath: keyFile) }
            _ = try PseudonymKeyFile.create(keyFile)
        }
        return try PseudonymKeyFile.loadCrosswalkKey(keyFile, credentials: credentials)
    }

    /// The file, once it was opened: whatever has its name by then.
    static func check(_ descriptor: Int32, _ path: String) throws(CrosswalkError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(path: path, action: "be read", code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unsafe(path: path, problem: "the crosswalk is not a regular file", remedy: "name another path")
        }
        guard status.st_nlink == 1 else {
            throw .unsafe(
                path: path, problem: "the crosswalk has another name too (a hard link)",
                remedy: "find it with find -samefile, and remove it")
        }
        try check(status, path, mode: "600")
    }

    private static func check(_ status: stat, _ path: String, mode: String) throws(CrosswalkError) {
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw .unsafe(
                path: path, problem: "it belongs to user \(status.st_uid)",
                remedy: "give it to the user who runs tripkpi")
        }
        guard status.st_mode & (S_IRWXG | S_IRWXO) == 0 else {
            throw .unsafe(
                path: path, problem: "others may get at it (mode 0\(String(status.st_mode & 0o7777, radix: 8)))",
                remedy: "run: chmod \(mode) on it, and think about who has read it")
        }
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The folder itself, whatever links lead to it; of one that is not there, its path.
    private static func identity(_ folder: String) -> String {
        var status = stat()
        guard stat(folder, &status) == 0 else { return URL(fileURLWithPath: folder).standardizedFileURL.path }
        return "\(status.st_dev) \(status.st_ino)"
    }
}
