/// Why a token is not accepted. The caller learns only the problem; the log of the server names the reason, so that an operator
/// can tell a wrong setting from a wrong token.
enum TokenRefusal: String, Error, Sendable, CaseIterable {
    case missing
    case expired
    case notYetValid = "not-yet-valid"
    case tooLong = "too-long"
    /// Not three parts, or a header without `alg` and `kid`.
    case malformed
    /// Neither RS256 nor ES256.
    case algorithm
    /// `typ` is not that of an access token, or `crit` asks for an extension.
    case type
    /// No key of the file has this `kid`.
    case unknownKey = "unknown-key"
    /// The signature does not fit, or a claim is missing or of another type.
    case signature = "signature-or-claims"
    case issuer
    case audience

    var problem: APIProblem {
        switch self {
        case .missing: .missingToken
        case .expired: .expiredToken
        default: .badToken
        }
    }
}
