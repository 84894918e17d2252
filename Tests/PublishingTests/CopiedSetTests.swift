import Foundation
import Publishing
import TestSupport
import Testing

@Suite struct CopiedSetTests {
    private func published(_ body: (PublicationFolder) throws -> Void) throws {
        try TemporaryFolder.with(inMemory: true) { temporary in
            let folder = PublicationFolder(root: temporary.path)
            for id in ["one", "two"] { try folder.publish(PublicationFixture.draft(id)) }
            try body(folder)
        }
    }

    @Test func theCurrentSetComesWithItsHold() throws {
        try published { folder in
            #expect(try folder.openCurrent()?.id == "two" && folder.openCurrent()?.heldSince == nil)
            try folder.hold("two", at: "2026-01-02T00:00:00Z")
            let set = try #require(try folder.openCurrent())
            #expect(set.id == "two" && set.heldSince == "2026-01-02T00:00:00Z")
            #expect(set.files.map(\.name) == ["kpi-cells.csv", "kpi-summary.json", "manifest.json"])
        }
    }

    /// `publish --rollback --hold` was killed between the hold and the link.
    @Test func aSetThatIsAboutToBeHeldCounts() throws {
        try published { folder in
            try folder.hold("one", at: "2026-01-02T00:00:00Z")
            #expect(try folder.openCurrent()?.id == "one")
            // What is gone cannot be held.
            try FileManager.default.removeItem(atPath: folder.root + "/runs/one")
            #expect(try folder.openCurrent()?.id == "two")
        }
    }

    /// Only `one` is ever held, and it always is while it is current.
    @Test func setAndHoldAreOfOneMoment() throws {
        try published { folder in
            let persons = DispatchGroup()
            DispatchQueue.global().async(group: persons) {
                do {
                    // Slow enough that a busy machine sees no two turns in one reading.
                    for _ in 0..<30 {
                        try folder.hold("one", at: "2026-01-02T00:00:00Z")
                        usleep(20_000)
                        try folder.makeCurrent("one")
                        usleep(20_000)
                        try folder.makeCurrent("two")
                        try folder.resume()
                        usleep(20_000)
                    }
                } catch { Issue.record(error) }
            }
            var seen: Set<String> = [], mixed = 0
            while persons.wait(timeout: .now()) == .timedOut {
                let set = try #require(try folder.openCurrent())
                seen.insert(set.id)
                if (set.id == "one") != (set.heldSince != nil) { mixed += 1 }
            }
            #expect(mixed == 0 && seen == ["one", "two"], "\(mixed) mixed of \(seen)")
        }
    }
}
