import Files
import Foundation
import Privacy
package import Trips

/// Whether another user could replace what a run reads back or publishes.
package enum PlaceSafety {
    /// Fails if everybody may rename files in the store's or the audit log's folder or among the published sets, or if the
    /// store itself is a link, has a second name, or belongs to another user.
    package static func check(store: String, reports: String, auditLog: String?) throws {
        let folders = [store, auditLog].compactMap(\.self).map(FilePath.folder(of:)) + [reports]
        for folder in folders + Audience.allCases.map({ "\(reports)/\($0.rawValue)" }) { try checkFolder(folder) }
        try checkFile(store)
    }

    private static func checkFolder(_ path: String) throws {
        let path = path.isEmpty ? "." : path
        guard let status = try FileStatus.lookUp(path), status.isWritableByEverybody else { return }
        // In a folder with the sticky bit (`/tmp`) users cannot rename each other's files.
        if status.mode & 0o1000 == 0 {
            throw PlaceError(
                path: path, problem: "everybody may write to the folder",
                remedy: "run: chmod o-w on it, and see what was put there")
        }
    }

    /// Nothing is wrong where there is none yet.
    private static func checkFile(_ path: String) throws {
        guard let status = try FileStatus.lookUp(path, followsLinks: false) else { return }
        switch status.kind {
        case .file: break
        case .symbolicLink:
            throw PlaceError(path: path, problem: "it is a symbolic link", remedy: "name the file itself")
        case .folder, .other: return
        }
        if try status.names - ReplacedStore.secondNames(of: path).count > 1 {
            throw PlaceError(
                path: path, problem: "it has a second name (a hard link)",
                remedy: "find the other name (find -samefile) and remove it, or copy the file")
        }
        if !status.isOwnersOrRoots {
            throw PlaceError(
                path: path, problem: "it belongs to user \(status.owner)",
                remedy: "run as its owner, or have it given to you")
        }
    }

    /// A warning about the store, if users outside its group may read it.
    static func remark(onStore path: String) -> String? {
        guard let status = FileStatus(path), status.mode & 0o007 != 0 else { return nil }
        return "\(path): every user of this machine may read it"
    }

    /// A warning about the inbox, if users other than this one decide what is delivered there.
    static func remark(onInbox path: String) -> String? {
        guard let status = FileStatus(path, followsLinks: true) else { return nil }
        if status.isWritableByEverybody { return "others, whoever they are, may put exports there" }
        if status.isOwnersOrRoots { return nil }
        return "it belongs to user \(status.owner): others than the one who runs tripkpi decide what is loaded"
    }
}

extension FileStatus {
    fileprivate var isWritableByEverybody: Bool { mode & 0o002 != 0 }
}

/// A place that is not safe to work in.
package struct PlaceError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    package let path: String
    package let problem: String
    package let remedy: String

    package var failureKind: FailureKind { .permission }

    package var description: String { "\(path): \(problem), so nothing is done there; \(remedy)" }
}
