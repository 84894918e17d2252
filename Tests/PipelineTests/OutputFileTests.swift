import Foundation
import Pipeline
import TestSupport
import Testing

@Suite struct OutputFileTests {
    @Test func aPublishedFileIsWholeAndForItsOwnerOnly() throws {
        try TemporaryFolder.with { folder in
            try folder.write("old", to: "kpi.csv")
            let file = try OutputFile(folder.path(of: "kpi.csv"))
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
                let file = try OutputFile(folder.path(of: "kpi.csv"))
                try file.append(Array("half".utf8))
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test func linksDevicesAndPipesAreNotReplaced() throws {
        try TemporaryFolder.with { folder in
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(of: "link"), withDestinationPath: folder.path(of: "nowhere"))
            #expect(mkfifo(folder.path(of: "pipe"), 0o600) == 0)
            for path in [folder.path(of: "link"), folder.path(of: "pipe"), "/dev/null", folder.path] {
                let error = #expect(throws: OutputError.self) { try OutputFile.write([1], to: path) }
                #expect(error?.isCreation == true)
            }
        }
    }

    @Test func aFolderThatIsNotThereIsSaidBeforeAnythingIsRead() throws {
        let error = #expect(throws: OutputError.self) { try OutputFile.check("/nonexistent/kpi.csv") }
        #expect(error?.isCreation == true)
        #expect(error?.description.contains("/nonexistent/kpi.csv") == true)
    }
}
