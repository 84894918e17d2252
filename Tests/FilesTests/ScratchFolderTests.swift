import Files
import Foundation
import TestSupport
import Testing
import Trips

@Suite struct ScratchFolderTests {
    private func names(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func aFolderInUseIsNoLeftover() throws {
        try TemporaryFolder.with { folder in
            let used = try ScratchFolder(in: folder.path, for: .restore)
            try folder.write("", to: ".tripkpi-restore-0123456789abcdef/lock")
            try folder.write("rows", to: ".tripkpi-restore-0123456789abcdef/store.sqlite")
            let left = folder.path(of: ".tripkpi-restore-0123456789abcdef")
            #expect(try ScratchFolder.unused(in: folder.path) == [left])
            try ScratchFolder.removeLeftovers(in: folder.path, [.backup, .releases])
            #expect(try names(folder).count == 2)
            try ScratchFolder.removeLeftovers(in: folder.path, [.restore])
            #expect(try names(folder) == [FilePath.name(of: used.path)])
            #expect(try ScratchFolder.unused(in: folder.path).isEmpty)
            withExtendedLifetime(used) {}
        }
    }

    @Test func withoutHardLinksNothingIsBegun() throws {
        try TemporaryFolder.with { folder in
            let scratch = try ScratchFolder(in: folder.path, for: .backup)
            try scratch.requireHardLinks(for: "backup.tar", remedy: "copy it")
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["lock"])
            let error = #expect(throws: FileError.self) {
                try scratch.requireHardLinks(for: "backup.tar", remedy: "copy it") { _, _ in
                    // What FAT answers. By itself it would be taken for a matter of rights.
                    errno = EPERM
                    return -1
                }
            }
            #expect(
                error?.description
                    == "backup.tar: cannot be written (its file system has no hard links); copy it")
            #expect(error?.failureKind == .inputOutput)
        }
    }

    @Test func errorsAboutADraftNameTheResult() throws {
        try TemporaryFolder.with { folder in
            let missing = #expect(throws: FileError.self) {
                try ScratchFolder(in: folder.path(of: "missing"), for: .backup)
            }
            #expect(missing?.path == folder.path(of: "missing"))
            let scratch = try ScratchFolder(in: folder.path, for: .backup)
            let error = #expect(throws: FileError.self) {
                try scratch.reporting(as: "backup.tar") {
                    throw FileError(scratch.path + "/store.sqlite", "be written", code: ENOSPC)
                }
            }
            #expect(error?.path == "backup.tar" && error?.isFull == true)
            #expect(throws: FileError("other", "be read", code: EIO)) {
                try scratch.reporting(as: "backup.tar") { throw FileError("other", "be read", code: EIO) }
            }
        }
    }
}
