import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Whatever is in the inbox, the other exports are loaded, and the run ends with 65.
@Suite struct InboxFaultTests {
    private func run(_ words: [String], in folder: TemporaryFolder) throws -> CommandResult {
        try CommandFixture().run(words, in: folder.url)
    }

    /// A good export and the files of the closure.
    private func check(
        _ text: String, _ put: (_ inbox: String, TemporaryFolder) throws -> Void
    ) throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(40), to: "inbox/good.csv")
            try put(folder.path(of: "inbox"), folder)
            let dry = try run(["run", "--dry-run"], in: folder)
            #expect(dry.status == 65, "\(dry.stdoutText)\(dry.stderrText)")
            #expect(dry.stdoutText.contains("cannot load ") && dry.stdoutText.contains(text), "\(dry.stdoutText)")
            let result = try run(["run"], in: folder)
            #expect(result.status == 65, "\(result.stderrText)")
            #expect(result.stderrText.contains(text), "\(result.stderrText)")
            let count = try run(
                ["query", "--internal", "--format", "csv", "--sql", "SELECT COUNT(*) AS trips FROM stg_trips"],
                in: folder)
            #expect(count.stdoutText.contains(",40"), "\(count.stdoutText)\(count.stderrText)")
        }
    }

    @Test func aSubfolderThatIsNoProfileIsAFailedExport() throws {
        try check("there is no such profile") { _, folder in
            try folder.write(CommandFixture.trips(40, beginningAt: 100), to: "inbox/nobody/other.csv")
        }
    }

    @Test func aLinkToNothingIsAFailedExport() throws {
        try check("no such file") { inbox, _ in #expect(symlink("nowhere", inbox + "/link.csv") == 0) }
    }

    @Test func aPipeIsAFailedExport() throws {
        try check("it is not a regular file") { inbox, _ in #expect(mkfifo(inbox + "/pipe.csv", 0o600) == 0) }
    }

    @Test func aDeviceIsAFailedExport() throws {
        try check("it is not a regular file") { inbox, _ in #expect(symlink("/dev/zero", inbox + "/device.csv") == 0) }
    }

    @Test func aSubfolderWhoseNameIsNotUTF8IsAFailedExport() throws {
        try check("its name is not UTF-8") { inbox, _ in
            let path = (Array((inbox + "/b").utf8) + [0xE9, 0]).map { CChar(bitPattern: $0) }
            #expect(mkdir(path, 0o700) == 0)
        }
    }

    /// `cp -p` of a corrected export over the same name: nothing but the time of the last change tells.
    @Test func aCorrectedExportOfTheSameSizeAndTimeIsRead() throws {
        try TemporaryFolder.with { folder in
            let text = CommandFixture.trips(40)
            let path = try folder.write(text, to: "inbox/trips.csv")
            var before = stat()
            #expect(stat(path, &before) == 0)
            #expect(try run(["run"], in: folder).status == 0)
            let corrected = text.replacing(",100.00", with: ",300.00", maxReplacements: 3)
            #expect(corrected.utf8.count == text.utf8.count && corrected != text)
            // In place: the number of the file stays.
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.write(contentsOf: Data(corrected.utf8))
            try file.close()
            #expect(utimensat(AT_FDCWD, path, [before.st_atim, before.st_mtim], 0) == 0)
            var after = stat()
            #expect(stat(path, &after) == 0)
            #expect(after.st_ino == before.st_ino && after.st_mtim.tv_nsec == before.st_mtim.tv_nsec)
            let result = try run(["run"], in: folder)
            #expect(result.status == 0 && !result.stderrText.contains("known by its content"), "\(result.stderrText)")
            let count = try run(
                ["query", "--internal", "--format", "csv", "--sql", "SELECT COUNT(*) AS exports FROM stg_exports"],
                in: folder)
            #expect(count.stdoutText.contains(",2"), "\(count.stdoutText)\(count.stderrText)")
        }
    }

    @Test func aNameThatIsNotUTF8IsAFailedExportThatSaysWhy() throws {
        try check("its name is not UTF-8") { inbox, _ in
            let path = Array((inbox + "/b").utf8) + [0xE9, 0x2E] + Array("csv".utf8) + [0]
            let file = open(path.map { CChar(bitPattern: $0) }, O_CREAT | O_WRONLY, 0o600)
            #expect(file >= 0)
            close(file)
        }
    }
}
