import Foundation
import TestSupport
import Testing

@Suite struct TemporaryFolderTests {
    @Test func isPrivateAndGoneAfterwards() throws {
        let path = try TemporaryFolder.with { folder in
            let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o700)
            try folder.write("a,b\n", to: "inner/a.csv")
            #expect(try folder.read("inner/a.csv") == Array("a,b\n".utf8))
            return folder.path
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func isGoneAfterAnError() throws {
        struct Stop: Error {}
        var path = ""
        #expect(throws: Stop.self) {
            try TemporaryFolder.with { folder in
                path = folder.path
                throw Stop()
            }
        }
        #expect(!path.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
