import Crypto
import Foundation
import KPIClient
import KPIContract
import TestSupport
import Testing

@Suite struct KPIClientTests {
    private static let key = SymmetricKey(data: (0..<32).map { UInt8($0) })
    private static let trip =
        #"{"id":"00000000000000000000000000000001","title":"Routine, CANARYNORTH","duration":3600,"phiField":"••••••••","date":"2026-03-01","provider":"CANARYPROVIDER","distance":12.40}"#

    private struct Place {
        let server: FakeServer
        let clock = TestClock()
        let tokens: TestTokens
        let client: KPIClient

        init(
            _ answers: [HTTPAnswer?], cacheIn folder: TemporaryFolder? = nil, tokens: TestTokens = TestTokens(),
            user: String = "a", expired: String? = nil
        ) throws {
            server = FakeServer(answers, expired: expired)
            self.tokens = tokens
            let clock = clock
            let cache = folder.map {
                ResponseCache(folder: URL(fileURLWithPath: $0.path(of: "cache")), key: KPIClientTests.key, user: user)
            }
            client = try KPIClient(
                base: try #require(URL(string: "https://kpi.example.org")), transport: server, tokens: tokens,
                cache: cache,
                now: { clock.now })
        }
    }

    private func error<Value>(_ body: () async throws(KPIClientError) -> Value) async -> KPIClientError? {
        do { _ = try await body() } catch { return error }
        return nil
    }

