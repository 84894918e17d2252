import ArgumentParser
import Foundation
import Operations
import Pipeline

/// A nightly run as a process: its journal, signals, metrics and end.
struct RunConduct {
    let plan: NightlyPlan
    let settings: Settings
    let talk: TalkOptions

    func carryOut() throws {
        let started = Date()
        let journal = RunJournal(
            format: settings.logFormat, isQuiet: talk.quiet, environment: ProcessInfo.processInfo.environment,
            now: { UTCTime(secondsSince1970: Int(Date().timeIntervalSince1970)) }, sink: { Program.tell($0) })
        let stop = StopSignal()
        journal.tell(.runStarted(version: TripKPICommand.version))
        let surroundings = NightlyRun.Surroundings(
            owner: StoreOptions.owner(of: "run"), tell: { journal.tell($0) }, checkpoint: { try stop.throwIfAsked() })
        do {
            let outcome = try NightlyRun(plan, surroundings).run()
            let exitCode = outcome.failure.map(ExitStatus.code(for:)) ?? 0
            for failure in outcome.failures { Program.tell("tripkpi: \(failure.message)") }
            let milliseconds = Int(Date().timeIntervalSince(started) * 1000)
            journal.tell(
                .runFinished(
                    exitCode: exitCode, durationMilliseconds: milliseconds, counts: outcome.counts,
                    exports: outcome.exports))
            try write(RunMetrics(outcome, exitCode: exitCode, startedAt: started))
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
            try? write(RunMetrics(failedWith: exitCode, startedAt: started))
            throw ExitCode(exitCode)
        }
    }
}
