import Files
import Foundation

/// Where a crosswalk, its key and the store are, and whether they may be there.
package struct CrosswalkPaths: Sendable, Hashable {
    package var file: String
    package var keyFile: String
    package var store: String

    package init(file: String, keyFile: String, store: String) {
        self.file = file
        self.keyFile = keyFile
        self.store = store
    }

    /// Crosswalk, key and store are in three folders, and only the owner may enter the crosswalk's folder.
    package func check() throws(CrosswalkError) {
        for (first, second) in [(file, keyFile), (keyFile, store), (file, store)]
        where Self.identity(FilePath.folder(of: first)) == Self.identity(FilePath.folder(of: second)) {
            throw .sameFolder(first, and: second)
        }
        let folder = FilePath.folder(of: file)
        if let status = FileStatus(folder, followsLinks: true) {
            try Self.check(status, folder, mode: "700")
        } else {
            let error = FileError(folder, "be reached")
            if !error.isMissing { throw .system(error) }
        }
    }

    /// Makes the crosswalk's folder, mode 0700, if it is not there; its parent must be there.
    func makeFolder() throws(CrosswalkError) {
        let folder = FilePath.folder(of: file)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .system(FileError(folder, "have its folder")) }
    }

    /// The key; where there is neither key nor crosswalk, a new key.
    func key(credentials: String?, makesNew: Bool) throws -> CrosswalkKey {
        if try FileStatus.lookUp(keyFile) == nil {
            let mayMake = try makesNew && FileStatus.lookUp(file) == nil
            if !mayMake { throw CrosswalkError.keyLost(path: file, keyPath: keyFile) }
            _ = try PseudonymKeyFile.create(keyFile)
        }
        return try PseudonymKeyFile.loadCrosswalkKey(keyFile, credentials: credentials)
    }

    /// Opens the crosswalk and checks the opened file, so it cannot be replaced in between.
    func open(for access: OpenFile.Access) throws(CrosswalkError) -> OpenFile {
        let opened: OpenFile
        let status: FileStatus
        do throws(FileError) {
            opened = try OpenFile(file, for: access)
            status = try opened.status()
        } catch {
            guard error.isSymbolicLink else { throw .system(error) }
            throw .unsafe(
                path: file, problem: "the crosswalk is a symbolic link", remedy: "name the file that it leads to")
        }
        guard status.kind == .file else {
            throw .unsafe(path: file, problem: "the crosswalk is not a regular file", remedy: "name another path")
        }
        guard status.names == 1 else {
            throw .unsafe(
                path: file, problem: "the crosswalk has another name too (a hard link)",
                remedy: "find it with find -samefile, and remove it")
        }
        try Self.check(status, file, mode: "600")
        return opened
    }

    private static func check(_ status: FileStatus, _ path: String, mode: String) throws(CrosswalkError) {
        guard status.isOwnersOrRoots else {
            throw .unsafe(
                path: path, problem: "it belongs to user \(status.owner)",
                remedy: "give it to the user who runs tripkpi")
        }
        guard status.isPrivate else {
            throw .unsafe(
                path: path, problem: "others may get at it (mode \(status.modeText))",
                remedy: "run: chmod \(mode) on it, and think about who has read it")
        }
    }

    /// Identifies a folder through all links that lead to it; a missing folder, by its path.
    private static func identity(_ folder: String) -> String {
        FileStatus(folder, followsLinks: true)?.identity ?? URL(fileURLWithPath: folder).standardizedFileURL.path
    }
}
