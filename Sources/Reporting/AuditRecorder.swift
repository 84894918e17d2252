import Basics
import Files
package import Foundation
package import Operations
import Profiles

#if canImport(Glibc)
import Glibc
#endif

/// Writes down what a command does, as the one who does it. What cannot be written down is not done.
///
/// So an entry is written before the action. It must not claim what was refused: a command checks everything that may refuse
/// it before its entry (`prepare`, then its own checks). Where the action itself can still fail, `recording` adds an entry
/// with the outcome `refused`. An entry that no such entry follows was done, or its process was stopped at that instant.
package struct AuditRecorder: Sendable {
    private let log: AuditLog
    private let owner: LockOwner
    private let tool: String
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - owner: this process, its user and command.
    ///   - tool: such as `tripkpi 0.1.0`.
    ///   - now: the real clock, whatever `SOURCE_DATE_EPOCH` says.
    package init(
        path: String, owner: LockOwner, tool: String, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        log = AuditLog(path: path)
        self.owner = owner
        self.tool = tool
        self.now = now
    }

    /// Makes the log's folder and fails if no entry could be written: asked before anything is done.
    package func prepare() throws {
        try makeFolder()
        try log.prepare()
    }

    /// Makes the log's folder, if there is none.
    package func makeFolder() throws {
        let folder = (log.path as NSString).deletingLastPathComponent
        if !folder.isEmpty { try Self.makeFolder(folder) }
    }

    /// Root makes it for the owner of the folder above, whose log it will be. What goes wrong here shows when the log is opened.
    private static func makeFolder(_ path: String) throws {
        guard try FileStatus.lookUp(path) == nil else { return }
        let parent = FilePath.folder(of: path)
        if parent != path { try makeFolder(parent) }
        guard mkdir(path, 0o700) == 0, let above = try FileStatus.lookUp(parent) else { return }
        try? OpenFile(path, for: .folder).setOwner(like: above)
    }

    package var path: String { log.path }

    /// The last entry, to be kept elsewhere; nil if there is none.
    package func end() throws -> String? { try log.end()?.text }

    /// - Parameter entry: of `end()`, at some time before.
    /// - Throws: `AuditError.broken` if the log does not have it any more.
    package func require(_ entry: String) throws {
        guard let entry = AuditHead(text: entry), try !log.has(entry) else { return }
        throw AuditError.broken(path: path, finding: .forgotten(sequence: entry.sequence))
    }

    package func record(_ event: AuditEntry.Event, _ fill: (inout AuditEntry) -> Void = { _ in }) throws {
        var entry = AuditEntry(
            event: event,
            actor: AuditEntry.Actor(user: owner.user, userID: getuid(), host: owner.host),
            time: UTCTime(now()).description, tool: tool,
            command: owner.command)
        fill(&entry)
        try log.append(entry)
    }

    /// Records an action, then does it. If it fails and has changed nothing, a second entry of the same content says so, with the
    /// outcome `refused`.
    ///
    /// - Parameters:
    ///   - isUndone: asked after a failure, where the action may have been done all the same, as when a folder cannot be
    ///     synced after a rename. Without a certain answer the first entry stays alone.
    ///   - action: not called if the first entry cannot be written.
    package func recording<Value>(
        _ event: AuditEntry.Event, _ fill: (inout AuditEntry) -> Void = { _ in },
        isUndone: () throws -> Bool = { true }, _ action: () throws -> Value
    ) throws -> Value {
        try record(event, fill)
        do { return try action() } catch {
            // The user must see the failure of the action. If this entry fails too, the log claims too much, never too little.
            if (try? isUndone()) ?? false { try? recordRefused(event, fill) }
            throw error
        }
    }

    /// Records that the action of an earlier entry ended with an error and changed nothing.
    package func recordRefused(_ event: AuditEntry.Event, _ fill: (inout AuditEntry) -> Void) throws {
        try record(event) { entry in
            fill(&entry)
            entry.outcome = .refused
        }
    }

    /// Records an internal output that has been made, with its hash, before it is given.
    package func recordInternal(_ event: AuditEntry.Event, output: AuditEntry.Output) throws {
        try record(event) { entry in
            entry.outputs = [output]
            entry.isInternal = true
        }
    }

    /// Records an internal output on standard output, before the first byte of it is written. If it fails before that, a
    /// second entry says so.
    ///
    /// - Parameter body: writes the output with the function that it gets.
    package func recordingInternalUse<Value>(
        _ event: AuditEntry.Event, _ body: (_ write: @escaping ([UInt8]) throws -> Void) throws -> Value
    ) throws -> Value {
        try prepare()
        var isGiven = false
        return try recording(event, { $0.isInternal = true }, isUndone: { !isGiven }) {
            try body { bytes in
                isGiven = true
                try StandardOutput.write(bytes)
            }
        }
    }
}

extension AuditRecorder? {
    /// Without a log the action is done all the same: see `StoreSite.auditLog`.
    package func recording<Value>(
        _ event: AuditEntry.Event, _ fill: (inout AuditEntry) -> Void = { _ in },
        isUndone: () throws -> Bool = { true }, _ action: () throws -> Value
    ) throws -> Value {
        guard let self else { return try action() }
        return try self.recording(event, fill, isUndone: isUndone, action)
    }
}
