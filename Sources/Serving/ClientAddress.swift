import NIOCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the requests of a client without a token are counted by: its address. Whoever has one address of IPv6 has the 2^64 of
/// its network, so these count together.
enum ClientAddress {
    /// - Parameters:
    ///   - peer: whoever the connection is with.
    ///   - forwardedFor: `X-Forwarded-For` of a reverse proxy, which adds the address of its client at the end; nil: there is
    ///     no proxy, and the header is not believed.
    static func text(peer: SocketAddress?, forwardedFor: String?) -> String {
        if let last = forwardedFor?.split(separator: ",").last?.filter({ $0 != " " }),
            let address = try? SocketAddress(ipAddress: last, port: 0)
        {
            return text(of: address)
        }
        return peer.map(text(of:)) ?? "local"
    }

    private static func text(of address: SocketAddress) -> String {
        guard case .v6(let six) = address else { return address.ipAddress ?? "local" }
        return withUnsafeBytes(of: six.address.sin6_addr) { bytes in
            bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ".")
        }
    }
}
