public import Foundation

/// A request to the API: always GET.
public struct HTTPRequestHead: Sendable, Hashable {
    /// Where.
    public var url: URL
    /// By name.
    public var headers: [String: String]

    /// A request.
    public init(url: URL, headers: [String: String] = [:]) {
        self.url = url
        self.headers = headers
    }
}

/// What came back.
public struct HTTPAnswer: Sendable, Hashable {
    /// `200`.
    public var status: Int
    /// By name in lower case.
    public var headers: [String: String]
    /// Inflated, if it was packed.
    public var body: Data

    /// An answer.
    public init(status: Int, headers: [String: String], body: Data) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Sends requests. Tests have one of their own.
public protocol HTTPTransport: Sendable {
    /// - Throws: any error where no answer came: the client then falls back to its cache.
    func send(_ request: HTTPRequestHead) async throws -> HTTPAnswer
}
