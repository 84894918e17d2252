import NIOCore
import NIOHTTPTypes
import Synchronization

/// How many connections each client address has open, so that one address cannot take all that the server accepts.
package final class ConnectionLimit: Sendable {
    private let most: Int
    private let open = Mutex<[String: Int]>([:])

    /// - Parameter most: how many one address may have.
    package init(most: Int) {
        self.most = most
    }

    /// Whether an address may open one more. If so, it has it until `release`.
    package func admits(_ address: String) -> Bool {
        open.withLock { open in
            let count = open[address, default: 0]
            guard count < most else { return false }
            open[address] = count + 1
            return true
        }
    }

    package func release(_ address: String) {
        open.withLock { open in
            let left = open[address, default: 0] - 1
            open[address] = left > 0 ? left : nil
        }
    }
}

/// Closes a connection at once if its address has its share of connections already.
final class ConnectionLimitHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let limit: ConnectionLimit
    /// The address that this connection counts for.
    private var address: String?

    init(_ limit: ConnectionLimit) {
        self.limit = limit
    }

    func channelActive(context: ChannelHandlerContext) {
        let peer = ClientAddress.text(peer: context.remoteAddress, forwardedFor: nil)
        if limit.admits(peer) { address = peer }
        context.fireChannelActive()
        if address == nil { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if let address { limit.release(address) }
        address = nil
    }
}
