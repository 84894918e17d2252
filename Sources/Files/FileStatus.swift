#if canImport(Glibc)
package import Glibc
#else
package import Darwin
#endif

/// What `stat(2)` reports about a file: its kind, owner, mode and names. Whether a file can be trusted is decided by it.
package struct FileStatus: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case file, folder, symbolicLink, other
    }

    package let kind: Kind
    package let owner: uid_t
    package let group: gid_t
    /// The twelve permission bits.
    package let mode: mode_t
    /// How many names (hard links) the file has.
    package let names: Int
    package let size: Int
    /// When the content or the list of entries last changed, in seconds since 1970.
    package let modified: Int
    /// Device and inode: equal for two paths of one file.
    package let identity: String

    private init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .symbolicLink
            default: .other
            }
        owner = status.st_uid
        group = status.st_gid
        mode = status.st_mode & 0o7777
        names = Int(status.st_nlink)
        size = Int(status.st_size)
        identity = "\(status.st_dev) \(status.st_ino)"
        #if canImport(Glibc)
        modified = Int(status.st_mtim.tv_sec)
        #else
        modified = Int(status.st_mtimespec.tv_sec)
        #endif
    }

    /// Nil if nothing is at the path, or the path cannot be reached; `errno` says which.
    ///
    /// - Parameter followsLinks: whether a symbolic link is resolved.
    package init?(_ path: String, followsLinks: Bool = false) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        self.init(status)
    }

    /// What is at a path; nil only if nothing has the name. A path that cannot be looked up is an error, and no "nothing".
    ///
    /// - Parameter followsLinks: whether a symbolic link is resolved. One that leads nowhere is then an error: it is there.
    package static func lookUp(_ path: String, followsLinks: Bool = true) throws(FileError) -> FileStatus? {
        if let status = FileStatus(path, followsLinks: followsLinks) { return status }
        let code = errno
        guard code == ENOENT || code == ENOTDIR else {
            throw FileError(path, "be looked up", code: code, remedy: "check the mount and who may search its folder")
        }
        guard followsLinks, try lookUp(path, followsLinks: false) != nil else { return nil }
        throw FileError(
            path, "be read", code: ENOENT, reason: "it is a link that leads nowhere: mount what it leads to",
            remedy: "or remove the link")
    }

    /// Of an open file, whatever has its name by now.
    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Whether this user or root owns it.
    package var isOwnersOrRoots: Bool { owner == geteuid() || owner == 0 }

    /// Whether group and others have no right to it.
    package var isPrivate: Bool { mode & 0o077 == 0 }

    /// Whether group or others may write to it.
    package var isWritableByOthers: Bool { mode & 0o022 != 0 }

    /// The mode in octal: `0640`.
    package var modeText: String { "0" + String(mode, radix: 8) }
}

/// Paths as text: links in them are not followed.
package enum FilePath {
    /// The folder that a path names a file in; `.` if it names none.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last component.
    package static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }
}
