import Foundation
import HTTPTypes
import Hummingbird
import KPIContract
import Logging
import NIOCore
import NIOPosix
import Privacy
import Synchronization

/// Answers one request from one set.
struct APIResponder: HTTPResponder {
    typealias Context = APIContext

    let sets: ServedSets
    let answers: AnswerCache
    /// Nil: no token is required, and only the release set is served.
    let tokens: TokenVerifier?
    let rateLimit: RateLimit
    /// Whether `X-Forwarded-For` is that of the server's own reverse proxy.
    let isBehindProxy: Bool
    let description: Representation
    let metrics: ServerMetrics
    /// Rows are read here: reading waits for the disk.
    let readers: NIOThreadPool
    let crossOrigin: CrossOrigin
    let nowEpochSeconds: @Sendable () -> Int
    let log: Logger

    private static let longestAddress = 2_048

    /// What the log says of a request.
    private struct AccessEntry {
        var endpoint = "none"
        var audience: Audience?
        var pseudonym: String?
        /// Why the token was refused.
        var refusal: TokenRefusal?
    }

    func respond(to request: Request, context: APIContext) async throws -> Response {
        let started = ContinuousClock.now
        let client = ClientAddress.text(
            peer: context.peer, forwardedFor: isBehindProxy ? request.headers[values: .xForwardedFor].last : nil)
        var entry = AccessEntry()
        var response: Response, problem: APIProblem?
        do throws(APIProblem) {
            response = try await answer(request, client: client, &entry)
        } catch {
            problem = error
            response = Response(
                status: .init(code: error.status.code), headers: error.headers,
                body: .init(byteBuffer: ByteBuffer(bytes: error.body)))
        }
        for (name, value) in Self.alwaysSent { response.headers[name] = value }
        crossOrigin.allow(request.headers[.origin], &response.headers)
        if request.head.endsConnection || problem == .tooManyRequests { response.headers[.connection] = "close" }
        write(entry, request.method, response, problem, started: started)
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// Browsers must not guess media types, send a referrer, or load responses from other sites.
    private static let alwaysSent: [(HTTPField.Name, String)] = [
        (.xContentTypeOptions, "nosniff"), (.referrerPolicy, "no-referrer"),
        (.crossOriginResourcePolicy, "same-origin"),
    ]

    /// Neither token nor id nor the value of a parameter. The pseudonym says which requests are of one caller, so that the use of
    /// staff figures can be audited; only who knows a subject can compute it.
    private func write(
        _ entry: AccessEntry, _ method: HTTPRequest.Method, _ response: Response, _ problem: APIProblem?,
        started: ContinuousClock.Instant
    ) {
        let elapsed = started.duration(to: .now)
        let nanoseconds = Int64(elapsed / .nanoseconds(1)), microseconds = Int(elapsed / .microseconds(1))
        metrics.count(endpoint: entry.endpoint, status: response.status.code, nanoseconds: nanoseconds)
        guard log.logLevel <= .info else { return }
        let bytes = method == .head ? 0 : response.body.contentLength ?? 0
        let method = Self.methods.contains(method) ? method.rawValue : "other"
        var metadata: Logger.Metadata = [
            "event": "request", "method": "\(method)", "endpoint": "\(entry.endpoint)",
            "status": .stringConvertible(response.status.code), "bytes": .stringConvertible(bytes),
            "microseconds": .stringConvertible(microseconds), "problem": "\(problem?.name ?? "none")",
        ]
        if let audience = entry.audience { metadata["audience"] = "\(audience.rawValue)" }
        if let refusal = entry.refusal { metadata["reason"] = "\(refusal.rawValue)" }
        if let pseudonym = entry.pseudonym { metadata["caller"] = "\(pseudonym.prefix(16))" }
        log.info(
            "\(method) \(entry.endpoint): \(response.status.code)\(problem.map { " \($0.name)" } ?? "")\(entry.refusal.map { " (\($0.rawValue))" } ?? ""), \(entry.audience.map { "\($0.rawValue), " } ?? "")\(bytes) bytes, \(microseconds) µs",
            metadata: metadata)
    }

    private static let methods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .delete, .patch, .options, .trace, .connect,
    ]

