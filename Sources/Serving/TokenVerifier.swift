import Basics
import Files
import Foundation
import JWTKit

/// Checks OAuth 2 bearer tokens that are JWTs: signature, algorithm, issuer, audience and times.
struct TokenVerifier: Sendable {
    let keys: TokenKeys
    let issuer: String
    /// What `aud` must name.
    let audience: String
    let now: @Sendable () -> UTCTime
    private let tokens = AcceptedTokens()

    /// The only algorithms. A token may not choose another, `none` and HMAC least of all.
    private static let algorithms: Set<String> = ["RS256", "ES256"]
    /// Access tokens of RFC 9068, and of issuers that do not name a type. An ID token of OpenID Connect has type JWT, and is
    /// refused by its audience.
    private static let types: Set<String> = ["jwt", "at+jwt", "application/at+jwt"]
    /// How far two clocks may differ.
    private static let leewaySeconds = 60.0
    private static let longestToken = 8_192

    private struct Header: Decodable {
        var alg: String
        var kid: String
        var typ: String?
        var crit: [String]?
    }

    /// A text or a list of texts: issuers write `aud`, `scope` and `scp` either way.
    private struct TextList: Codable {
        var texts: [String]

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let text = try? value.decode(String.self) {
                texts = [text]
            } else {
                texts = try value.decode([String].self)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            try value.encode(texts)
        }

        /// Separated by blanks.
        var words: [String] { texts.flatMap { $0.split(separator: " ").map(String.init) } }
    }

    /// Times are checked with the verifier's own clock.
    private struct Claims: JWTPayload {
        var iss: String
        var aud: TextList
        var exp: Double
        var nbf: Double?
        var sub: String?
        var scope: TextList?
        var scp: TextList?

        func verify(using _: some JWTAlgorithm) throws {}
    }

    /// - Parameter header: `Authorization`.
    func caller(_ header: String?) async throws(TokenRefusal) -> APICaller {
        guard let header else { throw .missing }
        let parts = header.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw .missing }
        let token = String(parts[1]), keys = keys.keys
        guard token.utf8.count <= Self.longestToken else { throw .tooLong }
        let hash = AcceptedTokens.hash(of: token)
        let accepted: AcceptedTokens.Accepted
        if let known = tokens.accepted(hash, by: keys) {
            accepted = known
        } else {
            accepted = try await signed(token, keys)
            tokens.add(accepted, for: hash, by: keys)
        }
        let now = Double(now().secondsSince1970)
        guard accepted.begins.map({ $0 <= now + Self.leewaySeconds }) ?? true else { throw .notYetValid }
        guard accepted.ends > now - Self.leewaySeconds else { throw .expired }
        return accepted.caller
    }

    /// Everything but the times.
    private func signed(_ token: String, _ keys: TokenKeys.Keys) async throws(TokenRefusal) -> AcceptedTokens.Accepted {
        guard let first = token.split(separator: ".").first, let head = Self.header(first) else { throw .malformed }
        guard Self.algorithms.contains(head.alg) else { throw .algorithm }
        guard head.crit == nil, head.typ.map({ Self.types.contains($0.lowercased()) }) ?? true else { throw .type }
        guard keys.names.contains(head.kid) else { throw .unknownKey }
        guard let claims = await Self.claims(token, keys) else { throw .signature }
        guard claims.iss == issuer else { throw .issuer }
        guard claims.aud.texts.contains(audience) else { throw .audience }
        let scopes = ((claims.scope?.words ?? []) + (claims.scp?.words ?? [])).compactMap(APIScope.init(rawValue:))
        let caller = APICaller(
            pseudonym: ContentHash.of(Array((issuer + "\n" + (claims.sub ?? token)).utf8)), scopes: Set(scopes),
            expiresAt: UTCTime(secondsSince1970: Int(max(0, min(claims.exp, 253_402_300_799)))))
        return AcceptedTokens.Accepted(caller: caller, begins: claims.nbf, ends: claims.exp)
    }

    private static func claims(_ token: String, _ keys: TokenKeys.Keys) async -> Claims? {
        try? await keys.collection.verify(token, as: Claims.self)
    }

    private static func header(_ part: Substring) -> Header? {
        var text = String(part).replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text).flatMap { try? JSONDecoder().decode(Header.self, from: $0) }
    }
}
