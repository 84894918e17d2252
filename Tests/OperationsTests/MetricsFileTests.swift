import Basics
import Foundation
import Operations
import TestSupport
import Testing
import Trips

@Suite struct MetricsFileTests {
    private func metrics(exitCode: Int32 = 0, at seconds: Int = 1_767_225_600) -> RunMetrics {
        RunMetrics(
            version: "0.1.0", completedAt: UTCTime(secondsSince1970: seconds), exitCode: exitCode,
            durationSeconds: 12.3456)
    }

    private func value(_ name: String, in text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix("tripkpi_\(name) ") }?.split(separator: " ").last.map(
            String.init)
    }

    /// The golden text, which `Tests/Tools/check_operations.py` also gives to promtool.
    @Test func theTextIsAsPrometheusWantsIt() {
        var metrics = metrics()
        metrics.secondsByStage = [.load: 9.5, .publish: 0.0004]
        var counts = ReadCounts()
        counts.read = 12
        counts.added = 7
        counts.rejected = 5
        metrics.counts = counts
        var exports = ExportOutcomes()
        exports.loaded = 2
        metrics.exports = exports
        metrics.missingDays = 0
        metrics.newestDay = CivilDay(daysSince1970: 20_453)
        metrics.freshnessDays = 1
        metrics.publishedMonths = 24
        metrics.suppressedCells = 3
        Snapshot.expect(metrics.text(lastSuccess: nil), matches: "tripkpi.prom")
    }

    @Test func zerosAreWrittenAndWhatIsNotKnownIsNot() {
        var metrics = metrics()
        metrics.counts = ReadCounts()
        metrics.exports = ExportOutcomes()
        metrics.secondsByStage = [:]
        let text = metrics.text(lastSuccess: nil)
        #expect(text.contains("tripkpi_rows{disposition=\"superseded\"} 0\n"))
        #expect(text.contains("tripkpi_exports{outcome=\"failed\"} 0\n"))
        #expect(text.contains("tripkpi_stage_duration_seconds{stage=\"tally\"} 0.000\n"))
        #expect(!text.contains("newest_trip") && !text.contains("age_seconds"))
        #expect(text.hasSuffix("} 1\n"))
    }

    /// A run that failed before it counted anything has no counts: 0 failed exports would be a claim.
    @Test func aRunWithoutCountsWritesNone() {
        let names = metrics(exitCode: 78).text(lastSuccess: nil).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.prefix { $0 != " " && $0 != "{" } }
        #expect(
            names == [
                "tripkpi_last_completion_timestamp_seconds", "tripkpi_last_exit_code", "tripkpi_run_duration_seconds",
                "tripkpi_build_info",
            ])
    }

    @Test func aFailedRunKeepsTheTimeOfTheLastSuccess() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "tripkpi.prom")
            try MetricsFile.write(metrics(at: 1_000), to: path)
            try MetricsFile.write(metrics(exitCode: 65, at: 2_000), to: path)
            let text = String(decoding: try folder.read("tripkpi.prom"), as: UTF8.self)
            #expect(value("last_success_timestamp_seconds", in: text) == "1000")
            #expect(value("last_completion_timestamp_seconds", in: text) == "2000")
            #expect(value("last_exit_code", in: text) == "65")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(files == ["tripkpi.prom"])
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o640)
        }
    }

    @Test(arguments: [
        "", "garbage", "tripkpi_last_success_timestamp_seconds", "tripkpi_last_success_timestamp_seconds x\n",
        "tripkpi_last_success_timestamp_seconds -1\n", "tripkpi_last_success_timestamp_seconds 99999999999\n",
        "\u{0}\u{FFFD}\n", "# tripkpi_last_success_timestamp_seconds 5\n",
    ])
    func anOldFileThatStatesNoSuccessIsNoHindrance(old: String) throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(old, to: "tripkpi.prom")
            try MetricsFile.write(metrics(exitCode: 74), to: path)
            let text = String(decoding: try folder.read("tripkpi.prom"), as: UTF8.self)
            #expect(value("last_success_timestamp_seconds", in: text) == nil)
            #expect(value("last_exit_code", in: text) == "74")
        }
    }

    @Test func aPlaceThatCannotBeWrittenIsNamedAndNothingIsLeft() throws {
        try TemporaryFolder.with { folder in
            let missing = folder.path(of: "no/tripkpi.prom")
            #expect(throws: MetricsFileError.self) { try MetricsFile.write(metrics(), to: missing) }
            try folder.write("", to: "taken.prom/file")
            let taken = folder.path(of: "taken.prom")
            #expect(throws: MetricsFileError.self) { try MetricsFile.write(metrics(), to: taken) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["taken.prom"])
        }
    }
}
