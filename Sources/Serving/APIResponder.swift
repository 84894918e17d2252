import Basics
import Foundation
import HTTPTypes
import Hummingbird
import KPIContract
import Logging
import NIOCore
import NIOPosix

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
    /// `openapi.json`.
    let description: Representation
    let metrics: ServerMetrics
    /// Rows are read here: reading waits for the disk.
    let readers: NIOThreadPool
    let crossOrigin: CrossOrigin
    let now: @Sendable () -> UTCTime
    let log: Logger

    private static let longestAddress = 2_048

    /// What the log says of a request.
    private struct AccessEntry {
        var endpoint = "none"
        var audience: ServedAudience?
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
        let found = APIEndpoint.find(parts.first.map(String.init) ?? "/")
        entry.endpoint = found?.endpoint.name ?? "none"
        let refusal = Self.refusal(of: request.head, path, isServed: found != nil)
        guard let found, refusal == nil else {
            try admit(client)
            if found != nil, let answer = crossOrigin.preflight(request.head) { return answer }
            throw refusal ?? .notFound
        }
        let asked = { () throws(APIProblem) in
            APIRequest(
                request: request, tripID: found.tripID,
                parameters: try APIQuery(parts.count > 1 ? parts[1] : nil, names: found.endpoint.parameters))
        }
        switch found.endpoint.handler {
        case .open(let handler):
            try admit(client)
            return handler(self)(try asked())
        case .token(let handler):
            let caller = try await admittedCaller(request, client, &entry)
            return handler(self)(try asked(), caller)
        case .figures(let handler):
            let caller = try await admittedCaller(request, client, &entry), asked = try asked()
            let set = try set(asked.parameters, caller)
            entry.audience = set.audience
            return try await handler(self)(asked, caller, set)
        case .trips(let handler):
            let caller = try await admittedCaller(request, client, &entry)
            entry.audience = .staff
            let asked = try asked()
            return try await handler(self)(asked, caller, try tripSet(caller))
        }
    }

    /// The caller of a request that needs a token, counted by its subject; a refused token is counted by the client's address.
    private func admittedCaller(
        _ request: Request, _ client: String, _ entry: inout AccessEntry
    ) async throws(APIProblem) -> APICaller {
        let caller: APICaller
        do throws(APIProblem) {
            caller = try await self.caller(request, &entry)
        } catch {
            try admit(client)
            throw error
        }
        entry.pseudonym = caller.pseudonym
        try admit(caller.pseudonym ?? client)
        return caller
    }

    /// What is wrong with a request, whatever it asks for.
    private static func refusal(of request: HTTPRequest, _ path: String, isServed: Bool) -> APIProblem? {
        guard request.hasOneHost else { return .badRequest }
        guard path.utf8.count <= longestAddress else { return .longAddress }
        guard isServed else { return .notFound }
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

    /// The set that is asked for, else the fullest that the caller may read.
    private func set(_ query: APIQuery, _ caller: APICaller) throws(APIProblem) -> ServedSet {
        let standard: ServedAudience = caller.scopes.contains(.staffFigures) ? .staff : .release
        let audience = try query.word("audience", or: standard)
        guard caller.scopes.contains(audience.scope) else { throw .missingScope }
        guard let set = sets[audience] else { throw Self.noSet(audience) }
        return set
    }

    private static func noSet(_ audience: ServedAudience) -> APIProblem {
        .nothingPublished(
            detail: "There is no \(audience.rawValue) set. The operator publishes one with `tripkpi run`.")
    }

    static let noTrips = APIProblem.nothingPublished(
        detail: "The staff set has no trips. The operator sets trips_feed and publishes with `tripkpi run`.")

    /// The set that has rows.
    private func tripSet(_ caller: APICaller) throws(APIProblem) -> ServedSet {
        guard caller.scopes.contains(.trips) else { throw .missingScope }
        guard let set = sets[.staff] else { throw Self.noSet(.staff) }
        guard set.trips != nil else { throw Self.noTrips }
        return set
    }

    func choice(_ query: APIQuery, _ set: ServedSet, _ caller: APICaller) throws(APIProblem) -> CellKey {
        let filters = set.summary.filters
        // A caller who may read trips and no figures learns no lists of the summary.
        let isListed = caller.scopes.contains(set.audience.scope)
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

    @Sendable func summary(
        _ asked: APIRequest, _ caller: APICaller, _ set: ServedSet
    ) async throws(APIProblem) -> Response {
        let choice = try choice(asked.parameters, set, caller)
        let view = try asked.parameters.word("view", or: SummaryView.whole)
        return Self.response(
            try await answer(set, choice, view == .whole ? .summary : .headlines), asked.request)
    }

    @Sendable func cells(
        _ asked: APIRequest, _ caller: APICaller, _ set: ServedSet
    ) async throws(APIProblem) -> Response {
        let accept = WeightedHeader(asked.request.headers[.accept] ?? "")
        let json = accept.isEmpty ? 1 : accept.weight(of: ["application/json", "application/*", "*/*"])
        let csv = accept.weight(of: ["text/csv", "text/*", "*/*"])
        guard json > 0 || csv > 0 else { throw .notAcceptable }
        return Self.response(
            try await answer(set, try choice(asked.parameters, set, caller), csv > json ? .cellsAsCSV : .cells),
            asked.request, vary: "Accept, Accept-Encoding, Authorization")
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
    @Sendable func health(_ asked: APIRequest) -> Response {
        let time = now()
        var isServing = false
        let served = sets.audiences.map { audience -> CanonicalJSON in
            guard let set = sets[audience] else {
                return ["audience": audience.rawValue, "set": CanonicalJSON.null]
            }
            isServing = true
            return [
                "audience": audience.rawValue, "set": set.id, "generatedAt": set.summary.generatedAt,
                "ageSeconds": set.madeAt.map { time.secondsSince1970 - $0.secondsSince1970 },
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

    @Sendable func openAPI(_ asked: APIRequest) -> Response {
        Self.response(description, asked.request, cacheControl: "public, max-age=3600", vary: "Accept-Encoding")
    }

    @Sendable func whoami(_ asked: APIRequest, _ caller: APICaller) -> Response {
        Self.json([
            "scopes": caller.scopes.map(\.rawValue).sorted(),
            "expiresAt": caller.expiresAt?.description,
        ])
    }

    // MARK: Pages

    @Sendable func page(
        _ asked: APIRequest, _ caller: APICaller, _ set: ServedSet
    ) async throws(APIProblem) -> Response {
        try Self.response(set.page, asked.request)
    }

    @Sendable func tripsPage(
        _ asked: APIRequest, _ caller: APICaller, _ set: ServedSet
    ) async throws(APIProblem) -> Response {
        try Self.response(set.tripsPage, asked.request)
    }

    // MARK: Responses

    private static func response(_ page: ServedPage?, _ request: Request) throws(APIProblem) -> Response {
        guard let page else { throw .notFound }
        var response = response(page.representation, request)
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

/// A request to an endpoint, with what its address says.
struct APIRequest: Sendable {
    let request: Request
    /// The id in `/trip/{id}`; empty for other paths.
    let tripID: String
    let parameters: APIQuery
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