    @Test("filters, tokens and tags are sent; nothing else")
    func requests() async throws {
        let place = try Place([FakeServer.ok("[]")])
        _ = try await place.client.trips(.init(month: "2026-03", region: "A+B & C", tripType: "Routine"), limit: 5)
        let request = try #require(place.server.requests.first)
        #expect(
            request.url.absoluteString
                == "https://kpi.example.org/trips?month=2026-03&region=A%2BB%20%26%20C&type=Routine&limit=5")
        #expect(request.headers == ["Accept": "application/json", "Authorization": "Bearer token0"])
    }

    @Test("pages follow the links of this server alone, to the last")
    func pages() async throws {
        let next = #"</trips?limit=1&cursor=00000000000000000000000000000001>; rel="next""#
        let place = try Place([FakeServer.ok("[\(Self.trip)]", link: next), FakeServer.ok("[]")])
        let first = try await place.client.trips(limit: 1).value
        #expect(
            first.trips.map(\.id) == ["00000000000000000000000000000001"] && first.trips[0].distance.doubleValue == 12.4
        )
        let second = try #require(try await place.client.page(after: first)?.value)
        #expect(second.trips.isEmpty && !second.hasMore && first.hasMore)
        #expect(try await place.client.page(after: second) == nil)
        #expect(
            place.server.requests[1].url.absoluteString.hasSuffix(
                "org/trips?limit=1&cursor=00000000000000000000000000000001"))
        let elsewhere = try Place([FakeServer.ok("[]", link: #"<https://evil.example/trips>; rel="next""#)])
        #expect(try await !elsewhere.client.trips().value.hasMore)
    }

    @Test("a token that expired is refreshed once; a second no is the answer")
    func refresh() async throws {
        let place = try Place([FakeServer.problem(401, "expired-token"), FakeServer.ok("[]")])
        _ = try await place.client.trips()
        #expect(place.server.requests.map { $0.headers["Authorization"] } == ["Bearer token0", "Bearer token1"])
        let refused = try Place([FakeServer.problem(401, "bad-token")])
        #expect(
            await error { () async throws(KPIClientError) in try await refused.client.trips() }
                == .problem(.init(type: "https://tripkpi.example/problems/bad-token", title: "T.", status: 401)))
        #expect(refused.tokens.refreshCount == 1 && refused.server.requests.count == 2)
        let signedOut = try Place([FakeServer.ok("[]")], tokens: TestTokens(failure: NotSignedIn()))
        #expect(await error { () async throws(KPIClientError) in try await signedOut.client.trips() } == .notSignedIn)
        #expect(signedOut.server.requests.isEmpty)
    }

    @Test(arguments: [
        (400, "bad-parameter"), (400, "not-a-filter"), (400, "bad-cursor"), (403, "missing-scope"), (404, "not-found"),
        (404, "withheld"),
        (405, "method-not-allowed"), (406, "not-acceptable"), (414, "long-address"), (429, "too-many-requests"),
        (500, "failed"),
        (503, "nothing-published"),
    ])
    func eachProblemIsTold(status: Int, name: String) async throws {
        let place = try Place([FakeServer.problem(status, name)])
        guard
            case .problem(let problem) = await error({ () async throws(KPIClientError) in
                try await place.client.summary()
            })
        else {
            Issue.record("no problem")
            return
        }
        #expect(problem.name == name && problem.status == status)
    }

    @Test("an answer that is not described is told, and not stored")
    func unexpected() async throws {
        for answer in [
            HTTPAnswer(status: 502, headers: [:], body: Data("<html>".utf8)), FakeServer.ok("{}", tag: "\"x\""),
        ] {
            try await TemporaryFolder.with { folder in
                let place = try Place([answer, nil], cacheIn: folder)
                let first = await error { () async throws(KPIClientError) in try await place.client.trips() }
                #expect(first == .unexpectedAnswer(status: answer.status))
                #expect(await error { () async throws(KPIClientError) in try await place.client.trips() } == .offline)
            }
        }
    }

    @Test("without a connection a recent answer is shown with its age; after a day nothing is")
    func offline() async throws {
        try await TemporaryFolder.with { folder in
            let place = try Place([FakeServer.ok("[\(Self.trip)]", tag: "\"a\""), nil], cacheIn: folder)
            #expect(try await place.client.trips().origin == .server)
            place.clock.advance(by: 3 * 3_600)
            let later = try await place.client.trips()
            #expect(
                later.origin == .cache(ageSeconds: 10_800, reason: .offline)
                    && later.notice == "Offline: figures from 3 hours ago")
            #expect(later.value.trips.count == 1)
            #expect(
                await error { () async throws(KPIClientError) in try await place.client.trips(.init(region: "North")) }
                    == .offline)
            place.clock.advance(by: 21 * 3_600 + 1)
            #expect(await error { () async throws(KPIClientError) in try await place.client.trips() } == .offline)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "cache")).isEmpty)
        }
    }

    @Test("an answer that is the same is sent once; it is then as new as the server says")
    func unchanged() async throws {
        try await TemporaryFolder.with { folder in
            let place = try Place(
                [FakeServer.ok("[\(Self.trip)]", tag: "\"a\""), FakeServer.unchanged, nil], cacheIn: folder)
            _ = try await place.client.trips()
            place.clock.advance(by: 20 * 3_600)
            #expect(try await place.client.trips().origin == .server)
            #expect(place.server.requests[1].headers["If-None-Match"] == "\"a\"")
            place.clock.advance(by: 20 * 3_600)
            #expect(try await place.client.trips().origin == .cache(ageSeconds: 72_000, reason: .offline))
        }
    }

    @Test("the cache has no text of an answer, not in names either; another key or a changed byte opens nothing")
    func encryption() async throws {
        try await TemporaryFolder.with { folder in
            let place = try Place([FakeServer.ok("[\(Self.trip)]", tag: "\"TAGCANARY\""), nil], cacheIn: folder)
            _ = try await place.client.trips(.init(region: "CANARYNORTH"))
            let cache = folder.path(of: "cache")
            let names = try FileManager.default.contentsOfDirectory(atPath: cache)
            #expect(names.count == 1 && names[0].count == 64)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: cache + "/" + names[0]))
            for text in ["CANARY", "trips", "2026-03", "kpi.example", "••"] {
                #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text)")
            }
            let other = try KPIClient(
                base: try #require(URL(string: "https://kpi.example.org")), transport: FakeServer([nil]),
                tokens: TestTokens(),
                cache: ResponseCache(folder: URL(fileURLWithPath: cache), key: SymmetricKey(size: .bits256), user: "a"),
                now: { place.clock.now })
            #expect(
                await error { () async throws(KPIClientError) in try await other.trips(.init(region: "CANARYNORTH")) }
                    == .offline)
            var changed = bytes
            changed[changed.count / 2] ^= 1
            try changed.write(to: URL(fileURLWithPath: cache + "/" + names[0]))
            #expect(
                await error { () async throws(KPIClientError) in
                    try await place.client.trips(.init(region: "CANARYNORTH"))
                }
                    == .offline)
        }
    }

    @Test("the details of a trip are never stored, and never shown without a connection")
    func details() async throws {
        try await TemporaryFolder.with { folder in
            let detail =
                Self.trip.dropLast()
                + #","cost":12.50,"patientId":"••••••••","privacy":"limited-data-set","tripType":"Routine","region":null,"sourcing":"inHouse","response":null}"#
            let place = try Place([FakeServer.ok(String(detail), tag: "\"a\""), nil], cacheIn: folder)
            let trip = try await place.client.trip("00000000000000000000000000000001")
            #expect(trip.cost == Cents(cents: 1_250) && trip.patientId == Trip.mask)
            #expect(!FileManager.default.fileExists(atPath: folder.path(of: "cache")))
            let again = await error { () async throws(KPIClientError) in
                try await place.client.trip("00000000000000000000000000000001")
            }
            #expect(again == .offline)
        }
    }

    @Test("requests that are refused at once refresh the token once")
    func oneRefresh() async throws {
        let place = try Place([FakeServer.ok("[]")], expired: "token0")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { _ = try await place.client.trips() } }
            try await group.waitForAll()
        }
        // On a busy machine some begin when the token is new.
        #expect(place.tokens.refreshCount == 1 && (9...16).contains(place.server.requests.count))
    }

    @Test("without a connection to the sign-in the cache is shown too; a cancelled task gets no figures")
    func signInOffline() async throws {
        try await TemporaryFolder.with { folder in
            _ = try await Place([FakeServer.ok("[]", tag: "\"a\"")], cacheIn: folder).client.trips()
            let offline = try Place(
                [nil], cacheIn: folder, tokens: TestTokens(failure: URLError(.notConnectedToInternet)))
            #expect(try await offline.client.trips().origin == .cache(ageSeconds: 0, reason: .offline))
            let cancelled = try Place([nil], cacheIn: folder, tokens: TestTokens(failure: CancellationError()))
            #expect(await error { () async throws(KPIClientError) in try await cancelled.client.trips() } == .cancelled)
        }
    }

    @Test("a server that is not available leaves the cache; one that refuses removes it")
    func unavailable() async throws {
        let bad = HTTPAnswer(status: 502, headers: [:], body: Data("<html>".utf8))
        for (answer, isShown) in [
            (bad, true), (FakeServer.problem(503, "nothing-published"), true),
            (FakeServer.problem(429, "too-many-requests"), false),
            (FakeServer.problem(403, "missing-scope"), false), (FakeServer.problem(404, "withheld"), false),
        ] {
            try await TemporaryFolder.with { folder in
                let place = try Place([FakeServer.ok("[]", tag: "\"a\""), answer], cacheIn: folder)
                _ = try await place.client.trips()
                let found = try? await place.client.trips()
                #expect((found != nil) == isShown, "\(answer.status)")
                if isShown {
                    #expect(found?.notice == "The server is not available: figures from less than a minute ago")
                }
                let isRefusal = [403, 404].contains(answer.status)
                let files = try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "cache"))
                #expect(files.isEmpty == isRefusal, "\(answer.status)")
            }
        }
    }

    @Test("one user's answers are not shown to another; files of a day ago are removed, whatever is asked for")
    func users() async throws {
        try await TemporaryFolder.with { folder in
            let first = try Place([FakeServer.ok("[\(Self.trip)]", tag: "\"a\""), nil], cacheIn: folder)
            _ = try await first.client.trips()
            let second = try Place([nil], cacheIn: folder, user: "b")
            #expect(await error { () async throws(KPIClientError) in try await second.client.trips() } == .offline)
            let names = { try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "cache")) }
            #expect(try names().count == 1)
            second.clock.advance(by: 86_401)
            #expect(await error { () async throws(KPIClientError) in try await second.client.summary() } == .offline)
            #expect(try names().isEmpty)
        }
    }

    @Test("the next page is the one that the last answer names, also where the answer itself is the same")
    func nextPage() async throws {
        try await TemporaryFolder.with { folder in
            let link = #"</trips?limit=1&cursor=00000000000000000000000000000001>; rel="next""#
            var unchanged = FakeServer.unchanged
            unchanged.headers["link"] = link
            let place = try Place([FakeServer.ok("[\(Self.trip)]", tag: "\"a\""), unchanged], cacheIn: folder)
            #expect(try await !place.client.trips().value.hasMore)
            #expect(try await place.client.trips().value.hasMore)
        }
    }

    @Test("tokens are sent with TLS, or to this machine")
    func addresses() throws {
        for (address, isFine) in [
            ("https://kpi.example.org", true), ("http://127.0.0.1:8080", true), ("http://localhost:8080", true),
            ("http://kpi.example.org", false), ("ftp://kpi.example.org", false),
        ] {
            let url = try #require(URL(string: address))
            #expect(((try? KPIClient(base: url, tokens: nil)) != nil) == isFine, "\(address)")
        }
    }

    @Test("a masked field is shown for ten seconds after it is asked for, and in no text of it")
    func reveal() {
        let clock = TestClock()
        var field = MaskedField("CANARY")
        #expect(field.shown(now: clock.now) == Trip.mask && "\(field)" == Trip.mask)
        field.reveal(now: clock.now)
        #expect(field.shown(now: clock.now) == "CANARY")
        clock.advance(by: 9.9)
        #expect(field.shown(now: clock.now) == "CANARY")
        clock.advance(by: 0.1)
        #expect(field.shown(now: clock.now) == Trip.mask)
        field.reveal(now: clock.now)
        clock.advance(by: -1)
        #expect(field.shown(now: clock.now) == Trip.mask)
        field.reveal(now: clock.now)
        field.hide()
        #expect(!field.isRevealed(now: clock.now) && !String(reflecting: field).contains("CANARY"))
        var dumped = ""
        dump(field, to: &dumped)
        #expect(!dumped.contains("CANARY"))
    }

    @Test(arguments: [
        ("vaambulance://dashboard", DeepLink.dashboard(.init())),
        ("vaambulance://dashboard?month=2026-03", .dashboard(.init(month: "2026-03"))),
        (
            "vaambulance://dashboard?region=North%20East&type=Routine",
            .dashboard(.init(region: "North East", tripType: "Routine"))
        ),
        ("vaambulance://trip/0000000000000000000000000000000a", .trip(id: "0000000000000000000000000000000a")),
        ("vaambulance://trip/x", nil), ("vaambulance://trip/../0000000000000000000000000000000a", nil),
        ("https://dashboard", nil),
        ("vaambulance://dashboard?month=", nil), ("vaambulance://dashboard?token=x", nil), ("vaambulance://other", nil),
        ("vaambulance://trip/0000000000000000000000000000000a?x=1", nil),
    ])
    func links(text: String, wanted: DeepLink?) throws {
        #expect(DeepLink(try #require(URL(string: text))) == wanted)
    }
}
