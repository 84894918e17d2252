import ArgumentParser
import Operations
import Pipeline
import Trips

/// Loading as a process: its journal, signals, progress bar and end.
struct LoadConduct {
    let plan: NightlyPlan
    let settings: Settings
    let talk: TalkOptions

    /// - Parameters:
    ///   - command: as others are told who has the lock.
    ///   - inputs: the paths whose bytes the progress bar counts.
    func carryOut(
        _ command: String, inputs: [String],
        _ body: (NightlyPlan, NightlyRun.Surroundings) throws -> NightlyOutcome
    ) throws {
        let stop = StopSignal()
        let progress = ScanProgress(inputs: inputs)
        let bar = ProgressBar(progress, isShown: talk.showsProgress)
        let journal = RunJournal.ofProcess(settings.nightly.logFormat, isQuiet: talk.quiet)
        // A file that failed is told below, by the name that was typed.
        let tell: @Sendable (RunEvent) -> Void = { event in
            if !event.isExportFailure { journal.tell(event) }
        }
        let surroundings = NightlyRun.Surroundings(
            owner: StoreOptions.owner(of: command), tell: tell,
            checkpoint: { try stop.throwIfAsked() }, progress: { progress.reach($0) })
        let outcome: NightlyOutcome
        do {
            defer { bar.end() }
            outcome = try body(plan, surroundings)
        } catch let stopped as Stopped {
            Program.tell("tripkpi: \(stopped)")
            stopped.endProcess()
        }
        for failure in outcome.failures { Program.tell("tripkpi: \(failure.message)") }
        if !talk.quiet {
            Program.tell(outcome.counts.equation)
            if let refusal = outcome.unanswerable { Program.tell("note: \(refusal)") }
        }
        if let failure = outcome.failure { throw ExitStatus.end(failure) }
    }
}
