import Files
import Foundation
import KPIContract

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The log's file, open for one writer or reader, and its head beside it. Symbolic links are not followed, and a file
/// that others could change is refused.
struct AuditFile {
    private let file: OpenFile
    private var headPath: String { file.path + ".head" }

    /// Waits for another writer, who holds the file for a few milliseconds.
    init(_ path: String, forWriting: Bool) throws(AuditError) {
        let status: FileStatus, isNew: Bool
        do throws(FileError) {
            (file, status, isNew) = try Self.open(path, forWriting: forWriting)
        } catch {
            throw error.isSymbolicLink ? .notOurs(path: path, problem: "it is a symbolic link") : .system(error)
        }
        if let problem = Self.problem(of: status) { throw .notOurs(path: path, problem: problem) }
        // A new log is its folder's owner's: root's first entry must not lock out the user who runs tripkpi.
        guard isNew, status.size == 0 else { return }
        try wrapped { () throws(FileError) in
            if let folder = try FileStatus.lookUp(FilePath.folder(of: path)) { try file.setOwner(like: folder) }
        }
    }

    /// Opens and locks the file that has the path when the lock is there: whoever held it may have moved the log aside.
    private static func open(
        _ path: String, forWriting: Bool
    ) throws(FileError) -> (file: OpenFile, status: FileStatus, isNew: Bool) {
        while true {
            let isNew = try FileStatus.lookUp(path, followsLinks: false) == nil
            let file = try OpenFile(path, for: forWriting ? .append : .read)
            try file.lock(forWriting ? .exclusive : .shared)
            let status = try file.status()
            let present = try FileStatus.lookUp(path, followsLinks: false)
            if present?.identity == status.identity { return (file, status, isNew) }
        }
    }

    private static func problem(of status: FileStatus) -> String? {
        if status.kind != .file { return "it is not a file" }
        if status.names != 1 { return "it has a second name (a hard link)" }
        if status.owner != geteuid(), geteuid() != 0 { return "it belongs to another user" }
        return status.isWritableByOthers ? "others may write to it" : nil
    }

    func size() throws(AuditError) -> Int {
        try wrapped { () throws(FileError) in try file.status().size }
    }

    /// The bytes from an offset on.
    func read(from offset: Int) throws(AuditError) -> [UInt8] {
        try wrapped { () throws(FileError) in try file.read(from: offset) }
    }

    func read(from start: Int, to end: Int) throws(AuditError) -> [UInt8] {
        try wrapped { () throws(FileError) in try file.read(at: max(0, start), count: max(0, end - start)) }
    }

    /// One write, so that a kill leaves a whole line or its beginning.
    func append(_ bytes: [UInt8]) throws(AuditError) {
        try wrapped { () throws(FileError) in
            try file.write(bytes)
            try file.sync()
        }
    }

    private func wrapped<Value>(_ body: () throws(FileError) -> Value) throws(AuditError) -> Value {
        do throws(FileError) { return try body() } catch { throw .system(error) }
    }

    /// Nil where there is none, or it is damaged.
    ///
    /// - Throws: where it may be there, and cannot be read: that is no sign that the log was changed.
    func head() throws(AuditError) -> AuditHead? {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try OpenFile(headPath, for: .read).read(count: 4096)
        } catch {
            if error.isMissing || error.isSymbolicLink { return nil }
            guard error.isPermission, let status = FileStatus(headPath) else { throw .system(error) }
            throw .notOurs(path: headPath, problem: "it belongs to user \(status.owner) and cannot be read")
        }
        return try? JSONDecoder().decode(AuditHead.self, from: Data(bytes))
    }

    /// The head has the owner and the mode of the log, whoever writes it.
    func write(_ head: AuditHead) throws(AuditError) {
        try wrapped { () throws(FileError) in
            let log = try file.status()
            let draft = try AtomicFile(headPath, part: headPath + ".part")
            try draft.append(head.bytes)
            try draft.file.setOwner(like: log)
            try draft.publish(mode: log.mode)
        }
    }
}
