package import Basics
package import Files
package import Trips

#if canImport(Glibc)
package import Glibc
#else
package import Darwin
#endif

/// The metrics of a run for Prometheus' textfile collector, and their text.
///
/// Only base units (seconds, counts), as `promtool check metrics` requires. A count of 0 is written, because a missing
/// series could also mean a broken run. A metric that the run does not have is left out: a run that was stopped or failed has no
/// counts.
package struct RunMetrics: Sendable, Hashable {
    package enum Stage: String, Sendable, CaseIterable {
        case find, load, tally, publish
    }

    package var version: String
    package var completedAt: UTCTime
    package var exitCode: Int32
    package var durationSeconds: Double
    package var secondsByStage: [Stage: Double]?
    package var counts: ReadCounts?
    package var exports: ExportOutcomes?
    /// The newest day with a trip. The file has noon UTC of it: a trip's own time could identify a patient.
    package var newestDay: CivilDay?
    package var freshnessDays: Int?
    package var missingDays: Int?
    package var publishedMonths: Int?
    package var suppressedCells: Int?

    package init(version: String, completedAt: UTCTime, exitCode: Int32, durationSeconds: Double) {
        self.version = version
        self.completedAt = completedAt
        self.exitCode = exitCode
        self.durationSeconds = durationSeconds
    }

    /// The whole text, which ends with a newline.
    ///
    /// - Parameters:
    ///   - lastSuccess: of an earlier run; written if this one failed.
    ///   - newestTrip: the same. An alert for old data would end with the first run that fails, if it were left out.
    package func text(lastSuccess: UTCTime?, newestTrip: UTCTime? = nil) -> String {
        let success = exitCode == 0 ? completedAt : lastSuccess
        let newest =
            newestDay.map { Int($0.daysSince1970) * 86_400 + 43_200 }
            ?? (exitCode == 0 ? nil : newestTrip?.secondsSince1970)
        let rows = counts.map { counts in
            [
                ("read", counts.read), ("added", counts.added), ("updated", counts.updated),
                ("unchanged", counts.unchanged), ("superseded", counts.superseded), ("merged", counts.merged),
                ("skipped", counts.skipped), ("rejected", counts.rejected),
            ]
        }
        let files = exports.map { exports in
            [
                ("loaded", exports.loaded), ("known", exports.known), ("failed", exports.failed),
                ("waived", exports.waived),
            ]
        }
        let stages = secondsByStage.map { seconds in
            Stage.allCases.map { stage in
                MetricFamily.Sample(
                    labels: [("stage", stage.rawValue)], MetricFamily.decimal(seconds[stage] ?? 0))
            }
        }
        let gauges = [
            MetricFamily(
                "last_success_timestamp_seconds", "When a run last ended with exit code 0.", success?.secondsSince1970),
            MetricFamily("last_completion_timestamp_seconds", "When a run last ended.", completedAt.secondsSince1970),
            MetricFamily("last_exit_code", "The exit code of the last run.", Int(exitCode)),
            MetricFamily(
                "run_duration_seconds", "How long the last run took.", .gauge,
                [.init(MetricFamily.decimal(durationSeconds))]),
            MetricFamily(
                "stage_duration_seconds", "How long each stage of the last run took.", .gauge, stages ?? []),
            MetricFamily("rows", "Records of the last run, by what became of them.", "disposition", rows ?? []),
            MetricFamily("exports", "Exports of the last run, by what became of them.", "outcome", files ?? []),
            MetricFamily(
                "newest_trip_timestamp_seconds",
                "Noon, UTC, of the newest day with a trip; after a failed run, as the run before knew it.", newest),
            MetricFamily(
                "newest_trip_age_seconds", "Whole days from the newest trip to the last run, in seconds.",
                freshnessDays.map { $0 * 86_400 }),
            MetricFamily("missing_dates", "Days without any trip among busy ones.", missingDays),
            MetricFamily("published_months", "Months in the published set.", publishedMonths),
            MetricFamily("suppressed_cells", "Hidden cells of the published set.", suppressedCells),
            MetricFamily(
                "build_info", "The version of the program, as a label; the value is always 1.", "version",
                [(RunEventValue.cleaned(version), 1)]),
        ]
        return gauges.map(\.text).joined()
    }
}

/// The file that node_exporter's textfile collector reads: always a whole file, since a rename replaces it.
package enum MetricsFile {
    /// Writes the metrics to `path`, for the owner and the group, as published sets: they have exact counts of records and
    /// trips, which are figures for staff. The collector's user belongs to the group.
    ///
    /// A failed run keeps the time of the last success and the newest trip, which it takes from the file that it replaces.
    package static func write(_ metrics: RunMetrics, to path: String) throws(MetricsFileError) {
        var before = ""
        do throws(FileError) {
            before = String(decoding: try OpenFile(path, for: .read).read(), as: UTF8.self)
        } catch {
            // Without the old file the last success would be lost.
            guard error.isNoFile else { throw MetricsFileError(cause: error) }
        }
        let last = RecordedMetrics(before, now: metrics.completedAt)
        try write(
            metrics.text(lastSuccess: last.lastSuccess, newestTrip: last.newestTrip), to: path, mode: 0o640)
    }

    /// - Parameters:
    ///   - text: of `MetricFamily`.
    ///   - mode: by default for everyone, as for counts of requests.
    package static func write(_ text: String, to path: String, mode: mode_t = 0o644) throws(MetricsFileError) {
        do throws(FileError) {
            // The collector reads names that end in `.prom` only.
            try AtomicFile.write(Array(text.utf8), to: path, part: "\(path).part", mode: mode)
        } catch {
            throw MetricsFileError(cause: error)
        }
    }
}

/// Why the metrics cannot be written. It is reported as a warning: the run itself succeeds.
package struct MetricsFileError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    package let cause: FileError

    package var failureKind: FailureKind { cause.isPermission ? .permission : .inputOutput }

    package var description: String {
        "\(cause.path): the metrics cannot be written (\(cause.reason)); "
            + "check its folder and the space left"
    }
}
