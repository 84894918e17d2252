import ExportBytes
import Foundation
import Intake
import TestSupport
import Testing
import Trips

/// An export that is changed while it is read is an error of that file, however it is changed.
@Suite struct ChangingExportTests {
    private static let text = "trip_id,service_date,cost\nT1,2026-03-01,10.00\nT2,2026-03-02,20.00\n"

    private func failure(_ body: () throws(ExportError) -> Void) -> ExportError.Kind? {
        do throws(ExportError) {
            try body()
            return nil
        } catch {
            return error.kind
        }
    }

    private func open(_ path: String) throws -> ExportReader {
        try ExportReader(.init(path: path, profile: nil, textNeeds: []))
    }

    /// Changes bytes in place: same file, same size.
    private func overwrite(_ path: String, with text: String, at offset: UInt64 = 0) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    @Test(arguments: ["truncated", "appended", "overwritten", "replaced", "removed", "set back"])
    func everyChangeIsSeenEvenRightAfterTheFileWasWritten(change: String) throws {
        try TemporaryFolder.with { folder in
            for round in 0..<20 {
                let path = try folder.write(Self.text, to: "trips\(round).csv")
                let reader = try open(path)
                #expect(failure { () throws(ExportError) in try reader.checkUnchanged() } == nil)
                let times = try FileManager.default.attributesOfItem(atPath: path)
                switch change {
                case "truncated": #expect(truncate(path, 50) == 0)
                case "appended": try overwrite(path, with: "T3,2026-03-03,1.00\n", at: UInt64(Self.text.utf8.count))
                case "overwritten": try overwrite(path, with: "trip_id,service_date,cost\nT9")
                case "replaced":
                    let other = try folder.write(Self.text, to: "other.csv")
                    #expect(rename(other, path) == 0)
                case "removed": #expect(unlink(path) == 0)
                default:
                    try overwrite(path, with: "trip_id,service_date,cost\nT9")
                    let date = try #require(times[.modificationDate] as? Date)
                    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
                }
                #expect(failure { () throws(ExportError) in try reader.checkUnchanged() } == .changing)
            }
        }
    }

    @Test(arguments: ["T1\n2026-03-01,10.00\nT", "T1,\"26-03-01,10.00\nT", "T1,2026-03-0110.00,,,,", ""])
    func aRecordThatIsNoneAnyMoreIsNotReadAgain(row: String) throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(Self.text, to: "trips.csv")
            let rereader = RecordRereader(try open(path))
            #expect(try rereader.load([26, 46]) == 2)
            if row.isEmpty {
                #expect(truncate(path, 30) == 0)
            } else {
                try overwrite(path, with: row, at: 26)
            }
            #expect(failure { () throws(ExportError) in _ = try rereader.load([26, 46]) } == .changing)
        }
    }

    @Test func aRecordThatIsNoTripAnyMoreIsNotTakenOut() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(Self.text, to: "trips.csv")
            let rereader = RecordRereader(try open(path))
            try overwrite(path, with: "  ,9999999999,10.00", at: 26)
            #expect(try rereader.load([26]) == 1)
            var batch = rereader.makeBatch()
            #expect(failure { () throws(ExportError) in try rereader.decode(into: &batch) } == .changing)
        }
    }

    @Test func aFileThatWasPutAsideIsOpenedAgainOnlyIfItIsTheSame() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(Self.text, to: "trips.csv")
            let reader = try open(path)
            reader.close()
            let rereader = RecordRereader(reader)
            #expect(try rereader.load([26]) == 1)
            reader.close()
            #expect(rename(try folder.write(Self.text, to: "other.csv"), path) == 0)
            #expect(failure { () throws(ExportError) in _ = try rereader.load([26]) } == .changing)
        }
    }

    /// A named pipe without a writer: opening it in the ordinary way would wait for ever.
    @Test(.timeLimit(.minutes(1))) func aPipeInTheFilesPlaceIsRefusedAndNotWaitedFor() throws {
        try TemporaryFolder.with { folder in
            let pipe = folder.path(of: "trips.csv")
            #expect(mkfifo(pipe, 0o600) == 0)
            var request = ExportReader.Request(path: pipe, profile: nil, textNeeds: [])
            request.mustBeRegular = true
            let regular = request
            #expect(failure { () throws(ExportError) in _ = try ExportReader(regular) } == .unreadable)
            #expect(failure { () throws(ExportError) in _ = try ExportFingerprint.of(path: pipe) } == .unreadable)
            let path = try folder.write(Self.text, to: "other.csv")
            let reader = try open(path)
            let rereader = RecordRereader(reader)
            reader.close()
            #expect(rename(pipe, path) == 0)
            #expect(failure { () throws(ExportError) in _ = try rereader.load([26]) } == .changing)
        }
    }

    /// The writer comes late, writes in parts and leaves; none of it is lost.
    @Test(.timeLimit(.minutes(1))) func aPipeThatIsWantedIsReadToItsEnd() throws {
        try TemporaryFolder.with { folder in
            let pipe = folder.path(of: "trips.csv")
            #expect(mkfifo(pipe, 0o600) == 0)
            Thread {
                usleep(50_000)
                let handle = FileHandle(forWritingAtPath: pipe)
                for line in Self.text.split(separator: "\n", omittingEmptySubsequences: true) {
                    usleep(20_000)
                    try? handle?.write(contentsOf: Data((line + "\n").utf8))
                }
                try? handle?.close()
            }.start()
            let worker = try open(pipe).makeWorker()
            var batch = worker.makeBatch(hasVersions: false)
            var trips = 0
            while try worker.next(into: &batch) { trips += batch.count }
            #expect(trips == 2)
        }
    }
}
