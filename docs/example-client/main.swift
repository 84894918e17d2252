import Crypto
import Foundation
import KPIClient
import KPIContract

// Reads the API as the app does, and prints what it finds:
//
//     kpi-example http://127.0.0.1:8080 [REGION] <token
//
// The token comes from standard input: arguments can be seen by every user of the machine.

let words = CommandLine.arguments.dropFirst()
guard let base = words.first.flatMap(URL.init(string:)), let token = readLine() else {
    FileHandle.standardError.write(Data("usage: kpi-example ADDRESS [REGION] <token\n".utf8))
    exit(64)
}

do {
    // An app takes the key from its keychain, and the user from its sign-in.
    let cache = ResponseCache(
        folder: FileManager.default.temporaryDirectory.appendingPathComponent("kpi-example-\(UUID().uuidString)"),
        key: SymmetricKey(size: .bits256), user: "example")
    let client = try KPIClient(base: base, tokens: FixedToken(token), cache: cache)

    // The cards of the dashboard, over everything or of one region.
    let choice = KPIClient.Choice(region: words.dropFirst().first)
    let summary = try await client.summary(choice, headlinesOnly: true)
    for card in summary.value.kpiCards { print("\(card.title): \(card.value) (\(card.subtitle))") }
    for sentence in summary.value.headline?.sentences ?? [] { print(sentence) }
    if let notice = summary.notice { print(notice) }

    // The newest trips, two pages of them, and one in detail.
    var page = try await client.trips(choice, limit: 3).value
    var trips = page.trips
    if let next = try await client.page(after: page)?.value {
        page = next
        trips += page.trips
    }
    for trip in trips { print(trip.accessibilityLabel ?? trip.title) }
    if let first = trips.first {
        let detail = try await client.trip(first.id)
        // Costs are shown for ten seconds after somebody asks.
        var cost = MaskedField(detail.cost.map(\.description) ?? "none")
        print("Cost: \(cost)")
        cost.reveal(now: Date())
        print("Cost, revealed: \(cost.shown(now: Date()))")
    }
    await cache.removeAll()
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
