import ArgumentParser
import Foundation
import Nightly
import Operations
import Scans
import Settings
import Synchronization
import Trips

/// A process that changes the store: its log, signals, progress bar, metrics file and exit.
struct StoreCommand {
    /// As the owner of the run lock.
    let command: String
    let settings: Settings
    let verbosity: VerbosityOptions

    /// Runs the body, which SIGINT and SIGTERM stop at its next checkpoint.
    func run<Outcome>(
        progress: ScanProgress? = nil, logsExportFailures: Bool = true,
        _ body: (RunEnvironment) throws -> Outcome
    ) throws -> Outcome {
        let log = SharedLog(settings, isQuiet: verbosity.quiet)
        let environment = try environment(log, progress: progress) { event in
            if logsExportFailures || !event.isExportFailure { log.tell(event) }
        }
        guard let progress else { return try body(environment) }
        return try verbosity.showing(progress) { _ in try body(environment) }
    }

    /// Loads exports, then prints what was loaded. A failed export is printed by the name on the command line.
    func load(inputs: [String], _ body: (RunEnvironment) throws -> NightlyOutcome) throws {
        let outcome = try run(progress: ScanProgress(inputs: inputs), logsExportFailures: false, body)
        for failure in outcome.failures { Program.tell("tripkpi: \(failure.message)") }
        verbosity.tell([outcome.counts.equation] + (outcome.needingReplay.map { ["note: \($0)"] } ?? []))
        if let failure = outcome.failure { throw ExitStatus.end(failure) }
    }

    /// The nightly run, with its first and last log line and its metrics file.
    func runNightly(_ run: NightlyRun) throws {
        let started = Date()
        let log = SharedLog(settings, isQuiet: verbosity.quiet)
        log.tell(.runStarted(version: TripKPICommand.version))
        let environment = try environment(log) { log.tell($0) }
        let outcome: NightlyOutcome
        do {
            outcome = try run.run(environment) { log.identify($0) }
        } catch let stopped as Stopped {
            log.tell(.runStopped(stopped))
            stopped.endProcess()
        } catch {
            let kind = FailureKind(of: error)
            let exitCode = ExitStatus.code(for: kind)
            log.tell(.runFailed(failure: "\(kind)", message: "\(error)", exitCode: exitCode))
            writeMetrics(nil, exitCode: exitCode, startedAt: started, log)
            throw ExitCode(exitCode)
        }
        let exitCode = outcome.failure.map(ExitStatus.code(for:)) ?? 0
        log.tell(
            .runFinished(
                exitCode: exitCode, durationMilliseconds: Int(Date().timeIntervalSince(started) * 1000),
                counts: outcome.counts, exports: outcome.exports))
        writeMetrics(outcome, exitCode: exitCode, startedAt: started, log)
        if exitCode != 0 { throw ExitCode(exitCode) }
    }

    /// Prints what a load or a run would do, for a dry run.
    static func say(_ forecast: NightlyForecast.Answer) throws {
        try Program.say(forecast.lines)
        if let failure = forecast.failure { throw ExitStatus.end(failure) }
    }

    private func environment(
        _ log: SharedLog, progress: ScanProgress? = nil, tell: @escaping @Sendable (RunEvent) -> Void
    ) throws -> RunEnvironment {
        let stop = StopSignal()
        return RunEnvironment(
            owner: Program.owner(of: command), tool: Program.tool, generatedAt: try Program.generatedAt(),
            workers: settings.jobs, tell: tell, checkpoint: { try stop.throwIfAsked() },
            progress: { progress?.reach($0) })
    }

    /// Writes the metrics file, if one is configured. A failure is logged and does not fail the run.
    private func writeMetrics(_ outcome: NightlyOutcome?, exitCode: Int32, startedAt: Date, _ log: SharedLog) {
        guard let path = settings.metricsFile else { return }
        let now = Date()
        var metrics = RunMetrics(
            version: TripKPICommand.version, completedAt: UTCTime(secondsSince1970: Int(now.timeIntervalSince1970)),
            exitCode: exitCode, durationSeconds: now.timeIntervalSince(startedAt))
        if let outcome {
            metrics.counts = outcome.counts
            metrics.exports = outcome.exports
            for (stage, milliseconds) in outcome.stages {
                metrics.secondsByStage[stage, default: 0] += Double(milliseconds) / 1000
            }
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

/// The log on standard error. Its lines carry the run's id as soon as it is known.
private final class SharedLog: Sendable {
    private let journal: Mutex<RunJournal>

    init(_ settings: Settings, isQuiet: Bool) {
        journal = Mutex(
            RunJournal(
                format: settings.logFormat, isForJournald: ProcessInfo.processInfo.environment["JOURNAL_STREAM"] != nil,
                isQuiet: isQuiet, clock: { UTCTime(secondsSince1970: Int(Date().timeIntervalSince1970)) },
                sink: { Program.tell($0) }))
    }

    func tell(_ event: RunEvent) { journal.withLock { $0.tell(event) } }

    func identify(_ runID: String) { journal.withLock { $0.runID = runID } }
}
