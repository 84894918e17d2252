import ArgumentParser
import Pipeline

/// The program: its commands, and the one place where an error ends it.
@main
struct TripKPICommand: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "tripkpi",
        abstract: "Turns ambulance-trip exports into monthly KPIs, with no patient in them.",
        discussion: ExitStatus.explanation,
        version: version,
        subcommands: [
            RunCommand.self, LoadCommand.self, PublishCommand.self, VerifyCommand.self, QueryCommand.self,
            ScanCommand.self, ReportCommand.self, CostsCommand.self, TripsCommand.self, ClassifyCommand.self,
            QuarantineCommand.self,
            MapCommand.self, SampleCommand.self, SchemaCommand.self,
            ReidentifyCommand.self, CrosswalkCommand.self, KeyCommand.self, DoctorCommand.self,
        ])

    static func main() async {
        ProcessSetup.begin()
        var command: any ParsableCommand
        do {
            command = try parseAsRoot()
        } catch {
            endParsing(with: error)
        }
        do {
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error, of: type(of: command))
        }
    }

    /// The parser quotes what it does not understand; where that may be a trip's id, it is left out.
    private static func endParsing(with error: any Error) -> Never {
        let mayHoldID = !Set(CommandLine.arguments).isDisjoint(with: ["classify", "explain"])
        guard mayHoldID, exitCode(for: error) == .validationFailure else { end(byParser: error, of: self) }
        Program.tell("Error: wrong arguments; they are not repeated here, since one may be a trip's id")
        let asksAboutOne = CommandLine.arguments.contains("explain")
        Program.tell(
            asksAboutOne
                ? usageString(for: ClassifyCommand.Explain.self) : usageString(for: ClassifyCommand.Apply.self))
        exit(withError: ExitStatus.end(.usage))
    }

    /// As the parser ends a command, but what it repeats of the arguments is fit for a terminal.
    private static func end(byParser error: any Error, of command: any ParsableCommand.Type) -> Never {
        let code = command.exitCode(for: error)
        // Help and version go to standard output.
        if code.isSuccess { command.exit(withError: error) }
        let message = command.fullMessage(for: error)
        if !message.isEmpty { Program.tell(message) }
        command.exit(withError: code)
    }

    private static func end(with error: any Error, of command: any ParsableCommand.Type) -> Never {
        // The parser knows its own ends (help, version, wrong usage) and answers 1 for an error that is not its own.
        if error is ExitCode || command.exitCode(for: error) != .failure { end(byParser: error, of: command) }
        Program.tell("tripkpi: \(error)")
        ProcessSetup.endIfStopped(by: error)
        command.exit(withError: ExitStatus.end(FailureKind(of: error)))
    }
}
