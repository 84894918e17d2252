import Cluster
import ExportBytes
import Reporting
import TestSupport
import Testing
import Trips
import UseCases

/// A scan of an export that is read only once, where its versions cannot be put aside.
@Suite struct TemporaryFolderOfVersionsTests {
    @Test func noTemporaryFolderIsAnErrorThatNamesTheSetting() throws {
        try TemporaryFolder.with { folder in
            let rows = (0..<50).map { ["T\($0 % 40)", "2026-03-01 00:0\($0 % 7):00", "completed", "2026-03-05"] }
            let path = try Kind.utf16.write(
                [["trip_id", "updated_at", "status", "service_date"]] + rows, name: "trips", to: folder)
            var plan = ScanRequest(inputs: [path], rules: try ShippedRules.sample(), workers: 2)
            plan.temporaryFolder = folder.path + "/missing"
            #expect(try ScanRun(plan).run().counts.added == 40)
            plan.versionBytesInMemory = 0
            let error = #expect(throws: ExportError.self) { try ScanRun(plan).run() }
            #expect(error?.kind == .unreadable)
            #expect(error?.remedy.contains("TMPDIR") == true)
            #expect(error?.description.contains("T1") == false)
        }
    }
}
