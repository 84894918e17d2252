import HTTPTypes
import NIOCore
import NIOHTTPTypes

extension HTTPRequest {
    /// HTTP/1.1 wants one `Host` (RFC 9112, 3.2). The library takes the first as `authority`.
    var hasOneHost: Bool { authority != nil && !headerFields.contains { $0.name.canonicalName == "host" } }

    /// Nothing that is served here reads a body.
    var hasBody: Bool {
        headerFields.contains(.transferEncoding) || headerFields[values: .contentLength].contains { $0 != "0" }
    }

    /// Whether the server answers by the head alone, and then ends the connection.
    var endsConnection: Bool { !hasOneHost || hasBody }
}

/// Ends a connection after an answer with `Connection: close`.
///
/// What follows the head of a request that ends its connection is dropped, so it is never taken for another request. The client has
/// some time to read the answer: if a connection is closed with input that was not read, the answer can be lost (RFC 9112, 9.6).
final class ConnectionEnd: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let time: TimeAmount
    private var dropsInput = false
    private var isLastAnswer = false
    private var deadline: Scheduled<Void>?

    /// - Parameter time: how long the client may read the last answer.
    init(within time: TimeAmount) {
        self.time = time
    }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !dropsInput else { return }
        context.fireChannelRead(data)
        guard case .head(let request) = unwrapInboundIn(data), request.endsConnection else { return }
        dropsInput = true
        context.fireChannelRead(wrapInboundOut(.end(nil)))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // What is dropped may be malformed: the connection ends with its answer all the same.
        if !dropsInput { context.fireErrorCaught(error) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let response):
            isLastAnswer = response.headerFields[.connection] == "close"
        case .end where isLastAnswer:
            dropsInput = true
            let written = promise ?? context.eventLoop.makePromise(of: Void.self)
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            written.futureResult.whenSuccess {
                let (handler, context) = bound.value
                handler.end(context)
            }
            return context.write(data, promise: written)
        case .body, .end: break
        }
        context.write(data, promise: promise)
    }

    private func end(_ context: ChannelHandlerContext) {
        context.close(mode: .output, promise: nil)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: time) { bound.value.close(promise: nil) }
    }
}
