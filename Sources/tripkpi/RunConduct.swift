import ArgumentParser
import Foundation
import Operations
import Pipeline
import Synchronization
import Trips

/// A nightly run as a process: its journal, signals, metrics and end.
struct RunConduct {
    let plan: NightlyPlan
    let settings: Settings
    let talk: TalkOptions

    func carryOut() throws {
        let started = Date()
        let journal = SharedJournal(.ofProcess(settings.nightly.logFormat, isQuiet: talk.quiet))
        let stop = StopSignal()
        journal.tell(.runStarted(version: TripKPICommand.version))
        var surroundings = NightlyRun.Surroundings(
            owner: StoreOptions.owner(of: "run"), tell: { journal.tell($0) }, checkpoint: { try stop.throwIfAsked() })
        surroundings.identify = { journal.identify($0) }
        do {
            let outcome = try NightlyRun(plan, surroundings).run()
            let exitCode = outcome.failure.map(ExitStatus.code(for:)) ?? 0
            let milliseconds = Int(Date().timeIntervalSince(started) * 1000)
            journal.tell(
                .runFinished(
                    exitCode: exitCode, durationMilliseconds: milliseconds, counts: outcome.counts,
                    exports: outcome.exports))
            write(outcome, exitCode: exitCode, startedAt: started, journal)
            if exitCode != 0 { throw ExitCode(exitCode) }
        } catch let stopped as Stopped {
            journal.tell(.runStopped(stopped))
            stopped.endProcess()
        } catch let error as ExitCode {
            throw error
        } catch {
            let kind = FailureKind(of: error)
            let exitCode = ExitStatus.code(for: kind)
            journal.tell(.runFailed(failure: "\(kind)", message: "\(error)", exitCode: exitCode))
            write(nil, exitCode: exitCode, startedAt: started, journal)
            throw ExitCode(exitCode)
        }
    }

    /// Writes the metrics file, if there is to be one. A run is not worse for it: what goes wrong is told.
    private func write(_ outcome: NightlyOutcome?, exitCode: Int32, startedAt: Date, _ journal: SharedJournal) {
        guard let path = settings.nightly.metricsFile else { return }
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
            journal.tell(.metricsFailed("\(error)"))
        }
    }
}

/// The journal, whose lines carry the run's id from the moment it is known.
private final class SharedJournal: Sendable {
    private let journal: Mutex<RunJournal>

    init(_ journal: RunJournal) { self.journal = Mutex(journal) }

    func tell(_ event: RunEvent) { journal.withLock { $0.tell(event) } }

    func identify(_ runID: String) { journal.withLock { $0.runID = runID } }
}

extension RunJournal {
    /// The journal of this process, on standard error.
    static func ofProcess(_ format: Format, isQuiet: Bool) -> RunJournal {
        RunJournal(
            format: format, isForJournald: ProcessInfo.processInfo.environment["JOURNAL_STREAM"] != nil,
            isQuiet: isQuiet, clock: { UTCTime(secondsSince1970: Int(Date().timeIntervalSince1970)) },
            sink: { Program.tell($0) })
    }
}
