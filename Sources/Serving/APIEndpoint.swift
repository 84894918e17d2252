import Basics
import Hummingbird

/// A path that is served: one row of the table, with its parameters, what a token must allow, and the handler.
///
/// This is no router of a library: a path is compared as it was sent, so one that is encoded or joined otherwise is not found, and a
/// request is counted by its address before anything of it is answered, unless a token is needed and accepted.
package struct APIEndpoint: Sendable {
    /// Who gets an answer, and who makes it. The handlers are called after the parameters were read.
    enum Handler: Sendable {
        /// No token is needed. There are no parameters.
        case open(@Sendable (APIResponder) -> @Sendable (APIRequest) -> Response)
        /// Any token that is accepted.
        case token(@Sendable (APIResponder) -> @Sendable (APIRequest, APICaller) -> Response)
        /// `kpi.staff` or `kpi.release`, for the audience of the set.
        case figures(SetHandler)
        /// `trips.read`.
        case trips(SetHandler)
    }

    typealias SetHandler =
        @Sendable (APIResponder) -> @Sendable (APIRequest, APICaller, ServedSet) async throws(APIProblem) -> Response

    /// In the log: the path, without ids.
    package let name: String
    let parameters: [String]
    let handler: Handler

    private init(_ name: String, _ handler: Handler, parameters: [String] = []) {
        self.name = name
        self.handler = handler
        self.parameters = parameters
    }

    private static let page = APIEndpoint("/", .figures(APIResponder.page), parameters: ["audience"])
    private static let trip = APIEndpoint("/trip/{id}", .trips(APIResponder.trip))
    private static let all: [APIEndpoint] = [
        page,
        APIEndpoint(
            "/kpi", .figures(APIResponder.summary), parameters: ["month", "region", "type", "view", "audience"]),
        APIEndpoint(
            "/kpi/cells", .figures(APIResponder.cells), parameters: ["month", "region", "type", "audience"]),
        APIEndpoint(
            "/trips", .trips(APIResponder.trips), parameters: ["month", "region", "type", "limit", "cursor"]),
        APIEndpoint("/trips.html", .trips(APIResponder.tripsPage)),
        APIEndpoint("/v1/whoami", .token(APIResponder.whoami)),
        APIEndpoint("/health", .open(APIResponder.health)),
        APIEndpoint("/openapi.json", .open(APIResponder.openAPI)),
    ]
    /// Pages of a set name each other by their files.
    private static let byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
        .merging(["/\(PublishedFileNames.page)": page]) { first, _ in first }

    /// The endpoint of a path, and the id of a trip that the path names.
    package static func find(_ path: String) -> (endpoint: APIEndpoint, tripID: String)? {
        if let endpoint = byPath[path] { return (endpoint, "") }
        let prefix = "/trip/"
        guard path.hasPrefix(prefix) else { return nil }
        let id = String(path.dropFirst(prefix.count))
        // Any other text is the id of no trip.
        return isTripID(id) ? (trip, id) : nil
    }

    static func isTripID(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }
}
