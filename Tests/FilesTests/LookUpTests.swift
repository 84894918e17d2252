import Files
import Foundation
import TestSupport
import Testing
import Trips

/// What is not there, and what could not be asked for: only the first is nothing.
@Suite struct LookUpTests {
    @Test func onlyAFreeNameIsNothing() throws {
        try TemporaryFolder.with { folder in
            #expect(try FileStatus.lookUp(folder.path(of: "free")) == nil)
            let file = try folder.write("x", to: "file")
            #expect(try FileStatus.lookUp(file)?.kind == .file)
            // Below a file there is nothing.
            #expect(try FileStatus.lookUp(file + "/free") == nil)
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(of: "link"), withDestinationPath: "nowhere")
            let error = #expect(throws: FileError.self) { try FileStatus.lookUp(folder.path(of: "link")) }
            #expect(error?.reason.hasPrefix("it is a link that leads nowhere") == true)
            let long = folder.path(of: String(repeating: "x", count: 300))
            #expect(throws: FileError.self) { try FileStatus.lookUp(long) }
        }
    }

    @Test func theNamesOfAFolderAreAllOrAnError() throws {
        try TemporaryFolder.with { folder in
            #expect(try FolderNames.texts(folder.path(of: "free")).isEmpty)
            let file = try folder.write("x", to: "b")
            try folder.write("x", to: "a")
            try folder.write("x", to: ".hidden")
            #expect(try FolderNames.texts(folder.path) == [".hidden", "a", "b"])
            #expect(try FolderNames.list(folder.path).count == 3)
            #expect(throws: FileError.self) { try FolderNames.texts(file) }
        }
    }

    @Test func aFailureOfTheMachineIsNoneOfThePath() {
        for code in [EIO, ESTALE, EMFILE, ENFILE, ENOMEM, EINTR] {
            #expect(FileError("x", "be read", code: code).isPassing)
            #expect(FileError("x", "be read", code: code).failureKind == .inputOutput)
        }
        for code in [ENOENT, EACCES, ENOTDIR, EROFS, ENOSPC] {
            #expect(!FileError("x", "be read", code: code).isPassing)
        }
    }
}
