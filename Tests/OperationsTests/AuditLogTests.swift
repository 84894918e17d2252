import Files
import Foundation
import Operations
import TestSupport
import Testing
import Trips

/// What was done to a log is noticed; what a kill leaves is not taken for it.
@Suite("Audit log")
struct AuditLogTests {
    private func entry(_ number: Int) -> AuditEntry {
        var entry = AuditEntry(
            event: .publish, actor: .init(user: "ops", userID: 1000, host: "here"),
            time: "2026-01-01T00:00:0\(number)Z",
            tool: "tripkpi 0.1.0", command: "tripkpi run")
        entry.counts = [("read", number)]
        entry.reason = "not to be kept"
        return entry
    }

    /// A log of five entries, and its lines.
    private func withLog(_ body: (AuditLog, [String], TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let log = AuditLog(path: folder.path(of: "audit.jsonl"))
            for number in 0..<5 { try log.append(entry(number)) }
            let text = String(decoding: try folder.read("audit.jsonl"), as: UTF8.self)
            try body(log, text.split(separator: "\n").map(String.init), folder)
        }
    }

    private func write(_ lines: [String], _ folder: TemporaryFolder, tail: String = "") throws {
        let handle = try FileHandle(forWritingTo: folder.url.appendingPathComponent("audit.jsonl"))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data((lines.map { $0 + "\n" }.joined() + tail).utf8))
        try handle.close()
    }

    @Test("a whole log passes, with mode 0600, and no reason is kept but of re-identification")
    func whole() throws {
        try withLog { log, lines, folder in
            let (entries, findings) = try log.check()
            #expect(entries == 5 && findings.isEmpty && lines.count == 6)
            #expect(!lines.joined().contains("not to be kept"))
            for name in ["audit.jsonl", "audit.jsonl.head"] {
                let mode = try FileManager.default.attributesOfItem(atPath: folder.path(of: name))[.posixPermissions]
                #expect(mode as? Int == 0o600)
            }
        }
    }

    @Test("a log that is put aside is whole under its new name, and the next entry begins another")
    func aside() throws {
        try withLog { log, _, _ in
            let names = try log.putAside(ending: ".old")
            #expect(names == [log.path + ".old", log.path + ".old.head"])
            #expect(try AuditLog(path: log.path + ".old").check().entries == 5)
            try log.append(entry(1))
            #expect(try log.check().entries == 1 && log.check().findings.isEmpty)
            // Nothing that was put aside is lost.
            #expect(throws: AuditError.self) { try log.putAside(ending: ".old") }
        }
    }

    @Test("each line changed, removed or swapped is noticed", arguments: 0..<6)
    func tampering(line: Int) throws {
        try withLog { log, lines, folder in
            var changed = lines
            changed[line] = lines[line].replacingOccurrences(of: "ops", with: "eve")
                .replacingOccurrences(of: "1.0", with: "1.1")
            try write(changed, folder)
            #expect(try !log.check().findings.isEmpty)
            var removed = lines
            removed.remove(at: line)
            try write(removed, folder)
            #expect(try !log.check().findings.isEmpty)
            guard line < 5 else { return }
            var swapped = lines
            swapped.swapAt(line, line + 1)
            try write(swapped, folder)
            #expect(try !log.check().findings.isEmpty)
        }
    }

    @Test("an end that was cut off is noticed, by check and by the next writer", arguments: 0..<6)
    func truncation(kept: Int) throws {
        try withLog { log, lines, folder in
            try write(Array(lines[..<kept]), folder)
            #expect(try log.check().findings == [.truncated(expected: 5, found: max(0, kept - 1))])
            #expect(throws: AuditError.self) { try log.append(entry(9)) }
            // The last line cut in two is no torn one either: the head knows that it was whole.
            try write(Array(lines[..<5]), folder, tail: String(lines[5].prefix(100)))
            #expect(try log.check().findings == [.truncated(expected: 5, found: 4)])
            #expect(throws: AuditError.self) { try log.append(entry(9)) }
        }
    }

    @Test(
        "what root adds stays with the user whose log it is",
        .enabled(if: geteuid() == 0, "only root can give files away"))
    func owner() throws {
        try TemporaryFolder.with { folder in
            let nobody: uid_t = 65534
            #expect(chown(folder.path, nobody, nobody) == 0)
            let path = folder.path(of: "audit.jsonl"), log = AuditLog(path: path)
            for number in 0..<2 {
                try log.append(entry(number))
                for file in [path, path + ".head"] {
                    let status = try #require(try FileStatus.lookUp(file))
                    #expect(status.owner == nobody && status.group == nobody && status.mode == 0o600, "\(file)")
                }
            }
            #expect(try log.check().findings.isEmpty)
        }
    }

    @Test("a log that was removed, or lost its head, is noticed")
    func removal() throws {
        try withLog { log, _, folder in
            let head = try folder.read("audit.jsonl.head")
            try FileManager.default.removeItem(atPath: folder.path(of: "audit.jsonl.head"))
            #expect(try log.check().findings == [.headMissing])
            #expect(throws: AuditError.self) { try log.append(entry(9)) }
            try folder.write(head, to: "audit.jsonl.head")
            try FileManager.default.removeItem(atPath: folder.path(of: "audit.jsonl"))
            #expect(try !log.check().findings.isEmpty)
            #expect(throws: AuditError.self) { try log.append(entry(9)) }
        }
    }

    @Test("a kill at each byte of an append is told apart from tampering, and the next entry goes on")
    func kills() throws {
        try withLog { log, _, folder in
            let before = try folder.read("audit.jsonl"), head = try folder.read("audit.jsonl.head")
            try log.append(entry(6))
            let after = try folder.read("audit.jsonl")
            for cut in stride(from: before.count, through: after.count, by: 7) {
                let handle = try FileHandle(forWritingTo: folder.url.appendingPathComponent("audit.jsonl"))
                try handle.truncate(atOffset: 0)
                try handle.write(contentsOf: Data(after[..<cut]))
                try handle.close()
                try folder.write(head, to: "audit.jsonl.head")
                #expect(try log.check().findings.isEmpty, "cut at \(cut)")
                try log.append(entry(7))
                try log.append(entry(8))
                #expect(try log.check().findings.isEmpty, "cut at \(cut)")
                // What was torn may not be changed either.
                guard cut > before.count + 30, cut < after.count else { continue }
                var bytes = try folder.read("audit.jsonl")
                bytes[before.count + 20] ^= 1
                try write([], folder, tail: String(decoding: bytes, as: UTF8.self))
                #expect(try !log.check().findings.isEmpty, "cut at \(cut)")
            }
        }
    }

    @Test(
        "writers that are stopped in a row before they write the first head leave a log that goes on",
        arguments: [0, 1])
    func firstHead(lost: Int) throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let log = AuditLog(path: folder.path(of: "audit.jsonl"))
            try log.append(entry(0))
            try FileManager.default.removeItem(atPath: folder.path(of: "audit.jsonl.head"))
            try write([], folder, tail: String(decoding: folder.read("audit.jsonl").dropLast(lost), as: UTF8.self))
            // No head can be written there.
            let obstacle = folder.path(of: "audit.jsonl.head.part")
            try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
            for number in 1..<4 { #expect(throws: AuditError.self) { try log.append(entry(number)) } }
            try FileManager.default.removeItem(atPath: obstacle)
            try log.append(entry(4))
            let (entries, findings) = try log.check()
            #expect(entries == 2 && findings.isEmpty)
        }
    }

    @Test("a link, a second name, a folder, or a file that others may write to is not taken for the log")
    func places() throws {
        try TemporaryFolder.with { folder in
            let own = try folder.write("", to: "own")
            chmod(own, 0o600)
            let manager = FileManager.default
            try manager.createSymbolicLink(atPath: folder.path(of: "link"), withDestinationPath: own)
            try manager.linkItem(atPath: own, toPath: folder.path(of: "second"))
            let open = try folder.write("", to: "open")
            chmod(open, 0o622)
            for name in ["link", "second", "open", "."] {
                let error = #expect(throws: AuditError.self) {
                    try AuditLog(path: folder.path(of: name)).append(entry(1))
                }
                #expect([.permission, .cannotCreate].contains(error?.failureKind))
            }
            #expect(try folder.read("own").isEmpty)
        }
    }

    @Test("many writers at once make one chain")
    func writers() async throws {
        try await TemporaryFolder.with { folder in
            let log = AuditLog(path: folder.path(of: "audit.jsonl"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { for number in 0..<9 { try log.append(entry(number)) } } }
                try await group.waitForAll()
            }
            let (entries, findings) = try log.check()
            #expect(entries == 72 && findings.isEmpty)
        }
    }
}
