import Foundation
import Privacy
package import Trips

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Whether somebody else could put something in the place of what a run reads back or publishes.
enum PlaceSafety {
    /// Fails where anybody may rename what lies in the store's folder or among the published sets, or where the store
    /// itself is a link, has a second name, or is another user's.
    static func check(store: String, reports: String) throws(PlaceError) {
        try checkFolder((store as NSString).deletingLastPathComponent)
        try checkFolder(reports)
        for audience in Audience.allCases { try checkFolder("\(reports)/\(audience.rawValue)") }
        try checkFile(store)
    }

    /// In one with the sticky bit (`/tmp`) users cannot rename each other's files.
    private static func checkFolder(_ path: String) throws(PlaceError) {
        var status = stat()
        guard stat(path.isEmpty ? "." : path, &status) == 0 else { return }
        if status.st_mode & 0o002 != 0, status.st_mode & 0o1000 == 0 {
            throw PlaceError(
                path: path.isEmpty ? "." : path, problem: "everybody may write to the folder",
                remedy: "run: chmod o-w on it, and see what was put there")
        }
    }

    /// Nothing is wrong where there is none yet.
    private static func checkFile(_ path: String) throws(PlaceError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFLNK: throw PlaceError(path: path, problem: "it is a symbolic link", remedy: "name the file itself")
        default: return
        }
        if status.st_nlink > 1 {
            throw PlaceError(
                path: path, problem: "it has a second name (a hard link)",
                remedy: "find the other name (find -samefile) and remove it, or copy the file")
        }
        if status.st_uid != geteuid(), status.st_uid != 0 {
            throw PlaceError(
                path: path, problem: "it belongs to user \(status.st_uid)",
                remedy: "run as its owner, or have it given to you")
        }
    }

    /// What is worth a word about the inbox: others deliver there, and so may anybody who may write there.
    static func remark(onInbox path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        if status.st_mode & 0o002 != 0 { return "others, whoever they are, may put exports there" }
        guard status.st_uid != geteuid(), status.st_uid != 0 else { return nil }
        return "it belongs to user \(status.st_uid): others than the one who runs tripkpi decide what is loaded"
    }
}

/// A place that is not safe to work in.
package struct PlaceError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    package let path: String
    package let problem: String
    package let remedy: String

    package var failureKind: FailureKind { .permission }

    package var description: String { "\(path): \(problem), so nothing is done there; \(remedy)" }
}