    private func answer(
        _ request: Request, client: String, _ entry: inout AccessEntry
    ) async throws(APIProblem) -> Response {
        let path = request.head.path ?? "/"
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count > 1 ? parts[1] : nil
        let endpoint = APIEndpoint(path: parts.first.map(String.init) ?? "/")
        entry.endpoint = endpoint?.name ?? "none"
        let refusal = Self.refusal(of: request.head, path, endpoint)
        // Whatever needs no token is counted by the client's address.
        guard let endpoint, refusal == nil, endpoint.needsToken else {
            try admit(client)
            if endpoint != nil, let answer = crossOrigin.preflight(request.head) { return answer }
            if let refusal { throw refusal }
            _ = try APIQuery(query, names: [])
            guard endpoint == .health else {
                return Self.response(
                    description, request, cacheControl: "public, max-age=3600", vary: "Accept-Encoding")
            }
            return health
        }
        let caller: APICaller
        do throws(APIProblem) {
            caller = try await self.caller(request, &entry)
        } catch {
            // Refused tokens are counted by the client's address.
            try admit(client)
            throw error
        }
        entry.pseudonym = caller.pseudonym
        try admit(caller.pseudonym ?? client)
        switch endpoint {
        case .summary, .cells, .page:
            let names: [String]
            switch endpoint {
            case .summary: names = ["month", "region", "type", "view", "audience"]
            case .cells: names = ["month", "region", "type", "audience"]
            default: names = ["audience"]
            }
            let parameters = try APIQuery(query, names: names)
            let set = try set(parameters, caller)
            entry.audience = set.audience
            return switch endpoint {
            case .summary: try await summary(parameters, set, request, caller)
            case .cells: try await cells(parameters, set, request, caller)
            default: try page(set.page, request)
            }
        case .trips:
            entry.audience = .staff
            return try await trips(query, request, caller)
        case .trip(let id):
            entry.audience = .staff
            return try await trip(id, query, caller)
        case .tripsPage:
            entry.audience = .staff
            _ = try APIQuery(query, names: [])
            return try page(tripSet(caller).tripsPage, request)
        case .whoami:
            _ = try APIQuery(query, names: [])
            return Self.json(whoami(caller))
        case .health, .description: throw .failed
        }
    }

    /// What is wrong with a request, whatever it asks for.
    private static func refusal(of request: HTTPRequest, _ path: String, _ endpoint: APIEndpoint?) -> APIProblem? {
        guard request.hasOneHost else { return .badRequest }
        guard path.utf8.count <= longestAddress else { return .longAddress }
        guard endpoint != nil else { return .notFound }
        guard request.method == .get || request.method == .head else { return .methodNotAllowed }
        return request.hasBody ? .badRequest : nil
    }

    private func admit(_ client: String) throws(APIProblem) {
        guard rateLimit.admits(client) else { throw .tooManyRequests }
    }

    private func caller(_ request: Request, _ entry: inout AccessEntry) async throws(APIProblem) -> APICaller {
        guard let tokens else {
            // A page elsewhere whose name leads to this machine must not read the answer.
            let host = request.head.authority.map { authority in
                authority.lowercased().replacing(/:\d+$/, with: "").trimmingCharacters(in: ["[", "]"])
            }
            guard let host, APIServer.isLoopback(host) else { throw .wrongHost }
            return APICaller(scopes: [.releaseFigures])
        }
        // Two headers of that name would be two tokens.
        guard request.headers[values: .authorization].count <= 1 else { throw .badToken }
        do throws(TokenRefusal) {
            return try await tokens.caller(request.headers[.authorization])
        } catch {
            entry.refusal = error
            throw error.problem
        }
    }

    // MARK: Sets

    private enum AudienceParameter: String, CaseIterable {
        case staff, release
    }

    /// The set that is asked for, else the fullest that the caller may read.
    private func set(_ query: APIQuery, _ caller: APICaller) throws(APIProblem) -> ServedSet {
        let standard: AudienceParameter = caller.scopes.contains(.staffFigures) ? .staff : .release
        let asked = try query.word("audience", or: standard)
        let audience: Audience = asked == .staff ? .staff : .release
        guard caller.scopes.contains(asked == .staff ? .staffFigures : .releaseFigures) else { throw .missingScope }
        guard let set = sets[audience] else { throw Self.noSet(audience) }
        return set
    }

    private static func noSet(_ audience: Audience) -> APIProblem {
        .nothingPublished(
            detail: "There is no \(audience.rawValue) set. The operator publishes one with `tripkpi run`.")
    }

    static let noTrips = APIProblem.nothingPublished(
        detail: "The staff set has no trips. The operator sets trips_feed and publishes with `tripkpi run`.")

    /// The set that has rows.
    func tripSet(_ caller: APICaller) throws(APIProblem) -> ServedSet {
        guard caller.scopes.contains(.trips) else { throw .missingScope }
        guard let set = sets[.staff] else { throw Self.noSet(.staff) }
        guard set.trips != nil else { throw Self.noTrips }
        return set
    }

    func choice(_ query: APIQuery, _ set: ServedSet, _ caller: APICaller) throws(APIProblem) -> CellKey {
        let filters = set.summary.filters
        // A caller who may read trips and no figures learns no lists of the summary.
        let isListed = caller.scopes.contains(set.audience == .staff ? .staffFigures : .releaseFigures)
        if let month = query["month"], set.summary.withheldMonths.contains(month) { throw .withheld }
        return CellKey(
            month: try query.choice("month", of: filters.months, isListed: isListed),
            region: try query.choice("region", of: filters.regions, isListed: isListed),
            tripType: try query.choice("type", of: filters.tripTypes, isListed: isListed))
    }

