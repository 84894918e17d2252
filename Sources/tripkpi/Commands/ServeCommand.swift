import ArgumentParser
import Dispatch
import Files
import Operations
import Reporting
import Serving
import Settings
import Synchronization
import Trips
import UseCases
import Foundation

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the published sets over HTTP: the API of the dashboard app.",
        discussion: """
            It reads the folder of published sets and a file of public keys, and nothing else: no store and no key. A \
            publish or a rollback is served within about a second. Requests carry OAuth 2 bearer tokens (JWT, RS256 or \
            ES256) with the scopes kpi.release, kpi.staff and trips.read. Behind a reverse proxy it speaks plain HTTP. \
            See docs/api.md.

            EXAMPLES:
              tripkpi serve --without-auth
              tripkpi serve --keys /etc/tripkpi/jwks.json --issuer https://login.example.org
              tripkpi serve --reports /var/lib/tripkpi/reports/published --listen 127.0.0.1:9000 --without-auth
            """)

    @OptionGroup var published: ReportsOption
    @Option(help: Setting.apiListen.help("host:port")) var listen: String?
    @Option(help: Setting.apiKeys.help("jwks.json"), completion: .file()) var keys: String?
    @Option(help: Setting.apiIssuer.help("issuer")) var issuer: String?
    @Option(help: Setting.apiAudience.help("audience")) var tokenAudience: String?
    @Option(help: Setting.apiCertificate.help("chain.pem"), completion: .file()) var certificate: String?
    @Option(help: Setting.apiCertificateKey.help("key.pem"), completion: .file()) var certificateKey: String?
    @Option(help: Setting.apiMetricsFile.help("file.prom"), completion: .file()) var apiMetrics: String?

    @Flag(help: "A reverse proxy in front ends TLS and names clients in X-Forwarded-For (setting: api_behind_proxy).")
    var behindProxy = false

    @Flag(
        help: "Ask for no token, and serve the release only. The address must be one of this machine alone (127.0.0.1)."
    )
    var withoutAuth = false

    @Flag(
        help: "Make a key and a token for an hour, and print how to use it: to try the API out on this machine alone.")
    var demo = false

    @Option(help: Setting.logFormat.help("format")) var logFormat: LogFormat?
    @OptionGroup var verbosity: VerbosityOptions
    @OptionGroup var config: ConfigOptions

    func run() throws {
        let settings = try config.settings([
            [
                .reports: published.reports, .apiListen: listen, .apiKeys: keys, .apiIssuer: issuer,
                .apiAudience: tokenAudience, .apiCertificate: certificate, .apiCertificateKey: certificateKey,
                .apiMetricsFile: apiMetrics, .apiBehindProxy: behindProxy ? "true" : nil,
                .logFormat: logFormat?.rawValue,
            ]
        ])
        let plan = try ServePlan(settings, withoutAuth: withoutAuth, demo: demo)
        let log = RunJournal.logger(
            format: settings.logFormat, isForJournald: ProcessInfo.processInfo.environment["JOURNAL_STREAM"] != nil,
            isQuiet: verbosity.quiet, clock: { UTCTime(secondsSince1970: Int(Date().timeIntervalSince1970)) },
            sink: { Program.tell($0) })
        let server = APIServer(
            .init(
                published: settings.reports, host: plan.host, port: plan.port, access: plan.access, tls: plan.tls,
                isBehindProxy: settings.apiBehindProxy, requestsPerSecond: settings.apiRequestsPerSecond,
                connectionsPerAddress: settings.apiConnectionsPerAddress, corsOrigins: settings.apiCORSOrigins,
                workers: settings.jobs, metricsFile: settings.apiMetricsFile,
                description: try config.data.folder().read("contract/openapi.json"),
                nowEpochSeconds: { Int(Date().timeIntervalSince1970) }),
            log: log)
        try Self.wait(for: server, host: plan.host, scheme: plan.tls == nil ? "http" : "https")
    }

    /// The main thread waits; the server has threads of its own.
    private static func wait(for server: APIServer, host: String, scheme: String) throws {
        let ended = DispatchSemaphore(value: 0), failure = Mutex<(any Error)?>(nil)
        Task {
            do {
                try await server.run { port, demoToken in
                    explain("\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)", demoToken)
                }
            } catch {
                failure.withLock { $0 = error }
            }
            ended.signal()
        }
        ended.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    @Sendable private static func explain(_ address: String, _ demoToken: String?) {
        guard let demoToken else { return }
        try? Program.say([
            "token=\(demoToken)",
            "curl -s -H \"Authorization: Bearer $token\" '\(address)/kpi?view=headlines' | head -20",
            "curl -s -H \"Authorization: Bearer $token\" '\(address)/trips?limit=3'",
            "curl -s \(address)/health",
        ])
    }

    func validate() throws {
        if demo, withoutAuth { throw ValidationError("give either --demo or --without-auth") }
        if demo, keys != nil || issuer != nil || tokenAudience != nil {
            throw ValidationError("--demo makes its own key and token: leave out --keys, --issuer and --token-audience")
        }
    }
}
