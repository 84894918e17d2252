package import Basics
package import Files
import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The bytes of an audit log and of its head from one moment.
package struct AuditLogCopy: Sendable {
    private static let nightlyCommand = "tripkpi run"

    package let log: [UInt8]
    /// Nil: there is none yet, as after the first writer was stopped.
    package let head: [UInt8]?
    private let chain: AuditChain

    package init(log: [UInt8], head: [UInt8]?) {
        self.log = log
        self.head = head
        chain = AuditChain(log)
    }

    /// The log at a path, read under its lock: no writer is between the log and its head.
    ///
    /// - Returns: nil if there is no log, or nothing in it.
    package init?(of path: String) throws(AuditError) {
        let file: AuditFile
        do throws(AuditError) {
            file = try AuditFile(path, forWriting: false)
        } catch {
            guard case .system(let cause) = error, cause.isMissing else { throw error }
            // A log that was removed leaves its head.
            guard try AuditLog.isThere(path + ".head") else { return nil }
            let head: [UInt8]
            do throws(FileError) { head = try OpenFile(path + ".head", for: .read).read() } catch {
                throw .system(error)
            }
            self.init(log: [], head: head)
            return
        }
        let bytes = try file.read(from: 0), head = try file.head()?.bytes
        if bytes.isEmpty, head == nil { return nil }
        self.init(log: bytes, head: head)
    }

    /// How many entries it has, the line that opens it not counted.
    package var entries: Int { max(0, chain.count - 1) }

    /// How many removals of trips a store lacks. Those of a nightly run, by the setting `retention`, do not count.
    ///
    /// - Parameters:
    ///   - entry: the last one that the store remembers.
    ///   - time: where this log lacks that entry, removals at this time or later count.
    package func removals(since entry: AuditHead?, at time: UTCTime) -> Int {
        struct Line: Decodable {
            var event: String?
            var time: String?
            var command: String?
            var outcome: String?
            var sequence: Int?
        }
        let known = entry.flatMap { has($0) ? $0.sequence : nil }
        return log.split(separator: UInt8(ascii: "\n")).count { bytes in
            // The line that opens a log, and a torn one, have no event.
            guard let line = try? JSONDecoder().decode(Line.self, from: Data(bytes)), line.outcome == nil,
                line.event == AuditEntry.Event.purge.rawValue, line.command != Self.nightlyCommand
            else { return false }
            return known.map { (line.sequence ?? .max) > $0 } ?? ((line.time ?? "") >= time.description)
        }
    }

    /// What is wrong with it; none if it is whole.
    package var findings: [AuditFinding] {
        chain.findings(head: head.flatMap { try? JSONDecoder().decode(AuditHead.self, from: Data($0)) })
    }

    /// Whether this log has every entry of another one.
    package func goesOn(from other: AuditLogCopy) -> Bool {
        guard let last = other.chain.last else { return true }
        return chain.entries[last.sequence]?.sha256 == last.sha256
    }

    /// Whether it has an entry that a store remembers.
    package func has(_ entry: AuditHead) -> Bool { chain.entries[entry.sequence]?.sha256 == entry.sha256 }

    /// Writes both files in place of a log that this one goes on from, under that log's lock: whoever waits for it then goes on
    /// with this one.
    ///
    /// - Throws: also if the log there has entries that this one lacks.
    package func putBack(at path: String, owner: FileStatus) throws(AuditError) {
        let file = try AuditLog.isThere(path) ? AuditFile(path, forWriting: true) : nil
        defer { withExtendedLifetime(file) {} }
        if let file, try !goesOn(from: AuditLogCopy(log: file.read(from: 0), head: nil)) {
            throw .system(
                FileError(
                    path, "be put back", code: EBUSY, reason: "another command has just written to it",
                    remedy: "run the command again"))
        }
        try write(to: path, owner: owner)
    }

    /// Writes both files. A kill leaves none, the log without its head, or both.
    ///
    /// - Parameter owner: root gives the files to the owner of this one.
    package func write(to path: String, owner: FileStatus) throws(AuditError) {
        do throws(FileError) {
            for (bytes, path) in [(log, path), (head ?? [], path + ".head")] where !bytes.isEmpty {
                let draft = try AtomicFile(path, part: path + ".part")
                try draft.append(bytes)
                try draft.file.setOwner(like: owner)
                // By a rename: after a kill a log with a second name would be refused.
                try draft.publish()
            }
        } catch {
            throw .system(error)
        }
    }
}

extension AuditChain {
    /// The findings of a whole log with its head.
    func findings(head: AuditHead?) -> [AuditFinding] {
        var all = findings
        if let head {
            if let known = entries[head.sequence] {
                if known != head.entry { all.append(.lastChanged(line: head.line)) }
            } else {
                all.append(.truncated(expected: head.sequence, found: max(0, count - 1)))
            }
        } else if count > 2 {
            all.append(.headMissing)
        }
        return all
    }
}
