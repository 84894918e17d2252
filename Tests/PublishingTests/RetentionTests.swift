import Basics
import Foundation
import Publishing
import TestSupport
import Testing

@Suite struct RetentionTests {
    private let ids = ["a", "b", "c", "d", "e"]

    /// Five sets, a day apart by their manifests.
    private func published(_ body: (PublicationFolder, TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with { temporary in
            let folder = PublicationFolder(root: temporary.path)
            for (day, id) in ids.enumerated() {
                try folder.publish(PublicationFixture.draft(id, at: "2026-01-0\(day + 1)T00:00:00Z"))
            }
            try body(folder, temporary)
        }
    }

    private var tomorrow: UTCTime { UTCTime(Date()).advanced(byDays: 1) }

    @Test func theOldestGoAndTheLastStay() throws {
        try published { folder, _ throws in
            #expect(try folder.keep(last: 3, at: "9999", now: tomorrow) == ["b", "a"])
            #expect(try folder.list().map(\.id) == ["e", "d", "c"])
            #expect(try folder.keep(last: 3, at: "9999", now: tomorrow) == [])
        }
    }

    @Test func currentAndPreviousStayHoweverOld() throws {
        try published { folder, _ throws in
            try folder.rollback(to: "b")
            try folder.rollback(to: "a")
            #expect(try folder.keep(last: 0, at: "9999", now: tomorrow) == ["d", "c"])
            #expect(try folder.list().map(\.id) == ["e", "b", "a"])
            #expect(try folder.currentID() == "a")
            #expect(try folder.previousID() == "b")
        }
    }

    @Test func aSetThatAReaderMayStillBeInStays() throws {
        try published { folder, _ throws in
            let now = Int(Date().timeIntervalSince1970)
            #expect(try folder.keep(last: 1, at: "9999", now: UTCTime(secondsSince1970: now)) == [])
            #expect(
                try folder.keep(last: 1, at: "9999", now: UTCTime(secondsSince1970: now + 5), minimumAgeSeconds: 0) == [
                    "c", "b", "a",
                ])
        }
    }

    @Test func aSetThatWasCurrentAMomentAgoIsYoungHoweverLongAgoItWasWritten() throws {
        try published { folder, temporary throws in
            let longAgo = Date(timeIntervalSince1970: 1_000_000)
            for id in ids {
                try FileManager.default.setAttributes(
                    [.modificationDate: longAgo], ofItemAtPath: temporary.path(of: "runs/\(id)"))
            }
            try folder.publish(PublicationFixture.draft("f", at: "2026-02-01T00:00:00Z"))
            try folder.publish(PublicationFixture.draft("g", at: "2026-02-02T00:00:00Z"))
            let now = Int(Date().timeIntervalSince1970)
            #expect(try folder.keep(last: 1, at: "9999", now: UTCTime(secondsSince1970: now)) == ["d", "c", "b", "a"])
            #expect(try folder.list().map(\.id) == ["g", "f", "e"])
        }
    }

    @Test func whatIsNoSetOfOursStays() throws {
        try published { folder, temporary throws in
            try temporary.write("mine", to: "runs/notes/readme.txt")
            try temporary.write("mine", to: "runs/file.txt")
            try FileManager.default.createSymbolicLink(
                atPath: temporary.path(of: "runs/link"), withDestinationPath: "a")
            try folder.keep(last: 1, at: "9999", now: tomorrow)
            let names = try FileManager.default.contentsOfDirectory(atPath: temporary.path(of: "runs")).sorted()
            #expect(names == ["d", "e", "file.txt", "link", "notes"])
        }
    }
}
