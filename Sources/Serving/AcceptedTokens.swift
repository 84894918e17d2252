import Encoding
import Foundation
import Synchronization

/// Tokens whose signature was checked with the keys that are in force: a client sends the same token for minutes, and checking its
/// signature costs more than answering. Times are checked again at each request.
///
/// Tokens are known by their SHA-256: none is held.
final class AcceptedTokens: Sendable {
    struct Accepted: Sendable {
        var caller: APICaller
        /// Seconds since 1970; nil: at once.
        var begins: Double?
        var ends: Double
    }

    private struct State {
        var version: UUID?
        var tokens: [String: Accepted] = [:]
    }

    private let state = Mutex(State())
    private static let mostTokens = 10_000

    func accepted(_ token: String, by keys: TokenKeys.Keys) -> Accepted? {
        let hash = ContentHash.of(Array(token.utf8))
        return state.withLock { $0.version == keys.version ? $0.tokens[hash] : nil }
    }

    func add(_ accepted: Accepted, for token: String, by keys: TokenKeys.Keys) {
        let hash = ContentHash.of(Array(token.utf8))
        state.withLock { state in
            if state.version != keys.version || state.tokens.count >= Self.mostTokens {
                state = State(version: keys.version)
            }
            state.tokens[hash] = accepted
        }
    }
}
