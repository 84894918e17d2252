public import Foundation
public import KPIContract

/// Reads the API of `tripkpi serve`.
///
/// Figures and lists are cached for 24 hours, encrypted, and shown with their age when the server cannot be asked. The details
/// of a trip are never stored. A token that has expired is refreshed once, for all requests together.
public struct KPIClient: Sendable {
    /// What figures and lists are restricted to; nil: everything.
    public struct Choice: Sendable, Hashable {
        /// `YYYY-MM`.
        public var month: String?
        /// One of the summary's regions.
        public var region: String?
        /// One of the summary's trip types.
        public var tripType: String?

        /// A choice.
        public init(month: String? = nil, region: String? = nil, tripType: String? = nil) {
            self.month = month
            self.region = region
            self.tripType = tripType
        }

        var items: [URLQueryItem] {
            [("month", month), ("region", region), ("type", tripType)].compactMap { name, value in
                value.map { URLQueryItem(name: name, value: $0) }
            }
        }
    }

    /// Whose figures: without it the server answers with the fullest set that the token may read.
    public enum SetAudience: String, Sendable, Hashable, CaseIterable {
        /// For anybody.
        case release
        /// For the health system's own people.
        case staff
    }

    /// A page of a list.
    public struct TripPage: Sendable, Hashable {
        /// Newest first.
        public let trips: [Trip]
        /// Where the next page of this server is; nil: this is the last.
        let next: URL?

        /// Whether `page(after:)` has more.
        public var hasMore: Bool { next != nil }
    }

    /// Which sets the server has, and how old they are.
    public struct Health: Decodable, Sendable, Hashable {
        /// A set of an audience.
        public struct PublishedSet: Decodable, Sendable, Hashable {
            /// `release` or `staff`.
            public var audience: String
            /// Its id; nil: nothing is published.
            public var set: String?
            /// RFC 3339.
            public var generatedAt: String?
            /// How long ago that was.
            public var ageSeconds: Int?
            /// The day of the newest trip.
            public var dataThrough: String?
        }

        /// One for each audience.
        public var sets: [PublishedSet]
    }

    /// What a token may read.
    public struct Access: Decodable, Sendable, Hashable {
        /// `kpi.release`, `kpi.staff`, `trips.read`.
        public var scopes: [String]
        /// RFC 3339; nil without a token.
        public var expiresAt: String?
    }

    private let base: URL
    private let transport: any HTTPTransport
    private let tokens: TokenSource?
    private let cache: ResponseCache?
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - base: of the API, `https://kpi.example.org`. Plain HTTP is for a server on this machine.
    ///   - tokens: nil: none are sent.
    ///   - cache: nil: nothing is stored.
    ///   - now: the time.
    /// - Throws: `insecureAddress`.
    public init(
        base: URL, transport: any HTTPTransport = URLSessionTransport(), tokens: (any TokenProvider)?,
        cache: ResponseCache? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) throws(KPIClientError) {
        let isLocal = ["localhost", "127.0.0.1", "::1"].contains(base.host ?? "")
        guard base.scheme?.lowercased() == "https" || isLocal else { throw .insecureAddress }
        self.base = base
        self.transport = transport
        self.tokens = tokens.map(TokenSource.init)
        self.cache = cache
        self.now = now
    }

    /// The summary, over everything or of a choice.
    ///
    /// - Parameter headlinesOnly: without cells and charts of single regions and trip types: small.
    public func summary(
        _ choice: Choice = Choice(), audience: SetAudience? = nil, headlinesOnly: Bool = false
    ) async throws(KPIClientError) -> Fetched<KPISummaryV1> {
        let view = headlinesOnly ? [URLQueryItem(name: "view", value: "headlines")] : []
        return try await cached(url("kpi", choice.items + Self.items(audience) + view), as: KPISummaryV1.self).fetched
    }

    /// The cells of a choice alone.
    public func cells(
        _ choice: Choice = Choice(), audience: SetAudience? = nil
    ) async throws(KPIClientError) -> Fetched<[KPISummaryV1.Cell]> {
        try await cached(url("kpi/cells", choice.items + Self.items(audience)), as: [KPISummaryV1.Cell].self).fetched
    }

    private static func items(_ audience: SetAudience?) -> [URLQueryItem] {
        audience.map { [URLQueryItem(name: "audience", value: $0.rawValue)] } ?? []
    }

    /// Which sets the server has. It needs no token.
    public func health() async throws(KPIClientError) -> Health {
        let answer = try await send(url("health", []), tag: nil, token: nil)
        guard answer.status == 200 || answer.status == 503 else { throw .unexpectedAnswer(status: answer.status) }
        return try Self.decoded(answer.body, as: Health.self, status: answer.status)
    }

    /// The first page of a list of trips, newest first.
    ///
    /// - Parameter limit: 1 to 1,000 trips a page.
    public func trips(
        _ choice: Choice = Choice(), limit: Int = 100
    ) async throws(KPIClientError) -> Fetched<TripPage> {
        try await page(url("trips", choice.items + [URLQueryItem(name: "limit", value: "\(limit)")]))
    }

    /// The page after another; nil after the last.
    public func page(after page: TripPage) async throws(KPIClientError) -> Fetched<TripPage>? {
        guard let next = page.next else { return nil }
        return try await self.page(next)
    }

    /// One trip with its cost. It is never stored.
    public func trip(_ id: Trip.ID) async throws(KPIClientError) -> TripDetail {
        try Self.decoded(await answer(url("trip/\(id)", [])).body, as: TripDetail.self)
    }

    /// What the token may read.
    public func access() async throws(KPIClientError) -> Access {
        try Self.decoded(await answer(url("v1/whoami", [])).body, as: Access.self)
    }

    // MARK: Requests

