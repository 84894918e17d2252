package import Trips

/// Why the API cannot be served. Paths are those of the operator's own settings.
package enum APIServerError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    case unreadable(path: String)
    case certificate(path: String, key: String)
    /// The file has no key that tokens may be signed with.
    case noKeys(path: String)
    /// In words of the system: `Address already in use`.
    case cannotListen(host: String, port: Int, reason: String)

    package var failureKind: FailureKind {
        switch self {
        case .unreadable: .inputMissing
        case .certificate, .noKeys: .configuration
        case .cannotListen: .cannotCreate
        }
    }

    package var description: String {
        switch self {
        case .unreadable(let path): "\(path): cannot be read; check the path, and that this user may read it"
        case .certificate(let path, let key):
            "\(path): is no PEM certificate, or \(key) is not its private key; give the certificate with its chain, and the key "
                + "without a passphrase"
        case .noKeys(let path):
            "\(path): is no JWKS file with an RSA or EC key that has a kid; get it from the issuer (jwks_uri)"
        case .cannotListen(let host, let port, let reason):
            "\(host):\(port): cannot be listened on (\(reason)); stop what listens there, or give another address with --listen"
        }
    }
}
