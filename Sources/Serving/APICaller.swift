import Basics

/// Who asks, as far as an answer depends on it.
struct APICaller: Sendable, Hashable {
    /// SHA-256 of the issuer and the token's subject: what requests are counted by, and what the log names. Nil: no token was
    /// asked for.
    var pseudonym: String?
    var scopes: Set<APIScope>
    /// When the token ends; nil: there is none.
    var expiresAt: UTCTime?
}
