import Files
import Foundation
import TestSupport
import Testing
import Trips

@Suite struct OpenFileTests {
    @Test func aLockIsForOneWriterAndReleasedWithTheFile() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "lock")
            var holder: OpenFile? = try OpenFile(path, for: .update)
            let other = try OpenFile(path, for: .update)
            #expect(try holder?.lockAtOnce(.exclusive) == true)
            #expect(try !other.lockAtOnce(.exclusive) && !other.lockAtOnce(.shared))
            holder = nil
            #expect(try other.lockAtOnce(.shared))
        }
    }

    @Test func bytesAreReadFromAnOffsetAndInPieces() throws {
        try TemporaryFolder.with { folder in
            let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
            let file = try OpenFile(try folder.write(bytes, to: "file"), for: .read)
            #expect(try file.read() == bytes && file.read(from: 2_999_998) == Array(bytes.suffix(2)))
            #expect(try file.read(at: 2_999_999, count: 5).count == 1)
            var pieces: [[UInt8]] = []
            try file.forEachPiece { piece throws(FileError) in pieces.append(piece) }
            #expect(pieces.count == 3 && pieces.flatMap(\.self) == bytes)
        }
    }

    @Test func writesGoOnAfterACut() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write("one two three", to: "file")
            let file = try OpenFile(path, for: .update)
            try file.truncate(to: 4)
            try file.write(Array("four".utf8))
            #expect(try file.read() == Array("one four".utf8))
        }
    }

    @Test func aLinkIsNotFollowedAndAnExistingFileIsNotCreated() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write("one", to: "file")
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(of: "link"), withDestinationPath: path)
            let followed = #expect(throws: FileError.self) { try OpenFile(folder.path(of: "link"), for: .read) }
            #expect(followed?.isSymbolicLink == true && followed?.failureKind == .cannotCreate)
            #expect(throws: FileError.self) { try OpenFile(path, for: .create) }
            #expect(FileStatus(folder.path(of: "link"))?.kind == .symbolicLink)
            #expect(FileStatus(folder.path(of: "link"), followsLinks: true) == FileStatus(path))
        }
    }

    private static let families: [(code: Int32, kind: FailureKind)] = [
        (EACCES, .permission), (EPERM, .permission), (ENOENT, .cannotCreate), (EEXIST, .cannotCreate),
        (ENOSPC, .inputOutput), (0, .inputOutput),
    ]

    @Test(arguments: families)
    func aCodeHasItsFamily(code: Int32, kind: FailureKind) {
        #expect(FileError("x", "be written", code: code).failureKind == kind)
    }
}
