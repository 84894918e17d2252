import ArgumentParser
import Basics
import Foundation
import Operations
import Settings
import Trips
import UseCases

/// The process of a nightly run: its first and last log line and its metrics file, whatever the end.
struct NightlyProcess {
    let reporting: ReportingSettings
    let verbosity: VerbosityOptions

    /// - Parameter prepare: makes the run from its settings; what is wrong with them ends the run as any other failure does.
    func run(_ prepare: () throws -> (run: NightlyRun, settings: Settings)) throws {
        let started = Date()
        var metricsFile = reporting.metricsFile
        let log = SharedLog(reporting.logFormat, isQuiet: verbosity.quiet)
        log.tell(.runStarted(version: TripKPICommand.version))
        let outcome: NightlyOutcome
        do {
            let (run, settings) = try prepare()
            // `reporting` is empty where the files could not be read at the first try.
            metricsFile = settings.metricsFile
            let bar = verbosity.bar(ScanProgress(unit: .bytes)) { log.tell(.progressed($0)) }
            defer { bar.end() }
            let environment = try StoreCommand.environment(
                of: "run", workers: settings.jobs, progress: bar.progress
            ) { event in bar.around { log.tell(event) } }
            outcome = try run.run(environment) { log.identify($0) }
        } catch let stopped as Stopped {
            log.tell(.runStopped(stopped))
            writeMetrics(nil, to: metricsFile, exitCode: stopped.exitStatus, startedAt: started, log)
            stopped.endProcess()
        } catch {
            let kind = FailureKind(of: error)
            let exitCode = ExitStatus.code(for: kind)
            log.tell(.runFailed(failure: "\(kind)", message: "\(error)", exitCode: exitCode))
            writeMetrics(nil, to: metricsFile, exitCode: exitCode, startedAt: started, log)
            throw ExitCode(exitCode)
        }
        let exitCode = outcome.failure.map(ExitStatus.code(for:)) ?? 0
        log.tell(
            .runFinished(
                exitCode: exitCode, durationMilliseconds: Int(Date().timeIntervalSince(started) * 1000),
                counts: outcome.counts, exports: outcome.exports))
        writeMetrics(outcome, to: metricsFile, exitCode: exitCode, startedAt: started, log)
        if exitCode != 0 { throw ExitCode(exitCode) }
    }

    /// Writes the metrics file, if one is configured. A failure is logged and does not fail the run.
    private func writeMetrics(
        _ outcome: NightlyOutcome?, to path: String?, exitCode: Int32, startedAt: Date, _ log: SharedLog
    ) {
        guard let path else { return }
        let now = Date()
        var metrics = RunMetrics(
            version: TripKPICommand.version, completedAt: UTCTime(now),
            exitCode: exitCode, durationSeconds: now.timeIntervalSince(startedAt))
        if let outcome {
            metrics.counts = outcome.counts
            metrics.exports = outcome.exports
            metrics.secondsByStage = Dictionary(
                outcome.stages.map { ($0.stage, Double($0.milliseconds) / 1000) }, uniquingKeysWith: +)
            metrics.newestDay = outcome.publication?.newestDay
            metrics.freshnessDays = outcome.freshness?.ageDays
            metrics.missingDays = outcome.missingDays?.count ?? 0
            metrics.publishedMonths = outcome.publication?.months ?? 0
            metrics.suppressedCells = outcome.publication?.suppressedCells ?? 0
        }
        do {
            try MetricsFile.write(metrics, to: path)
        } catch {
            log.tell(.metricsFailed("\(error)"))
        }
    }
}
