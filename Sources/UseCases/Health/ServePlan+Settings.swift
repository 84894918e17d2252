package import Serving
package import Settings

extension ServePlan {
    /// - Parameters:
    ///   - withoutAuth: no token is asked for.
    ///   - demo: the server makes a key and a token.
    /// - Throws: `ServePlanError`.
    package init(_ settings: Settings, withoutAuth: Bool, demo: Bool) throws(ServePlanError) {
        let request = Request(
            listen: settings.apiListen, keys: settings.apiKeys, issuer: settings.apiIssuer,
            audience: settings.apiAudience, certificate: settings.apiCertificate,
            certificateKey: settings.apiCertificateKey, isBehindProxy: settings.apiBehindProxy)
        try self.init(request, withoutAuth: withoutAuth, demo: demo)
    }
}
