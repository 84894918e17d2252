import Foundation
import TestSupport
import Testing

@Suite struct SnapshotTests {
    @Test func acceptsOnlyTheSameText() throws {
        try TemporaryFolder.with { folder in
            let file = URL(fileURLWithPath: try folder.write("one\ntwo\n", to: "table.txt"))
            #expect(Snapshot.complaint(about: "one\ntwo\n", against: file, recording: false) == nil)
            let complaint = try #require(Snapshot.complaint(about: "one\nzwei\n", against: file, recording: false))
            #expect(complaint.contains("line 2 was:  two"))
            #expect(complaint.contains("line 2 is:   zwei"))
        }
    }

    @Test func aMissingFileIsAComplaint() throws {
        try TemporaryFolder.with { folder in
            let file = folder.url.appendingPathComponent("none.txt")
            #expect(Snapshot.complaint(about: "", against: file, recording: false) != nil)
        }
    }

    @Test func recordingWritesTheFileAndStillComplains() throws {
        try TemporaryFolder.with { folder in
            let file = folder.url.appendingPathComponent("Snapshots/new.txt")
            #expect(Snapshot.complaint(about: "new\n", against: file, recording: true) != nil)
            #expect(Snapshot.complaint(about: "new\n", against: file, recording: false) == nil)
        }
    }
}
