import Basics
import HTTPTypes
import Hummingbird
import KPIContract
import Logging
import NIOPosix
import Publishing

extension APIResponder {
    @Sendable func trips(
        _ asked: APIRequest, _ caller: APICaller, _ set: ServedSet
    ) async throws(APIProblem) -> Response {
        let query = asked.parameters, choice = try choice(query, set, caller)
        let limit = try query.number("limit", in: 1...1_000) ?? 100
        let cursor = query["cursor"]
        guard cursor.map(APIEndpoint.isTripID) ?? true else { throw .badCursor }
        let filter = TripPages.Filter(
            month: choice.month == CellKey.all ? nil : choice.month,
            tripType: choice.tripType == CellKey.all ? nil : choice.tripType,
            region: choice.region == CellKey.all ? nil : choice.region)
        // Rows under safe-harbor have years and no regions: an empty list would read as "no trips".
        guard let pages = set.trips, pages.canFilter(by: filter) else {
            throw .notAFilter(detail: "These trips have years and no regions: leave out month and region.")
        }
        guard let found = try await read(set, { pages in try pages.page(filter, after: cursor, limit: limit) }) else {
            throw .badCursor
        }
        let body = CanonicalJSON.list(found.trips.map(\.trip.canonical)).document
        let page = Representation(body, ServedSet.json, isPacked: Self.acceptsGzip(asked.request))
        var response = Self.response(page, asked.request)
        if found.hasMore, let last = found.trips.last {
            let others =
                [("month", choice.month), ("region", choice.region), ("type", choice.tripType)]
                .filter { $0.1 != CellKey.all } + [("limit", "\(limit)"), ("cursor", last.id)]
            let text = others.map { "\($0.0)=\(Self.escaped($0.1))" }.joined(separator: "&")
            if let link = HTTPField.Name("Link") { response.headers[link] = "</trips?\(text)>; rel=\"next\"" }
        }
        return response
    }

    @Sendable func trip(
        _ asked: APIRequest, _ caller: APICaller, _ set: ServedSet
    ) async throws(APIProblem) -> Response {
        guard let trip = try await read(set, { pages in try pages.trip(asked.tripID) }) else { throw .notFound }
        return Self.json(trip.canonical)
    }

    private func read<Value: Sendable>(
        _ set: ServedSet, _ body: @escaping @Sendable (TripPages) throws -> Value
    ) async throws(APIProblem) -> Value {
        guard let pages = set.trips else { throw Self.noTrips }
        do {
            return try await readers.runIfActive { try body(pages) }
        } catch {
            let why =
                error is TripPagesError ? "trips.sqlite of set \(set.id) cannot be read" : "the server is shutting down"
            log.error("\(why)", metadata: ["event": "trips.failed", "set": "\(set.id)", "why": "\(why)"])
            throw .failed
        }
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
