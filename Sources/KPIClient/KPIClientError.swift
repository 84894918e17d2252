import Foundation

/// Why there is no answer. It holds no token and no value of a trip.
public enum KPIClientError: Error, Sendable, Hashable {
    /// The server answered with a problem (RFC 9457).
    case problem(APIProblemReport)
    /// No answer came, and nothing is in the cache that may be shown.
    case offline
    /// A person must sign in.
    case notSignedIn
    /// The task that asked was cancelled.
    case cancelled
    /// Tokens are sent to an address with TLS, or of this machine.
    case insecureAddress
    /// The answer is not what `openapi.yaml` describes.
    case unexpectedAnswer(status: Int)
}

/// A problem of the server: `openapi.yaml` lists them.
public struct APIProblemReport: Decodable, Sendable, Hashable {
    /// Ends with the problem's name: `https://tripkpi.example/problems/withheld`.
    public var type: String
    /// One sentence.
    public var title: String
    /// What is wrong in this request, and what can be chosen; nil: the title says it all.
    public var detail: String?
    /// As in the answer.
    public var status: Int

    /// `withheld`; what programs decide by.
    public var name: String { type.split(separator: "/").last.map(String.init) ?? type }

    /// A problem.
    public init(type: String, title: String, detail: String? = nil, status: Int) {
        self.type = type
        self.title = title
        self.detail = detail
        self.status = status
    }
}

extension KPIClientError: CustomStringConvertible {
    /// One sentence, or two.
    public var description: String {
        switch self {
        case .problem(let problem): [problem.title, problem.detail].compactMap(\.self).joined(separator: " ")
        case .offline: "There is no connection, and nothing recent to show."
        case .notSignedIn: "Sign in first."
        case .cancelled: "The request was cancelled."
        case .insecureAddress: "The server's address must begin with https."
        case .unexpectedAnswer(let status): "The server's answer (\(status)) cannot be read."
        }
    }
}
