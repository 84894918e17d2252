import ArgumentParser
import Operations
import Trips
import UseCases

/// The program: its commands, and the one place where an error ends it.
@main
struct TripKPICommand: ParsableCommand {
    static let version = ToolVersion.text

    static let configuration = CommandConfiguration(
        commandName: "tripkpi",
        abstract: "Turns ambulance-trip exports into monthly KPIs without patient data.",
        discussion: ExitStatus.explanation,
        version: version,
        groupedSubcommands: [
            CommandGroup(
                name: "Analysis",
                subcommands: [
                    ScanCommand.self, ReportCommand.self, CostsCommand.self,
                    TripsCommand.self, FactsCommand.self, TallyCommand.self, MergeCommand.self,
                    QueryCommand.self,
                ]),
            CommandGroup(
                name: "Nightly Run",
                subcommands: [
                    RunCommand.self, LoadCommand.self, PublishCommand.self, PurgeCommand.self,
                    VerifyCommand.self, AuditCommand.self, QuarantineCommand.self, DoctorCommand.self,
                    DigestCommand.self, ServeCommand.self, BackupCommand.self, RestoreCommand.self,
                ]),
            CommandGroup(
                name: "Source and Rule",
                subcommands: [
                    MapCommand.self, ClassifyCommand.self, SchemaCommand.self,
                    SampleCommand.self,
                ]),
            CommandGroup(
                name: "Identifier", subcommands: [KeyCommand.self, CrosswalkCommand.self, ReidentifyCommand.self]),
        ])

    static func main() {
        ProcessSetup.begin()
        // Swift takes the arguments from /proc. Without them each command would print the help and end with 0.
        guard !CommandLine.arguments.isEmpty else {
            Program.tell("Error: the system does not tell the arguments of this program; mount /proc")
            exit(withError: ExitStatus.end(.inputOutput))
        }
        var command: any ParsableCommand
        do {
            command = try parseAsRoot()
        } catch {
            endParsing(with: error)
        }
        do {
            try command.run()
        } catch {
            end(with: error, of: type(of: command))
        }
    }

    /// The parser quotes arguments that it does not know. Where one may be a trip's id, none is printed.
    private static func endParsing(with error: any Error) -> Never {
        let mayHoldID = !Set(CommandLine.arguments).isDisjoint(with: ["classify", "explain"])
        guard mayHoldID, exitCode(for: error) == .validationFailure else {
            end(byParser: error, of: self, hint: CommandSuggestion(for: CommandLine.arguments.dropFirst(), of: self))
        }
        Program.tell("Error: wrong arguments; they are not repeated here, since one may be a trip's id")
        Program.tell(
            CommandLine.arguments.contains("explain")
                ? usageString(for: ClassifyCommand.Explain.self) : usageString(for: ClassifyCommand.Apply.self))
        exit(withError: ExitStatus.end(.usage))
    }

    /// Ends as the parser ends a command, but with the repeated arguments escaped for a terminal.
    ///
    /// - Parameter hint: the command that was probably meant.
    private static func end(
        byParser error: any Error, of command: any ParsableCommand.Type, hint: CommandSuggestion? = nil
    ) -> Never {
        let code = command.exitCode(for: error)
        let message = command.fullMessage(for: error)
        if code.isSuccess {
            // Help and version go to standard output, which may be a full disk.
            do { try Program.say([message]) } catch {
                Program.tell("tripkpi: \(error)")
                command.exit(withError: ExitStatus.end(FailureKind(of: error)))
            }
            command.exit(withError: code)
        }
        if !message.isEmpty { Program.tell(message) }
        if let hint { Program.tell("\(hint)") }
        command.exit(withError: code)
    }

    private static func end(with error: any Error, of command: any ParsableCommand.Type) -> Never {
        // The parser has exit codes for help, version and wrong usage, and 1 for errors that are not its own.
        if error is ExitCode || command.exitCode(for: error) != .failure { end(byParser: error, of: command) }
        Program.tell("tripkpi: \(error)")
        ProcessSetup.endIfStopped(by: error)
        command.exit(withError: ExitStatus.end(FailureKind(of: error)))
    }
}

extension ExitStatus {
    /// Ends a command that has already printed its failure.
    static func end(_ kind: FailureKind) -> ExitCode { ExitCode(code(for: kind)) }
}
