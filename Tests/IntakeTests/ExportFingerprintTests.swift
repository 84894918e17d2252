import ExportBytes
import Files
import Foundation
import Intake
import Keys
import TestSupport
import Testing

@Suite struct ExportFingerprintTests {
    private func failure(_ path: String) -> ExportError? {
        do throws(ExportError) {
            _ = try ExportFingerprint.of(path: path)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20])
    func aFileHasTheHashOfItsBytes(count: Int) throws {
        try TemporaryFolder.with { folder in
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
            let fingerprint = try ExportFingerprint.of(path: try folder.write(bytes, to: "trips.csv"))
            #expect(fingerprint.sha256 == ContentHash.of(bytes))
            #expect(fingerprint.bytes == count)
        }
    }

    @Test func theStatOfAFileStaysAsLongAsTheFileDoes() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write("trip_id,service_date\nT1,2026-03-01\n", to: "trips.csv")
            let fingerprint = try ExportFingerprint.of(path: path)
            #expect(try ExportFileStat.of(path: path) == fingerprint.file)
            #expect(try ExportReader(.init(path: path, profile: nil, textNeeds: [])).fileStat() == fingerprint.file)
            // The same content under a new name is another file with the same hash.
            let copy = try folder.write(try folder.read("trips.csv"), to: "copy.csv")
            #expect(try ExportFingerprint.of(path: copy).sha256 == fingerprint.sha256)
            #expect(try ExportFileStat.of(path: copy) != fingerprint.file)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 7)], ofItemAtPath: path)
            #expect(try ExportFileStat.of(path: path).modifiedNanoseconds == 7_000_000_000)
        }
    }

    @Test func whatIsNoRegularFileIsRefusedWithoutWaiting() throws {
        try TemporaryFolder.with { folder in
            #expect(mkfifo(folder.path(of: "pipe.csv"), 0o600) == 0)
            #expect(failure(folder.path(of: "pipe.csv"))?.kind == .unreadable)
            #expect(failure(folder.path)?.kind == .unreadable)
            #expect(failure(folder.path(of: "gone.csv"))?.kind == .missing)
        }
    }
}
