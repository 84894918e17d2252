import ArgumentParser
import Foundation
import Operations
import Settings
import UseCases

/// Reads the settings, and becomes `tripkpi-serve`: the same process with the same streams, which knows no store and no key.
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
        let server = try ServerProgram(beside: Program.path)
        var arguments = ServerProgram.arguments(settings, withoutAuth: withoutAuth, demo: demo)
        let data = try config.data.folder(), description = "contract/openapi.json"
        _ = try data.read(description)
        arguments.append("--description=\(data.path(of: description))")
        if verbosity.quiet { arguments.append("--quiet") }
        throw Program.become(server, arguments)
    }

    func validate() throws {
        if demo, withoutAuth { throw ValidationError("give either --demo or --without-auth") }
        if demo, keys != nil || issuer != nil || tokenAudience != nil {
            throw ValidationError("--demo makes its own key and token: leave out --keys, --issuer and --token-audience")
        }
    }
}
