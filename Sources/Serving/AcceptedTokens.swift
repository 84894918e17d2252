import Files
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
        var tokens: [[UInt8]: Accepted] = [:]
    }

    private let state = Mutex(State())
    private static let mostTokens = 10_000

    static func hash(of token: String) -> [UInt8] {
        var hash = ContentHash()
        hash.update(Array(token.utf8))
        return hash.bytes
    }

    func accepted(_ hash: [UInt8], by keys: TokenKeys.Keys) -> Accepted? {
        state.withLock { $0.version == keys.version ? $0.tokens[hash] : nil }
    }

    func add(_ accepted: Accepted, for hash: [UInt8], by keys: TokenKeys.Keys) {
        state.withLock { state in
            if state.version != keys.version || state.tokens.count >= Self.mostTokens {
                state = State(version: keys.version)
            }
            state.tokens[hash] = accepted
        }
    }
}
