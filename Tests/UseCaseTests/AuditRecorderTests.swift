import Basics
import Foundation
import Operations
import Reporting
import TestSupport
import Testing

/// What cannot be written down is not done, and what is not done is not claimed.
@Suite struct AuditRecorderTests {
    private struct Failed: Error {}

    private struct Log {
        let folder: TemporaryFolder
        let recorder: AuditRecorder

        /// Of all entries.
        func outcomes() throws -> [String] {
            String(decoding: try folder.read("audit.jsonl"), as: UTF8.self).split(separator: "\n").dropFirst().map {
                $0.contains(#""outcome":"refused""#) ? "refused" : $0.contains("outcome") ? "?" : "done"
            }
        }

        func expect(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
            let found = try outcomes()
            #expect(found == expected, sourceLocation: sourceLocation)
        }
    }

    private func withLog(_ body: (Log) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "audit.jsonl")
            let owner = LockOwner(
                process: 1, host: "h", user: "u", command: "tripkpi test", startedAt: UTCTime(secondsSince1970: 0))
            try body(Log(folder: folder, recorder: AuditRecorder(path: path, owner: owner, tool: "tripkpi test")))
            if FileManager.default.fileExists(atPath: path) {
                #expect(try AuditLog(path: path).check().findings.isEmpty)
            }
        }
    }

    @Test func whatIsDoneHasOneEntryFromBeforeIt() throws {
        try withLog { log in
            let value = try log.recorder.recording(.waive) {
                try log.expect(["done"])
                return 7
            }
            #expect(value == 7)
            try log.expect(["done"])
        }
    }

    @Test func whatFailsHasAnEntryThatSaysSo() throws {
        try withLog { log in
            #expect(throws: Failed.self) { try log.recorder.recording(.publish) { throw Failed() } }
            try log.expect(["done", "refused"])
        }
    }

    @Test func whatMayHaveBeenDoneIsNotCalledRefused() throws {
        try withLog { log in
            #expect(throws: Failed.self) {
                try log.recorder.recording(.publish, isUndone: { false }) { throw Failed() }
            }
            #expect(throws: Failed.self) {
                try log.recorder.recording(.publish, isUndone: { throw CocoaError(.fileReadUnknown) }) {
                    throw Failed()
                }
            }
            try log.expect(["done", "done"])
        }
    }

    @Test func withoutAnEntryNothingIsDone() throws {
        try withLog { log in
            try FileManager.default.createDirectory(atPath: log.recorder.path, withIntermediateDirectories: false)
            var isDone = false
            #expect(throws: AuditError.self) { try log.recorder.recording(.waive) { isDone = true } }
            #expect(!isDone)
            try FileManager.default.removeItem(atPath: log.recorder.path)
        }
    }

    @Test func anAnswerThatFailsBeforeItsFirstByteIsRefused() throws {
        try withLog { log in
            #expect(throws: Failed.self) {
                try log.recorder.recordingInternalUse(.query) { _ in throw Failed() }
            }
            try log.expect(["done", "refused"])
            #expect(throws: Failed.self) {
                try log.recorder.recordingInternalUse(.query) { write in
                    try write([])
                    throw Failed()
                }
            }
            try log.expect(["done", "refused", "done"])
        }
    }
}
