import HTTPTypes
import Hummingbird

/// The other sites whose scripts may read answers in a browser (https://fetch.spec.whatwg.org/#http-cors-protocol).
///
/// A script sends its token in a header. Cookies and other credentials of the browser are never allowed.
struct CrossOrigin: Sendable {
    /// `https://app.example.org`; compared as they were sent.
    let origins: Set<String>

    private static let exposed = "ETag, Link, Retry-After, WWW-Authenticate"

    /// Lets the scripts of a listed origin read an answer.
    func allow(_ origin: String?, _ headers: inout HTTPFields) {
        guard !origins.isEmpty else { return }
        // A cache must not give the answer for one site to another.
        headers[.vary] = [headers[.vary], "Origin"].compactMap(\.self).joined(separator: ", ")
        guard let origin, origins.contains(origin) else { return }
        headers[.accessControlAllowOrigin] = origin
        headers[.accessControlExposeHeaders] = Self.exposed
    }

    /// The answer to a browser that asks before it sends a token; nil: it is no such question, or of another origin.
    func preflight(_ request: HTTPRequest) -> Response? {
        guard request.method == .options, !request.endsConnection,
            request.headerFields[.accessControlRequestMethod] != nil,
            let origin = request.headerFields[.origin], origins.contains(origin)
        else { return nil }
        return Response(
            status: .noContent,
            headers: [
                .accessControlAllowMethods: "GET, HEAD", .accessControlAllowHeaders: "Authorization, If-None-Match",
                .accessControlMaxAge: "600", .cacheControl: "no-store",
            ])
    }
}
