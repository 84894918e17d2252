import Basics
import JWTKit

/// A key that is in memory only, and a token of it for an hour: to try the API out on one machine.
struct DemoToken {
    static let issuer = "tripkpi demo"
    private static let keyName: JWKIdentifier = "demo"
    private static let seconds = 3_600

    let keys: TokenKeys.Keys
    let text: String

    private struct Claims: JWTPayload {
        var iss: String
        var aud: String
        var exp: Int
        var scope: String

        func verify(using _: some JWTAlgorithm) throws {}
    }

    init(audience: String, now: UTCTime) async throws {
        let collection = JWTKeyCollection()
        await collection.add(ecdsa: ES256PrivateKey(), kid: Self.keyName)
        keys = TokenKeys.Keys(names: [Self.keyName.string], collection: collection)
        let claims = Claims(
            iss: Self.issuer, aud: audience, exp: now.secondsSince1970 + Self.seconds,
            scope: APIScope.allCases.map(\.rawValue).joined(separator: " "))
        text = try await collection.sign(claims, kid: Self.keyName)
    }
}
