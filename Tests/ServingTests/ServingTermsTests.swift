import Operations
import Serving
import TestSupport
import Testing

@Suite struct ServingTermsTests {
    private func plan(
        _ listen: String = "127.0.0.1:8080", keys: String? = "jwks.json", certificate: String? = nil,
        key: String? = nil,
        isBehindProxy: Bool = false, withoutAuth: Bool = false, demo: Bool = false
    ) throws(ServingTermsError) -> ServingTerms {
        try ServingTerms(
            .init(
                listen: listen, keys: keys, issuer: keys.map { _ in "https://login.example.org" }, audience: "tripkpi",
                certificate: certificate, certificateKey: key, isBehindProxy: isBehindProxy),
            withoutAuth: withoutAuth, demo: demo)
    }

    private func error(_ body: () throws(ServingTermsError) -> ServingTerms) -> ServingTermsError? {
        do { _ = try body() } catch { return error }
        return nil
    }

    @Test("addresses with a port, of IPv6 in brackets")
    func addresses() throws {
        #expect(try plan("[::1]:0").host == "::1" && plan("localhost:65535").port == 65_535)
        for text in ["", "8080", ":8080", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:http"] {
            #expect(error { () throws(ServingTermsError) in try plan(text) } == .address, "\(text)")
        }
    }

    @Test("tokens do not cross a network unencrypted")
    func encryption() throws {
        #expect(error { () throws(ServingTermsError) in try plan("0.0.0.0:8080") } == .plainHTTP)
        #expect(error { () throws(ServingTermsError) in try plan("10.1.1.1:8080") } == .plainHTTP)
        #expect(try plan("0.0.0.0:8080", isBehindProxy: true).tls == nil)
        #expect(try plan("0.0.0.0:8443", certificate: "a", key: "b").tls == .init(certificate: "a", key: "b"))
        #expect(error { () throws(ServingTermsError) in try plan(certificate: "a") } == .halfOfACertificate)
    }

    @Test("without tokens only this machine is served")
    func withoutTokens() throws {
        #expect(try plan(keys: nil, withoutAuth: true).access == .withoutTokens)
        #expect(try plan(keys: nil, demo: true).access == .demo)
        for host in ["0.0.0.0", "10.0.0.1", "[::]", "example.org", "127.999.0.1"] {
            let found = error { () throws(ServingTermsError) in
                try plan(host + ":80", isBehindProxy: true, withoutAuth: true)
            }
            #expect(found == .withoutTokens, "\(host)")
        }
        #expect(error { () throws(ServingTermsError) in try plan(keys: nil) } == .noIssuer)
    }

    @Test("an address is written as clients write it, with the port that the system gave")
    func writtenAddress() throws {
        #expect(try plan("[::1]:0", withoutAuth: true).address(port: 4711) == "http://[::1]:4711")
        #expect(try plan("localhost:8443", certificate: "a", key: "b").address(port: 8_443) == "https://localhost:8443")
    }

    @Test("a check names the file that cannot be used")
    func check() throws {
        try TemporaryFolder.with { folder in
            let missing = folder.path(of: "none.json"), empty = try folder.write("{}", to: "empty.json")
            #expect(throws: APIServerError.unreadable(path: missing)) { try plan(keys: missing).check() }
            #expect(throws: APIServerError.noKeys(path: empty)) { try plan(keys: empty).check() }
            let files = try plan(certificate: missing, key: empty, withoutAuth: true)
            #expect(throws: APIServerError.unreadable(path: missing)) { try files.check() }
            let found = try plan(keys: nil, withoutAuth: true).check()
            #expect(found == ServerCheck(address: "http://127.0.0.1:8080", certificateEnd: nil))
            #expect(try ServerCheck(line: try found.line()) == found)
        }
    }
}