    private func url(_ path: String, _ items: [URLQueryItem]) -> URL {
        var parts =
            URLComponents(url: base.appendingPathComponent(path), resolvingAgainstBaseURL: false) ?? URLComponents()
        if !items.isEmpty { parts.queryItems = items }
        // A plus is a blank to some servers.
        parts.percentEncodedQuery = parts.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        return parts.url ?? base
    }

    private func page(_ url: URL) async throws(KPIClientError) -> Fetched<TripPage> {
        let (fetched, link) = try await cached(url, as: [Trip].self)
        let next = link.flatMap { Self.next(in: $0, of: base) }
        return Fetched(TripPage(trips: fetched.value, next: next), fetched.origin)
    }

    /// `</trips?cursor=…>; rel="next"`, of this server alone.
    private static func next(in link: String, of base: URL) -> URL? {
        guard link.hasPrefix("</"), let end = link.firstIndex(of: ">"), link[end...].contains("rel=\"next\"") else {
            return nil
        }
        let path = link[link.index(link.startIndex, offsetBy: 2)..<end]
        return URL(
            string: base.absoluteString.hasSuffix("/") ? base.absoluteString + path : base.absoluteString + "/" + path)
    }

    private func cached<Value: Decodable & Sendable>(
        _ url: URL, as type: Value.Type
    ) async throws(KPIClientError) -> (fetched: Fetched<Value>, link: String?) {
        let known = await known(url, as: type)
        let answer: HTTPAnswer
        do {
            answer = try await self.answer(url, tag: known?.entry.tag)
        } catch {
            // What may no longer be read is not shown offline either.
            if error.isRefusal { await cache?.remove(url) }
            guard let reason = error.cacheReason, let known else { throw error }
            let age = Int(now().timeIntervalSince(known.entry.fetchedAt))
            return (Fetched(known.value, .cache(ageSeconds: age, reason: reason)), known.entry.link)
        }
        // The next page may be another, though this one is the same.
        let link = answer.headers["link"]
        if answer.status == 304 {
            guard let known else { throw .unexpectedAnswer(status: 304) }
            await store(known.entry.body, tag: known.entry.tag, link: link, for: url)
            return (Fetched(known.value, .server), link)
        }
        let value = try Self.decoded(answer.body, as: type)
        if let tag = answer.headers["etag"] { await store(answer.body, tag: tag, link: link, for: url) }
        return (Fetched(value, .server), link)
    }

    /// An answer of the cache that this version of the app can read.
    private func known<Value: Decodable & Sendable>(
        _ url: URL, as type: Value.Type
    ) async -> (entry: ResponseCache.Entry, value: Value)? {
        guard let entry = await cache?.entry(for: url, now: now()) else { return nil }
        guard let value = try? Self.decoded(entry.body, as: type) else {
            await cache?.remove(url)
            return nil
        }
        return (entry, value)
    }

    private func store(_ body: Data, tag: String, link: String?, for url: URL) async {
        await cache?.store(.init(fetchedAt: now(), tag: tag, link: link, body: body), for: url)
    }

    /// 200 or 304; a token that is not accepted is refreshed once.
    private func answer(_ url: URL, tag: String? = nil) async throws(KPIClientError) -> HTTPAnswer {
        guard let tokens else { return try Self.checked(await send(url, tag: tag, token: nil)) }
        let token = try await Self.told { try await tokens.token() }
        let first = try await send(url, tag: tag, token: token)
        guard first.status == 401 else { return try Self.checked(first) }
        let other = try await Self.told { try await tokens.token(insteadOf: token) }
        let second = try await send(url, tag: tag, token: other)
        if second.status == 401 { await tokens.forgetRefresh() }
        return try Self.checked(second)
    }

    private func send(_ url: URL, tag: String?, token: String?) async throws(KPIClientError) -> HTTPAnswer {
        var headers = ["Accept": "application/json"]
        headers["If-None-Match"] = tag
        headers["Authorization"] = token.map { "Bearer " + $0 }
        let request = HTTPRequestHead(url: url, headers: headers)
        return try await Self.told { try await transport.send(request) }
    }

    private static func told<Value: Sendable>(
        _ body: @Sendable () async throws -> Value
    ) async throws(KPIClientError) -> Value {
        do {
            return try await body()
        } catch is NotSignedIn {
            throw .notSignedIn
        } catch {
            let isCancelled = error is CancellationError || (error as? URLError)?.code == .cancelled || Task.isCancelled
            throw isCancelled ? .cancelled : .offline
        }
    }

    private static func checked(_ answer: HTTPAnswer) throws(KPIClientError) -> HTTPAnswer {
        if answer.status == 200 || answer.status == 304 { return answer }
        guard let problem = try? JSONDecoder().decode(APIProblemReport.self, from: answer.body) else {
            throw .unexpectedAnswer(status: answer.status)
        }
        throw .problem(problem)
    }

    private static func decoded<Value: Decodable>(
        _ body: Data, as type: Value.Type, status: Int = 200
    ) throws(KPIClientError) -> Value {
        do { return try JSONDecoder().decode(type, from: body) } catch { throw .unexpectedAnswer(status: status) }
    }
}

extension KPIClientError {
    /// Nil: an answer of the cache is no answer to this.
    fileprivate var cacheReason: CacheReason? {
        switch self {
        case .offline: .offline
        case .problem(let problem) where [502, 503, 504].contains(problem.status): .serverUnavailable
        case .unexpectedAnswer(let status) where [502, 503, 504].contains(status): .serverUnavailable
        default: nil
        }
    }

    /// The server knows the request, and says no.
    fileprivate var isRefusal: Bool {
        if case .problem(let problem) = self { [401, 403, 404].contains(problem.status) } else { false }
    }
}
