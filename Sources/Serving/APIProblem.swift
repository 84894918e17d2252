import HTTPTypes
import KPIContract

/// Why a request has no answer (RFC 9457). It never repeats input.
package enum APIProblem: Error, Sendable, Hashable {
    /// The request itself is not one that can be answered.
    case badRequest
    /// The detail names the parameter, and what can be given.
    case badParameter(detail: String)
    case notAFilter(detail: String)
    case badCursor
    case missingToken
    case badToken
    case expiredToken
    case missingScope
    case notFound
    case withheld
    case methodNotAllowed
    case notAcceptable
    case longAddress
    case tooManyRequests
    /// The detail is what the operator must do.
    case nothingPublished(detail: String)
    case wrongHost
    case failed

    var status: HTTPResponse.Status {
        switch self {
        case .badRequest, .badParameter, .notAFilter, .badCursor: .badRequest
        case .missingToken, .badToken, .expiredToken: .unauthorized
        case .missingScope: .forbidden
        case .notFound, .withheld: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .notAcceptable: .notAcceptable
        case .longAddress: .uriTooLong
        case .tooManyRequests: .tooManyRequests
        case .nothingPublished: .serviceUnavailable
        case .wrongHost: .misdirectedRequest
        case .failed: .internalServerError
        }
    }

    /// The end of `type`, and a name in the log.
    package var name: String {
        switch self {
        case .badRequest: "bad-request"
        case .badParameter: "bad-parameter"
        case .notAFilter: "not-a-filter"
        case .badCursor: "bad-cursor"
        case .missingToken: "missing-token"
        case .badToken: "bad-token"
        case .expiredToken: "expired-token"
        case .missingScope: "missing-scope"
        case .notFound: "not-found"
        case .withheld: "withheld"
        case .methodNotAllowed: "method-not-allowed"
        case .notAcceptable: "not-acceptable"
        case .longAddress: "long-address"
        case .tooManyRequests: "too-many-requests"
        case .nothingPublished: "nothing-published"
        case .wrongHost: "wrong-host"
        case .failed: "failed"
        }
    }

    package var title: String {
        switch self {
        case .badRequest: "A request has one Host header and no body."
        case .badParameter: "A parameter is unknown, repeated or invalid."
        case .notAFilter: "A month, region or trip type is not one that can be chosen here."
        case .badCursor: "The cursor is not in this list. Start again with the first page."
        case .missingToken: "A bearer token is needed."
        case .badToken: "The token is not accepted."
        case .expiredToken: "The token has expired. Get a new one."
        case .missingScope: "The token does not have the scope that this needs."
        case .notFound: "Not found."
        case .withheld: "The data are withheld."
        case .methodNotAllowed: "Only GET and HEAD are allowed."
        case .notAcceptable: "This media type is not available."
        case .longAddress: "The address is too long."
        case .tooManyRequests: "Too many requests. Wait, then try again."
        case .nothingPublished: "Nothing is published yet."
        case .wrongHost: "Without tokens, call the server as localhost, 127.0.0.1 or [::1]."
        case .failed: "The request could not be answered. The log of the server says why."
        }
    }

    /// What is wrong in this request, and what to do. It names parameters and what can be given, never what was given.
    package var detail: String? {
        switch self {
        case .badParameter(let detail), .notAFilter(let detail), .nothingPublished(let detail): detail
        default: nil
        }
    }

    /// Where the types are explained.
    static let typePrefix = "https://tripkpi.example/problems/"

    package var statusCode: Int { status.code }

    var body: [UInt8] {
        let problem: CanonicalJSON = [
            "type": Self.typePrefix + name, "title": title, "status": status.code,
            "detail": detail.map(CanonicalJSON.text) ?? .absent,
        ]
        return problem.line
    }

    var headers: HTTPFields {
        var headers: HTTPFields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
        switch self {
        case .missingToken: headers[.wwwAuthenticate] = "Bearer"
        case .badToken, .expiredToken: headers[.wwwAuthenticate] = #"Bearer error="invalid_token""#
        case .missingScope: headers[.wwwAuthenticate] = #"Bearer error="insufficient_scope""#
        case .methodNotAllowed: headers[.allow] = "GET, HEAD"
        case .tooManyRequests: headers[.retryAfter] = "1"
        case .nothingPublished: headers[.retryAfter] = "60"
        default: break
        }
        return headers
    }
}
