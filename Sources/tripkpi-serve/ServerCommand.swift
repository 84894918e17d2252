import ArgumentParser
import Basics
import Files
import Foundation
import Operations
import Serving
import Trips

/// The program that `tripkpi serve` becomes. Flags say everything: it reads no settings, and it is linked with no store, no key
/// and no reader of exports.
@main
struct ServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tripkpi-serve",
        abstract: "Serve published sets over HTTP. `tripkpi serve` reads the settings and starts this program.",
        version: ToolVersion.text)

    /// Who may ask, if not whoever has a token of the issuer.
    enum OpenAccess: String, EnumerableFlag {
        case withoutAuth, demo

        static func help(for value: OpenAccess) -> ArgumentHelp? {
            switch value {
            case .withoutAuth: "Ask for no token, and serve the release only, on this machine alone."
            case .demo: "Make a key and a token for an hour, and print how to use it, on this machine alone."
            }
        }
    }

    @Option(help: "The folder of published sets.") var published: String
    @Option(help: "The address and port.") var listen = "127.0.0.1:8080"
    @Option(help: "The public keys that tokens are signed with (JWKS).") var keys: String?
    @Option(help: "Whose tokens are accepted.") var issuer: String?
    @Option(help: "For whom tokens must be.") var tokenAudience = "tripkpi"
    @Option(help: "The certificate with its chain (PEM).") var certificate: String?
    @Option(help: "The private key of the certificate (PEM).") var certificateKey: String?
    @Flag(help: "A reverse proxy in front ends TLS and names clients in X-Forwarded-For.") var behindProxy = false
    @Flag var openAccess: OpenAccess?
    @Option(help: "How many requests a client may send; 0: no limit.") var requestsPerSecond: Int
    @Option(help: "How many connections an address may have.") var connectionsPerAddress: Int
    @Option(help: "Another site whose scripts may read answers. May be given again.") var corsOrigin: [String] = []
    @Option(help: "How many threads read rows.") var workers: Int
    @Option(help: "Where metrics are written.") var metricsFile: String?
    @Option(help: "openapi.json.") var description: String?
    @Option(help: "text or json.") var logFormat: LogFormat = .text
    @Flag(name: .shortAndLong, help: "Print no messages except warnings and errors.") var quiet = false
    @Flag(help: "Check keys, certificate and address, print one line of JSON, and end.") var check = false

    static func main() async {
        ProcessSafety.begin()
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error)
        }
    }

    private static func end(with error: any Error) -> Never {
        // The parser has exit codes for help, version and wrong usage, and 1 for errors that are not its own.
        guard exitCode(for: error) == .failure else { exit(withError: error) }
        tell("tripkpi: \(error)")
        exit(withError: ExitCode(ExitStatus.code(for: FailureKind(of: error))))
    }

    func run() async throws {
        let plan = try ServingTerms(
            .init(
                listen: listen, keys: keys, issuer: issuer, audience: tokenAudience, certificate: certificate,
                certificateKey: certificateKey, isBehindProxy: behindProxy),
            withoutAuth: openAccess == .withoutAuth, demo: openAccess == .demo)
        if check { return try StandardOutput.write(Array(try plan.check().line())) }
        guard let description else { throw ValidationError("give openapi.json by --description") }
        let log = RunJournal.logger(
            format: logFormat, isForJournald: ProcessInfo.processInfo.environment["JOURNAL_STREAM"] != nil,
            isQuiet: quiet, clock: { UTCTime(Date()) },
            sink: { Self.tell($0) })
        let server = APIServer(
            .init(
                published: published, host: plan.host, port: plan.port, access: plan.access, tls: plan.tls,
                isBehindProxy: behindProxy, requestsPerSecond: requestsPerSecond,
                connectionsPerAddress: connectionsPerAddress, corsOrigins: corsOrigin, workers: workers,
                metricsFile: metricsFile, description: try APIServer.description(at: description),
                now: { UTCTime(Date()) }),
            log: log)
        try await server.run { port, demoToken in
            if let demoToken { Self.explain(plan.address(port: port), demoToken) }
        }
    }

    private static func explain(_ address: String, _ token: String) {
        let lines = [
            "token=\(token)",
            "curl -s -H \"Authorization: Bearer $token\" '\(address)/kpi?view=headlines' | head -20",
            "curl -s -H \"Authorization: Bearer $token\" '\(address)/trips?limit=3'",
            "curl -s \(address)/health",
        ]
        try? StandardOutput.write(Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    /// Writes a message to standard error.
    private static func tell(_ message: String) {
        ProgramMessages.tell(message, arguments: CommandLine.arguments)
    }
}

extension LogFormat: ExpressibleByArgument {}
