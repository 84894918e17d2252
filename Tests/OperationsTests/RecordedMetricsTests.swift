import Basics
import Files
import Operations
import TestSupport
import Testing
import Trips

@Suite struct RecordedMetricsTests {
    private static let now = UTCTime(secondsSince1970: 1_767_225_700)

    private func metrics(exitCode: Int32, newestDay: CivilDay?) -> RunMetrics {
        var metrics = RunMetrics(
            version: "0.1.0", completedAt: UTCTime(secondsSince1970: 1_767_225_600), exitCode: exitCode,
            durationSeconds: 1)
        var exports = ExportOutcomes()
        exports.loaded = 3
        exports.failed = 1
        metrics.exports = exports
        metrics.newestDay = newestDay
        return metrics
    }

    @Test func whatARunWritesIsReadAgain() {
        let day = CivilDay(daysSince1970: 20_453)
        let read = RecordedMetrics(metrics(exitCode: 0, newestDay: day).text(lastSuccess: nil), now: Self.now)
        #expect(read.completedAt?.secondsSince1970 == 1_767_225_600 && read.lastSuccess == read.completedAt)
        #expect(read.exitCode == 0 && read.newestTrip?.secondsSince1970 == 20_453 * 86_400 + 43_200)
        #expect(read.exports?.loaded == 3 && read.exports?.failed == 1 && read.exports?.waived == 0)
    }

    /// A clock that was ahead has written them. The newest trip is the noon of its day, which may be later today.
    @Test func timesAfterNowAreDropped() {
        let today = CivilDay(daysSince1970: 20_454)
        let text = metrics(exitCode: 0, newestDay: today).text(lastSuccess: nil)
        let read = RecordedMetrics(text, now: UTCTime(secondsSince1970: 1_767_225_600))
        #expect(read.completedAt != nil && read.lastSuccess != nil && read.newestTrip?.day == today)
        let earlier = RecordedMetrics(text, now: UTCTime(secondsSince1970: 1_767_225_599))
        #expect(earlier.completedAt == nil && earlier.lastSuccess == nil && earlier.newestTrip == nil)
        #expect(earlier.exitCode == 0)
    }

    /// A failed run does not carry a day of the future on.
    @Test func aNewestTripAfterNowIsNotKept() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "tripkpi.prom")
            try MetricsFile.write(metrics(exitCode: 0, newestDay: CivilDay(daysSince1970: 20_460)), to: path)
            try MetricsFile.write(metrics(exitCode: 74, newestDay: nil), to: path)
            #expect(!String(decoding: try folder.read("tripkpi.prom"), as: UTF8.self).contains("newest_trip"))
        }
    }

    /// An alert for old data must not end with the first run that fails.
    @Test func aFailedRunKeepsTheNewestTripOfTheRunBefore() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "tripkpi.prom"), day = CivilDay(daysSince1970: 20_453)
            try MetricsFile.write(metrics(exitCode: 0, newestDay: day), to: path)
            let before = try RecordedMetrics.read(path, now: Self.now)
            try MetricsFile.write(metrics(exitCode: 74, newestDay: nil), to: path)
            let after = try RecordedMetrics.read(path, now: Self.now)
            #expect(after?.exitCode == 74 && after?.newestTrip != nil && after?.newestTrip == before?.newestTrip)
            // A run that succeeds and finds no trip has none.
            try MetricsFile.write(metrics(exitCode: 0, newestDay: nil), to: path)
            #expect(try RecordedMetrics.read(path, now: Self.now)?.newestTrip == nil)
        }
    }

    @Test func anotherFileSaysNothingAndNoFileIsNil() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(
                "tripkpi_last_exit_code x\n\u{0}\ntripkpi_last_success_timestamp_seconds -5\n", to: "a")
            let read = try #require(try RecordedMetrics.read(path, now: Self.now))
            #expect(read.completedAt == nil && read.exitCode == nil && read.lastSuccess == nil && read.exports == nil)
            #expect(try RecordedMetrics.read(folder.path(of: "missing"), now: Self.now) == nil)
            // A call that fails is no missing file.
            let tooLong = folder.path(of: String(repeating: "n", count: 5000))
            #expect(throws: FileError.self) { try RecordedMetrics.read(tooLong, now: Self.now) }
        }
    }
}
