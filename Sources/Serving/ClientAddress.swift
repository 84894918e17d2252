import NIOCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The rate-limit key of a client without a token: its IPv4 address, or the /64 network of its IPv6 address.
enum ClientAddress {
    /// - Parameters:
    ///   - peer: whoever the connection is with.
    ///   - forwardedFor: `X-Forwarded-For` of a reverse proxy, which adds the address of its client at the end; nil: there is
    ///     no proxy, and the header is not believed.
    static func text(peer: SocketAddress?, forwardedFor: String?) -> String {
        let last = forwardedFor?.split(separator: ",").last.map { withoutPort($0.filter { $0 != " " }) }
        if let last, let address = try? SocketAddress(ipAddress: last, port: 0) { return text(of: address) }
        return peer.map(text(of:)) ?? "local"
    }

    /// Some load balancers write the client's port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
    private static func withoutPort(_ text: String) -> String {
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            return String(text[text.index(after: text.startIndex)..<end])
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? String(parts[0]) : text
    }

    private static func text(of address: SocketAddress) -> String {
        guard case .v6(let six) = address else { return address.ipAddress ?? "local" }
        return withUnsafeBytes(of: six.address.sin6_addr) { bytes in
            // An IPv4 client of a listener for both: ::ffff:192.0.2.1
            if bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xff, bytes[11] == 0xff {
                return bytes.suffix(4).map { String($0) }.joined(separator: ".")
            }
            return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
        }
    }
}
