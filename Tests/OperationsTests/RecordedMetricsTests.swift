import Files
import Operations
import TestSupport
import Testing
import Trips

@Suite struct RecordedMetricsTests {
    private func metrics(exitCode: Int32, newestDay: CivilDay?) -> RunMetrics {
        var metrics = RunMetrics(
            version: "0.1.0", completedAt: UTCTime(secondsSince1970: 1_767_225_600), exitCode: exitCode,
            durationSeconds: 1)
        metrics.exports.loaded = 3
        metrics.exports.failed = 1
        metrics.newestDay = newestDay
        return metrics
    }

    @Test func whatARunWritesIsReadAgain() {
        let day = CivilDay(daysSince1970: 20_453)
        let read = RecordedMetrics(metrics(exitCode: 0, newestDay: day).text(lastSuccess: nil))
        #expect(read.completedAt?.secondsSince1970 == 1_767_225_600 && read.lastSuccess == read.completedAt)
        #expect(read.exitCode == 0 && read.newestTrip?.secondsSince1970 == 20_453 * 86_400 + 43_200)
        #expect(read.exports?.loaded == 3 && read.exports?.failed == 1 && read.exports?.waived == 0)
    }

    /// An alert for old data must not end with the first run that fails.
    @Test func aFailedRunKeepsTheNewestTripOfTheRunBefore() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "tripkpi.prom"), day = CivilDay(daysSince1970: 20_453)
            try MetricsFile.write(metrics(exitCode: 0, newestDay: day), to: path)
            let before = try RecordedMetrics.read(path)
            try MetricsFile.write(metrics(exitCode: 74, newestDay: nil), to: path)
            let after = try RecordedMetrics.read(path)
            #expect(after?.exitCode == 74 && after?.newestTrip != nil && after?.newestTrip == before?.newestTrip)
            // A run that succeeds and finds no trip has none.
            try MetricsFile.write(metrics(exitCode: 0, newestDay: nil), to: path)
            #expect(try RecordedMetrics.read(path)?.newestTrip == nil)
        }
    }

    @Test func anotherFileSaysNothingAndNoFileIsNil() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(
                "tripkpi_last_exit_code x\n\u{0}\ntripkpi_last_success_timestamp_seconds -5\n", to: "a")
            let read = try #require(try RecordedMetrics.read(path))
            #expect(read.completedAt == nil && read.exitCode == nil && read.lastSuccess == nil && read.exports == nil)
            #expect(try RecordedMetrics.read(folder.path(of: "missing")) == nil)
            // A call that fails is no missing file.
            let tooLong = folder.path(of: String(repeating: "n", count: 5000))
            #expect(throws: FileError.self) { try RecordedMetrics.read(tooLong) }
        }
    }
}
