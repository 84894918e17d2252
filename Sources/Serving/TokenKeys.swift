import Foundation
import JWTKit
import Logging
import ServiceLifecycle
import Synchronization

/// The public keys that tokens are signed with: a JWKS file, read again when it changes.
final class TokenKeys: Service {
    /// Keys by their names, as one version of the file has them.
    struct Keys: Sendable {
        let names: Set<String>
        let collection: JWTKeyCollection
        /// One for each version of the file.
        let version = UUID()
    }

    /// Nil: the keys never change.
    private let path: String?
    private let interval: Duration
    private let log: Logger
    private let current: Mutex<Keys>
    /// The bytes that were read last, whether they could be used or not: each version is reported once.
    private let lastRead: Mutex<Data?>

    /// - Throws: `APIServerError`.
    init(path: String, interval: Duration = .seconds(1), log: Logger) async throws(APIServerError) {
        guard let bytes = FileManager.default.contents(atPath: path) else { throw .unreadable(path: path) }
        guard let keys = await Self.keys(bytes) else { throw .noKeys(path: path) }
        self.path = path
        self.interval = interval
        self.log = log
        current = Mutex(keys)
        lastRead = Mutex(bytes)
    }

    /// - Parameter keys: they never change.
    init(_ keys: Keys, log: Logger) {
        path = nil
        interval = .seconds(3_600)
        self.log = log
        current = Mutex(keys)
        lastRead = Mutex(nil)
    }

    var keys: Keys { current.withLock { $0 } }

    private struct KeySet: Decodable {
        /// A key of a kind that is not known here must not keep others from being used.
        struct Member: Decodable {
            /// Nil: it is for something else than the signatures of tokens.
            let key: JWK?

            private enum CodingKeys: String, CodingKey { case use }

            /// Base64 of 2,048 bits: shorter keys of RSA can be broken.
            private static let shortestModulus = 342

            /// RS256 and ES256 alone: with a symmetric key a reader could make tokens.
            init(from decoder: any Decoder) throws {
                let use = try? decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .use)
                var key = use == "enc" ? nil : try? JWK(from: decoder)
                let isRSA = key?.keyType == .rsa && (key?.modulus?.utf8.count ?? 0) >= Self.shortestModulus
                let isEC = key?.keyType == .ecdsa && key?.curve == .ecdsa(.p256)
                let algorithm: JWK.Algorithm = isRSA ? .rs256 : .es256
                if !isRSA && !isEC || (key?.algorithm ?? algorithm) != algorithm { key = nil }
                // A key verifies with its own algorithm, whatever a token says.
                key?.algorithm = algorithm
                self.key = key
            }
        }

        let keys: [Member]
    }

    /// How many keys a file has that tokens may be signed with.
    static func countOfKeys(in bytes: Data) -> Int {
        let set = try? JSONDecoder().decode(KeySet.self, from: bytes)
        return set?.keys.count { $0.key?.keyIdentifier != nil } ?? 0
    }

    /// Nil: there is no key that tokens may be signed with.
    private static func keys(_ bytes: Data) async -> Keys? {
        guard let set = try? JSONDecoder().decode(KeySet.self, from: bytes) else { return nil }
        let collection = JWTKeyCollection()
        var names: Set<String> = []
        for key in set.keys.compactMap(\.key) {
            guard let name = key.keyIdentifier?.string, (try? await collection.add(jwk: key)) != nil else { continue }
            names.insert(name)
        }
        return names.isEmpty ? nil : Keys(names: names, collection: collection)
    }

    /// Reads the file. One that cannot be read, or has no key, is not taken up: the server keeps the keys that it has.
    func refresh() async {
        guard let path else { return }
        let bytes = FileManager.default.contents(atPath: path)
        let isNew = lastRead.withLock { last in
            defer { last = bytes }
            return last != bytes
        }
        guard isNew else { return }
        guard let bytes, let keys = await Self.keys(bytes) else {
            return log.error(
                "the file of keys cannot be read or has no usable key; the server keeps the keys that it has",
                metadata: ["event": "keys.refused"])
        }
        current.withLock { $0 = keys }
        log.info(
            "reads \(keys.names.count) keys of tokens",
            metadata: ["event": "keys", "keys": .stringConvertible(keys.names.count)])
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.refresh()
                try? await Task.sleep(for: self.interval)
            }
        }
    }
}
