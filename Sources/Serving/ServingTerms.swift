import Foundation
package import Operations
package import Trips

/// Where and to whom the API is served.
package struct ServingTerms: Sendable {
    package let host: String
    package let port: Int
    package let access: APIServer.Access
    package let tls: APIServer.TLSFiles?

    /// What the settings say.
    package struct Request: Sendable {
        /// `HOST:PORT`
        package var listen: String
        package var keys: String?
        package var issuer: String?
        package var audience: String
        package var certificate: String?
        package var certificateKey: String?
        package var isBehindProxy: Bool

        package init(
            listen: String, keys: String?, issuer: String?, audience: String, certificate: String?,
            certificateKey: String?, isBehindProxy: Bool
        ) {
            self.listen = listen
            self.keys = keys
            self.issuer = issuer
            self.audience = audience
            self.certificate = certificate
            self.certificateKey = certificateKey
            self.isBehindProxy = isBehindProxy
        }
    }

    /// - Parameters:
    ///   - withoutAuth: no token is asked for.
    ///   - demo: the server makes a key and a token.
    /// - Throws: `ServingTermsError`.
    package init(_ request: Request, withoutAuth: Bool, demo: Bool) throws(ServingTermsError) {
        let text = request.listen
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port), colon > text.startIndex
        else { throw .address }
        let host = text[..<colon]
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
        self.port = port
        switch (request.certificate, request.certificateKey) {
        case (let certificate?, let key?): tls = APIServer.TLSFiles(certificate: certificate, key: key)
        case (nil, nil): tls = nil
        default: throw .halfOfACertificate
        }
        let isLocal = APIServer.isLoopback(self.host)
        if withoutAuth || demo {
            guard isLocal else { throw .withoutTokens }
            access = demo ? .demo : .withoutTokens
            return
        }
        guard let keys = request.keys, let issuer = request.issuer else { throw .noIssuer }
        guard isLocal || tls != nil || request.isBehindProxy else { throw .plainHTTP }
        access = .tokens(.init(keys: keys, issuer: issuer, audience: request.audience))
    }

    /// The address as clients write it.
    ///
    /// - Parameter port: the one that the server listens on, where the plan leaves the choice to the system (0).
    package func address(port: Int) -> String {
        "\(tls == nil ? "http" : "https")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// Whether the files can be used, and when the certificate ends: what `tripkpi doctor` asks. Nothing listens.
    ///
    /// - Throws: `APIServerError`.
    package func check() throws(APIServerError) -> ServerCheck {
        if case .tokens(let tokens) = access {
            guard let bytes = FileManager.default.contents(atPath: tokens.keys) else {
                throw .unreadable(path: tokens.keys)
            }
            guard TokenKeys.countOfKeys(in: bytes) > 0 else { throw .noKeys(path: tokens.keys) }
        }
        let end = try tls.map { files throws(APIServerError) in try ServerCertificate.end(of: files) }
        return ServerCheck(address: address(port: port), certificateEnd: end)
    }
}

/// Why the settings do not serve the API. It names settings, with the flag of each.
package enum ServingTermsError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    case address
    case halfOfACertificate
    case withoutTokens
    case noIssuer
    case plainHTTP

    package var failureKind: FailureKind { .configuration }

    package var description: String {
        switch self {
        case .address: "api_listen: is no address and port; write 127.0.0.1:8080 (flag: --listen)"
        case .halfOfACertificate:
            "api_certificate and api_certificate_key: give both or neither (flags: --certificate, --certificate-key)"
        case .withoutTokens:
            "api_listen: without tokens, or with --demo, the address must be one of this machine alone; write 127.0.0.1:8080"
        case .noIssuer:
            "api_keys and api_issuer: whose tokens are accepted is not set; give --keys jwks.json --issuer "
                + "https://login.example.org, or --without-auth to serve the release on this machine only"
        case .plainHTTP:
            "api_listen: tokens would cross the network unencrypted; give --certificate and --certificate-key, or listen on "
                + "127.0.0.1, or set api_behind_proxy (flag: --behind-proxy) where a reverse proxy ends TLS"
        }
    }
}
