import Files
import Foundation
import TestSupport
import Testing
import Trips

@Suite struct AtomicFileTests {
    @Test func aPublishedFileIsWholeAndForItsOwnerOnly() throws {
        try TemporaryFolder.with { folder in
            try folder.write("old", to: "kpi.csv")
            let file = try AtomicFile(output: folder.path(of: "kpi.csv"))
            try file.append(Array("one ".utf8))
            try file.append(Array("two".utf8))
            #expect(try folder.read("kpi.csv") == Array("old".utf8))
            try file.publish()
            #expect(try folder.read("kpi.csv") == Array("one two".utf8))
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(of: "kpi.csv"))
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["kpi.csv"])
        }
    }

    @Test func aDraftThatIsNotPublishedLeavesNothing() throws {
        try TemporaryFolder.with { folder in
            do {
                let file = try AtomicFile(output: folder.path(of: "kpi.csv"))
                try file.append(Array("half".utf8))
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test func whatKilledProcessesLeftIsRemovedAndAWorkingOneIsNot() throws {
        try TemporaryFolder.with { folder in
            try folder.write("half", to: "kpi.csv.part-4000000")
            try folder.write("kept", to: "kpi.csv.part-mine")
            try folder.write("kept", to: "other.csv.part-4000000")
            let working = try OpenFile(folder.path(of: "kpi.csv.part-4000001"), for: .create)
            #expect(try working.lockAtOnce(.exclusive))
            try AtomicFile.write([1], output: folder.path(of: "kpi.csv"))
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
                    "kpi.csv", "kpi.csv.part-4000001", "kpi.csv.part-mine", "other.csv.part-4000000",
                ])
        }
    }

    @Test func linksDevicesAndPipesAreNotReplaced() throws {
        try TemporaryFolder.with { folder in
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(of: "link"), withDestinationPath: folder.path(of: "nowhere"))
            #expect(mkfifo(folder.path(of: "pipe"), 0o600) == 0)
            for path in [folder.path(of: "link"), folder.path(of: "pipe"), "/dev/null", folder.path] {
                let error = #expect(throws: FileError.self) { try AtomicFile.write([1], output: path) }
                #expect(error?.failureKind == .cannotCreate)
            }
        }
    }

    @Test func aFolderThatIsNotThereIsSaidBeforeAnythingIsRead() throws {
        let error = #expect(throws: FileError.self) { try AtomicFile.check(output: "/nonexistent/kpi.csv") }
        #expect(error?.failureKind == .cannotCreate)
        #expect(error?.description.contains("/nonexistent/kpi.csv") == true)
    }
}
