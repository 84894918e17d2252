import Files
import Foundation
import KPIContract
import Operations
import Publishing
import Reporting
import Rules
import Synchronization
import TestSupport
import Testing
import UseCases

/// What a rollback of several audiences leaves in the audit log when only some of it can be recorded.
@Suite struct RollbackAuditTests {
    /// The second entry cannot be written: the rollback is done for no audience, and the first entry must not claim it.
    @Test func aRollbackThatCannotBeRecordedWholeIsRefused() throws {
        try TemporaryFolder.with { folder in
            let fixture = UseCaseFixture(folder, store: "store.sqlite", rules: try ShippedRules.sample())
            for audience in ["release", "staff"] {
                for id in ["one", "two"] { try publish(id, folder.path(of: "reports/\(audience)")) }
            }
            let log = folder.path(of: "audit.jsonl"), calls = Mutex(0)
            let recorder = AuditRecorder(path: log, owner: UseCaseFixture.owner, tool: UseCaseFixture.tool) {
                let call = calls.withLock { count in
                    count += 1
                    return count
                }
                // In place of the log there is a folder, for the time of the second entry.
                let files = FileManager.default
                if call == 2 {
                    try? files.moveItem(atPath: log, toPath: log + ".away")
                    try? files.createDirectory(atPath: log, withIntermediateDirectories: false)
                } else if call == 3 {
                    try? files.removeItem(atPath: log)
                    try? files.moveItem(atPath: log + ".away", toPath: log)
                }
                return Date(timeIntervalSince1970: 1_775_000_000)
            }
            #expect(throws: AuditError.self) {
                try Rollback(fixture.site, audit: recorder, owner: UseCaseFixture.owner).run(to: nil, audiences: nil)
            }
            for audience in ["release", "staff"] {
                #expect(try PublicationFolder(root: folder.path(of: "reports/\(audience)")).currentID() == "two")
            }
            let entries = String(decoding: try folder.read("audit.jsonl"), as: UTF8.self).split(separator: "\n")
            #expect(entries.dropFirst().map { $0.contains(#""outcome":"refused""#) } == [false, true])
        }
    }

    private func publish(_ id: String, _ root: String) throws {
        try PublicationFolder(root: root).publish(
            PublicationDraft(
                PublicationManifestV1(
                    runId: id, generatedAt: "2026-01-01T00:00:00Z", contractVersion: KPISummaryV1.version,
                    dataThrough: nil, files: [], ledger: String(repeating: "a", count: 64), exports: 1,
                    rules: .init(name: "standard", version: String(repeating: "0", count: 64)), minimumCell: 11,
                    tool: "tripkpi test"),
                files: [.init(name: "kpi-summary.json", mediaType: "application/json", bytes: Array(id.utf8))]))
    }
}
