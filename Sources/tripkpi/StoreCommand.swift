import ArgumentParser
import Cluster
import Foundation
import Operations
import Reporting
import Settings
import Trips
import UseCases

/// A process that changes the store: its log, signals, progress and exit.
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
        let log = SharedLog(settings.logFormat, isQuiet: verbosity.quiet)
        let bar = progress.map { verbosity.bar($0) { log.tell(.progressed($0)) } }
        defer { bar?.end() }
        let environment = try Self.environment(of: command, workers: settings.jobs, progress: progress) { event in
            guard logsExportFailures || !event.isExportFailure else { return }
            if let bar { bar.around { log.tell(event) } } else { log.tell(event) }
        }
        return try body(environment)
    }

    /// Loads exports, then prints what was loaded. A failed export is printed by the name on the command line.
    func load(inputs: [String], _ body: (RunEnvironment) throws -> NightlyOutcome) throws {
        let outcome = try run(progress: ScanProgress(inputs: inputs), logsExportFailures: false, body)
        for failure in outcome.failures { Program.tell("tripkpi: \(failure.message)") }
        verbosity.tell([outcome.counts.equation] + (outcome.needingReplay.map { ["note: \($0)"] } ?? []))
        if let failure = outcome.failure { throw ExitStatus.end(failure) }
    }

    /// Prints what a load or a run would do, for a dry run.
    static func say(_ forecast: NightlyForecast.Answer) throws {
        try Program.say(forecast.lines)
        if let failure = forecast.failure { throw ExitStatus.end(failure) }
    }

    /// - Parameter progress: told what is read, and what became of each export.
    static func environment(
        of command: String, workers: Int, progress: ScanProgress?, tell: @escaping @Sendable (RunEvent) -> Void
    ) throws -> RunEnvironment {
        let stop = StopSignal()
        return RunEnvironment(
            owner: Program.owner(of: command), tool: Program.tool, generatedAt: try Program.generatedAt(),
            workers: workers, temporaryFolder: Program.temporaryFolder,
            tell: { event in
                if event.endsExport { progress?.finish(bytes: nil) }
                tell(event)
            }, checkpoint: { try stop.throwIfAsked() }, progress: { progress?.reach($0) })
    }
}
