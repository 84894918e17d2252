package import Basics
import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import UnixSignals

/// Serves published sets over HTTP. It reads nothing but the folder of sets, the file of keys and the certificate.
package struct APIServer: Sendable {
    /// Where and to whom.
    package struct ServerConfiguration: Sendable {
        /// The folder of published sets.
        package var published: String
        package var host: String
        package var port: Int
        package var access: Access
        /// Nil: plain HTTP.
        package var tls: TLSFiles?
        /// Whether clients come through a reverse proxy, which names their addresses in `X-Forwarded-For`.
        package var isBehindProxy: Bool
        /// 0: no limit.
        package var requestsPerSecond: Int
        package var connectionsPerAddress: Int
        /// The other sites whose scripts may read answers: `https://app.example.org`.
        package var corsOrigins: [String]
        package var workers: Int
        /// Where metrics are written; nil: nowhere.
        package var metricsFile: String?
        /// `openapi.json`.
        package var description: [UInt8]
        package var now: @Sendable () -> UTCTime

        package init(
            published: String, host: String, port: Int, access: Access, tls: TLSFiles?, isBehindProxy: Bool,
            requestsPerSecond: Int, connectionsPerAddress: Int, corsOrigins: [String], workers: Int,
            metricsFile: String?, description: [UInt8],
            now: @escaping @Sendable () -> UTCTime
        ) {
            self.published = published
            self.host = host
            self.port = port
            self.access = access
            self.tls = tls
            self.isBehindProxy = isBehindProxy
            self.requestsPerSecond = requestsPerSecond
            self.connectionsPerAddress = connectionsPerAddress
            self.corsOrigins = corsOrigins
            self.workers = workers
            self.metricsFile = metricsFile
            self.description = description
            self.now = now
        }
    }

    /// Who may ask.
    package enum Access: Sendable, Hashable {
        /// Everybody who reaches the address may read the release, and nothing else.
        case withoutTokens
        case tokens(TokenConfiguration)
        /// Whoever has a token that the server makes when it starts.
        case demo
    }

    /// Whose tokens are accepted.
    package struct TokenConfiguration: Sendable, Hashable {
        /// A file of public keys (JWKS).
        package var keys: String
        package var issuer: String
        package var audience: String

        package init(keys: String, issuer: String, audience: String) {
            self.keys = keys
            self.issuer = issuer
            self.audience = audience
        }
    }

    /// The certificate of the server with its chain, and its private key: PEM files.
    package struct TLSFiles: Sendable, Hashable {
        package var certificate: String
        package var key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// Names and addresses of this machine alone.
    package static func isLoopback(_ host: String) -> Bool {
        guard let address = try? SocketAddress(ipAddress: host, port: 0) else { return host == "localhost" }
        return host == "::1" || address.protocol == .inet && host.hasPrefix("127.")
    }

    private let configuration: ServerConfiguration
    private let log: Logger
    private static let headSeconds: Int64 = 15
    private static let answerSeconds: Int64 = 120
    /// From the signal until the process ends, whatever is left; connections are closed before. TLS waits for its client, for
    /// five seconds.
    private static let shutdownSeconds: Int64 = 20
    private static let connectionShutdownSeconds: Int64 = 14
    private static let lastAnswerSeconds: Int64 = 2
    private static let longestHeader = 12_288
    /// Below the limit of open files that the unit sets.
    private static let mostConnections = 2_048
    /// Of computed answers, of all sets together.
    private static let mostAnswerBytes = 32 << 20

    package init(_ configuration: ServerConfiguration, log: Logger) {
        self.configuration = configuration
        self.log = log
    }

    /// Serves until SIGTERM or SIGINT; open requests are answered first, as far as there is time.
    ///
    /// - Parameter listens: is told the port, and the demo's token, once requests are answered.
    /// - Throws: `APIServerError`.
    package func run(listens: @escaping @Sendable (_ port: Int, _ demoToken: String?) -> Void) async throws {
        let metrics = ServerMetrics()
        let readers = NIOThreadPool(numberOfThreads: max(2, configuration.workers))
        let thread = NIOThreadPool(numberOfThreads: 1), looker = NIOThreadPool(numberOfThreads: 1)
        for pool in [readers, thread, looker] { pool.start() }
        defer { for pool in [readers, thread, looker] { pool.shutdownGracefully { _ in } } }
        let sets = ServedSets(
            root: configuration.published,
            audiences: configuration.access == .withoutTokens ? [.release] : [.release, .staff],
            connections: max(2, configuration.workers), metrics: metrics, thread: looker, log: log)
        sets.refresh()
        if !sets.isServing {
            log.warning(
                "\(configuration.published): has no current set; publish one with `tripkpi run`, or name the folder with --reports",
                metadata: ["event": "set.none"])
        }
        var services: [any Service] = [sets]
        let access = try await keys()
        if let access { services.append(access.keys) }
        let certificate = try configuration.tls.map { files throws(APIServerError) in
            try ServerCertificate(files, metrics: metrics, log: log)
        }
        if let certificate { services.append(certificate) }
        if let path = configuration.metricsFile {
            services.append(MetricsWriter(metrics, path: path, log: log))
        }
        let responder = APIResponder(
            sets: sets, answers: AnswerCache(mostBytes: Self.mostAnswerBytes, thread: thread),
            tokens: access.map {
                TokenVerifier(
                    keys: $0.keys, issuer: $0.issuer, audience: $0.audience,
                    now: configuration.now)
            },
            rateLimit: RateLimit(
                perSecond: configuration.requestsPerSecond, burst: 2 * configuration.requestsPerSecond),
            isBehindProxy: configuration.isBehindProxy,
            description: Representation(configuration.description, ServedSet.json), metrics: metrics, readers: readers,
            crossOrigin: CrossOrigin(origins: Set(configuration.corsOrigins)),
            now: configuration.now, log: log)
        try await serve(responder, certificate, services) { port in listens(port, access?.demoToken) }
    }

    private func serve(
        _ responder: APIResponder, _ certificate: ServerCertificate?, _ services: [any Service],
        listens: @escaping @Sendable (Int) -> Void
    ) async throws {
        // The library's own lines name addresses as they were sent.
        var quiet = log
        quiet.logLevel = .critical
        let log = log, host = configuration.host, port = configuration.port
        // The connections of a reverse proxy are those of all clients.
        let limit = configuration.isBehindProxy ? nil : ConnectionLimit(most: configuration.connectionsPerAddress)
        let http = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: Self.handlers(limit),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: Self.longestHeader, maxHeaderListSize: 2 * Self.longestHeader,
                    maxHeaderFieldCount: 100)))
        let scheme = certificate == nil ? "http" : "https"
        let server = Application(
            responder: responder,
            server: try certificate.map { try .tls(http, tlsConfiguration: $0.configuration) } ?? http,
            configuration: .init(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(Self.mostConnections, logger: quiet)),
            services: services,
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? 0
                log.info(
                    "listens on \(scheme)://\(host):\(port)",
                    metadata: ["event": "listens", "host": "\(host)", "port": .stringConvertible(port)])
                listens(port)
            },
            logger: quiet)
        let deadline = ShutdownDeadline(after: .seconds(Self.shutdownSeconds), log: log)
        let group = ServiceGroup(
            services: [server, deadline], gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
        do {
            try await deadline.wait(for: group)
        } catch let error as IOError {
            throw APIServerError.cannotListen(
                host: host, port: port, reason: String(cString: strerror(error.errnoCode)))
        } catch is SocketAddressError {
            throw APIServerError.cannotListen(host: host, port: port, reason: "no such address")
        }
    }

    /// Of one connection, the nearest to the client first.
    private static func handlers(_ limit: ConnectionLimit?) -> [any RemovableChannelHandler] {
        let limits: [any RemovableChannelHandler] = limit.map { [ConnectionLimitHandler($0)] } ?? []
        return limits + [
            ConnectionEnd(within: .seconds(lastAnswerSeconds)),
            HeadTimeout(
                request: .seconds(headSeconds), answer: .seconds(answerSeconds),
                shutdown: .seconds(connectionShutdownSeconds)),
        ]
    }

    /// Nil: no tokens are asked for.
    private func keys() async throws -> (keys: TokenKeys, issuer: String, audience: String, demoToken: String?)? {
        switch configuration.access {
        case .withoutTokens: return nil
        case .tokens(let tokens):
            return (try await TokenKeys(path: tokens.keys, log: log), tokens.issuer, tokens.audience, nil)
        case .demo:
            let token = try await DemoToken(audience: "tripkpi", now: configuration.now())
            return (TokenKeys(token.keys, log: log), DemoToken.issuer, "tripkpi", token.text)
        }
    }
}

extension APIServer {
    /// The bytes of `openapi.json`.
    ///
    /// - Throws: `APIServerError.unreadable`.
    package static func description(at path: String) throws(APIServerError) -> [UInt8] {
        guard let bytes = FileManager.default.contents(atPath: path) else { throw .unreadable(path: path) }
        return Array(bytes)
    }
}