    // MARK: Figures

    private enum SummaryView: String, CaseIterable {
        case whole, headlines
    }

    private func summary(
        _ query: APIQuery, _ set: ServedSet, _ request: Request, _ caller: APICaller
    ) async throws(APIProblem) -> Response {
        let choice = try choice(query, set, caller)
        let view = try query.word("view", or: SummaryView.whole)
        return Self.response(try await answer(set, choice, view == .whole ? .summary : .headlines), request)
    }

    private func cells(
        _ query: APIQuery, _ set: ServedSet, _ request: Request, _ caller: APICaller
    ) async throws(APIProblem) -> Response {
        let accept = WeightedHeader(request.headers[.accept] ?? "")
        let json = accept.isEmpty ? 1 : accept.weight(of: ["application/json", "application/*", "*/*"])
        let csv = accept.weight(of: ["text/csv", "text/*", "*/*"])
        guard json > 0 || csv > 0 else { throw .notAcceptable }
        return Self.response(
            try await answer(set, try choice(query, set, caller), csv > json ? .cellsAsCSV : .cells), request,
            vary: "Accept, Accept-Encoding, Authorization")
    }

    private func answer(
        _ set: ServedSet, _ choice: CellKey, _ form: AnswerCache.Form
    ) async throws(APIProblem) -> Representation {
        if let held = set.held(choice, form) { return held }
        let key = AnswerCache.Key(set: "\(set.audience.rawValue)/\(set.id)", choice: choice, form: form)
        return try await answers.answer(key) { () throws(APIProblem) in try set.computed(choice, form) }
    }

    // MARK: Small answers

    /// 503 while nothing is served, so that a load balancer asks elsewhere.
    private var health: Response {
        let now = nowEpochSeconds()
        var isServing = false
        let served = sets.audiences.map { audience -> CanonicalJSON in
            guard let set = sets[audience] else {
                return ["audience": audience.rawValue, "set": CanonicalJSON.null]
            }
            isServing = true
            return [
                "audience": audience.rawValue, "set": set.id, "generatedAt": set.summary.generatedAt,
                "ageSeconds": set.madeAtEpochSeconds.map { now - $0 },
                // This needs no token, and the newest trip of the open month is a figure for staff.
                "dataThrough": audience == .staff ? nil : set.summary.dataThrough,
            ]
        }
        let hint = "Nothing is published yet. The operator publishes with `tripkpi run`."
        var response = Self.json([
            "sets": CanonicalJSON.list(served), "hint": isServing ? .absent : CanonicalJSON.text(hint),
        ])
        if !isServing { response.status = .serviceUnavailable }
        return response
    }

    private func whoami(_ caller: APICaller) -> CanonicalJSON {
        [
            "scopes": caller.scopes.map(\.rawValue).sorted(),
            "expiresAt": caller.expiresAtEpochSeconds.map {
                Date(timeIntervalSince1970: Double($0)).formatted(.iso8601)
            },
        ]
    }

    // MARK: Responses

    private func page(_ page: ServedPage?, _ request: Request) throws(APIProblem) -> Response {
        guard let page else { throw .notFound }
        var response = Self.response(page.representation, request)
        response.headers[.contentSecurityPolicy] = page.policy
        return response
    }

    /// An answer that is not stored.
    static func json(_ body: CanonicalJSON) -> Response {
        Response(
            status: .ok, headers: [.contentType: ServedSet.json, .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: body.document)))
    }

    static func acceptsGzip(_ request: Request) -> Bool {
        request.headers[.acceptEncoding].map { WeightedHeader($0).weight(of: ["gzip", "*"]) > 0 } ?? false
    }

    static func response(
        _ representation: Representation, _ request: Request, cacheControl: String = "private, max-age=60",
        vary: String = "Accept-Encoding, Authorization"
    ) -> Response {
        let isGzip = representation.gzip != nil && acceptsGzip(request)
        var headers: HTTPFields = [
            .eTag: representation.tag(isGzip: isGzip), .cacheControl: cacheControl, .vary: vary,
        ]
        if let tags = request.headers[.ifNoneMatch], representation.matches(tags) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = representation.mediaType
        if isGzip { headers[.contentEncoding] = "gzip" }
        return Response(
            status: .ok, headers: headers,
            body: .init(byteBuffer: isGzip ? representation.gzip ?? representation.plain : representation.plain))
    }
}

extension HTTPField.Name {
    // The names are constants that the library accepts: a test holds them.
    fileprivate static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .xContentTypeOptions
    fileprivate static let crossOriginResourcePolicy =
        HTTPField.Name("Cross-Origin-Resource-Policy") ?? .xContentTypeOptions
    fileprivate static let xForwardedFor = HTTPField.Name("X-Forwarded-For") ?? .xContentTypeOptions
}

/// What a request is besides its head: where it comes from.
struct APIContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let peer: SocketAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress
    }
}
