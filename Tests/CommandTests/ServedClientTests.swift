import AppTypes
import Crypto
import Foundation
import KPIClient
import KPIContract
import TestSupport
import Testing

/// The client library against the real server.
@Suite struct ServedClientTests {
    private struct Demo {
        let address: URL
        let token: String

        /// The bytes of an address.
        func bytes(_ path: String) async throws -> Data {
            let url = try #require(URL(string: address.absoluteString + path))
            let answer = try await URLSessionTransport().send(
                HTTPRequestHead(url: url, headers: ["Authorization": "Bearer " + token]))
            #expect(answer.status == 200, "\(path)")
            return answer.body
        }
    }

    private func withServer(
        _ body: (_ client: KPIClient, _ cached: KPIClient, _ server: RunningProgram, _ demo: Demo) async throws -> Void
    ) async throws {
        let runner = try CommandRunner()
        try await TemporaryFolder.with { folder in
            try folder.write("trips_feed: limited-data-set\n", to: "tripkpi.yaml")
            let environment = [
                "TRIPKPI_RELEASE_APPROVAL": "never", "SOURCE_DATE_EPOCH": "1775172800",
                "TRIPKPI_DATA": Repository.root.path + "/data",
            ]
            try FileManager.default.createDirectory(atPath: folder.path(of: "inbox"), withIntermediateDirectories: true)
            for words in [
                [
                    "sample", "--rows", "3000", "--months", "4", "--from", "2025-12", "--seed", "5", "--output",
                    "inbox/trips.csv",
                ], ["run"],
            ] {
                let result = try runner.run(words, environment: environment, in: folder.url)
                #expect(result.status == 0, "\(result.stderrText)")
            }
            try await runner.withRunning(
                ["serve", "--demo", "--listen", "127.0.0.1:0"], environment: environment, in: folder
            ) { server in
                let told = try await server.lines(atLeast: 4)
                let token = try #require(told.first?.dropFirst("token=".count))
                let base = try #require(told.last?.split(separator: " ").last?.split(separator: "/health").first)
                let url = try #require(URL(string: String(base)))
                let cache = ResponseCache(
                    folder: URL(fileURLWithPath: folder.path(of: "cache")), key: SymmetricKey(size: .bits256),
                    user: "demo")
                try await body(
                    try KPIClient(base: url, tokens: FixedToken(String(token))),
                    try KPIClient(base: url, tokens: FixedToken(String(token)), cache: cache), server,
                    Demo(address: url, token: String(token)))
            }
        }
    }

    @Test("figures, filters, pages, a trip, 304, a problem, and what is left when the server is gone")
    func everything() async throws {
        try await withServer { client, cached, server, _ in
            let whole = try await cached.summary().value
            #expect(whole.audience == "staff" && whole.totalTrips > 2_000)
            #expect(try await cached.summary().value == whole)
            let north = try await client.summary(.init(month: "2026-01", region: "North"), headlinesOnly: true).value
            #expect(try north.cells.first == whole.filtered(month: "2026-01", region: "North").cells.first)
            var page = try await client.trips(limit: 700).value, trips = page.trips
            while let next = try await client.page(after: page)?.value {
                page = next
                trips += page.trips
            }
            #expect(trips.count == whole.totalTrips && Set(trips.map(\.id)).count == trips.count)
            let detail = try await client.trip(trips[0].id)
            #expect(detail.trip == trips[0] && detail.patientId == Trip.mask)
            #expect(try await client.access().scopes == ["kpi.release", "kpi.staff", "trips.read"])
            let nowhere = await #expect(throws: KPIClientError.self) {
                try await client.summary(.init(region: "Nowhere"))
            }
            let regions = whole.filters.regions.filter { $0 != "All" }.joined(separator: ", ")
            #expect(nowhere?.description.contains("region must be All or one of \(regions).") == true)
            let unknown = await #expect(throws: KPIClientError.self) {
                try await client.trip(String(repeating: "0", count: 32))
            }
            if case .problem(let problem)? = unknown {
                #expect(problem.name == "not-found")
            } else {
                Issue.record("not a problem of the server")
            }
            server.end()
            let held = try await cached.summary()
            guard case .cache = held.origin else {
                Issue.record("not of the cache")
                return
            }
            #expect(held.value == whole && held.notice != nil)
            await #expect(throws: KPIClientError.offline) { try await client.summary() }
        }
    }

    @Test("the app's own types decode what is served, with no options")
    func appTypes() async throws {
        try await withServer { _, _, _, demo in
            let decoder = JSONDecoder()
            for path in ["/kpi", "/kpi?region=North&month=2026-01", "/kpi?audience=release", "/kpi?view=headlines"] {
                let body = try await demo.bytes(path)
                let summary = try decoder.decode(KPISummary.self, from: body)
                let dashboard = try decoder.decode(Dashboard.self, from: body)
                #expect(summary.totalTrips == dashboard.totalTrips && summary.totalTrips > 0, "\(path)")
                #expect((0...100).contains(dashboard.inHousePercent) && summary.chartData.count >= 1, "\(path)")
                #expect(try decoder.decode(CardsAsSummaries.self, from: body).kpiCards.count == 5, "\(path)")
                #expect(try decoder.decode(CardsAsWords.self, from: body).kpiCards.allSatisfy { !$0.title.isEmpty })
            }
            let trips = try decoder.decode([ListedTrip].self, from: try await demo.bytes("/trips?limit=20"))
            #expect(trips.count == 20 && trips.allSatisfy { $0.phiField == Trip.mask && !$0.date.isEmpty })
            let detail = try decoder.decode(TripWithCost.self, from: try await demo.bytes("/trip/" + trips[0].id))
            #expect(detail.id == trips[0].id && detail.patientId == Trip.mask)
        }
    }

    @Test("the example of the documentation runs against the real server")
    func example() async throws {
        try await withServer { _, _, _, demo in
            let program = try CommandRunner(executable: CommandRunner.built("kpi-example"))
            let result = try program.run(
                [demo.address.absoluteString, "North"], stdin: Array((demo.token + "\n").utf8))
            #expect(result.status == 0, "\(result.stderrText)")
            let lines = result.stdoutText.split(separator: "\n")
            #expect(lines.first?.hasPrefix("Total trips: ") == true && lines.count > 12)
            #expect(lines.count { $0.hasPrefix("Trip on ") } == 6)
            #expect(lines.contains("Cost: \(Trip.mask)") && lines.last?.hasPrefix("Cost, revealed: ") == true)
        }
    }

    @Test("a request that is cancelled ends, however early", .timeLimit(.minutes(2)))
    func cancelled() async throws {
        try await withServer { client, _, _, _ in
            for _ in 0..<50 {
                let task = Task { try await client.summary(headlinesOnly: true).value }
                task.cancel()
                if case .failure(let error) = await task.result {
                    #expect(error as? KPIClientError == .cancelled)
                }
            }
        }
    }
}
