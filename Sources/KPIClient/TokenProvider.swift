/// Where the client gets its bearer tokens: the app's sign-in.
public protocol TokenProvider: Sendable {
    /// The token to send.
    ///
    /// - Parameter isRefresh: true after the server has refused the last token: a new one is needed. The client asks once,
    ///   however many requests were refused.
    /// - Throws: `NotSignedIn` where a person must sign in. Any other error counts as no connection.
    func token(isRefresh: Bool) async throws -> String
}

/// A person must sign in before a token can be had.
public struct NotSignedIn: Error, Sendable, Hashable {
    /// No reason is kept.
    public init() {}
}

/// A token that does not change, for scripts.
public struct FixedToken: TokenProvider {
    private let text: String

    /// - Parameter text: the token.
    public init(_ text: String) { self.text = text }

    /// The token.
    public func token(isRefresh: Bool) async throws -> String { text }
}

/// Asks a provider, and refreshes a token once for all requests that it was refused to.
actor TokenSource {
    private let provider: any TokenProvider
    private var refresh: (refused: String, task: Task<String, any Error>)?

    /// The refreshed token was refused too: the next request asks the provider again.
    func forgetRefresh() { refresh = nil }

    init(_ provider: any TokenProvider) { self.provider = provider }

    func token() async throws -> String { try await provider.token(isRefresh: false) }

    /// - Parameter refused: the token that the server did not accept.
    func token(insteadOf refused: String) async throws -> String {
        if let refresh, refresh.refused == refused { return try await refresh.task.value }
        let provider = provider
        let task = Task { try await provider.token(isRefresh: true) }
        refresh = (refused, task)
        do {
            return try await task.value
        } catch {
            // The next request may try again.
            if refresh?.refused == refused { refresh = nil }
            throw error
        }
    }
}
