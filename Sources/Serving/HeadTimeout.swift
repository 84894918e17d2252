import NIOCore
import NIOHTTPTypes

/// Closes a connection whose next request head does not arrive in time, or whose client does not read the response in time.
/// Sending or reading single bytes does not extend the time. A connection that is closed from this side, as at the end of the
/// server, sends its responses first; at the end of the server they have a time of their own.
final class HeadTimeout: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let request: TimeAmount
    private let answer: TimeAmount
    private let shutdown: TimeAmount
    private var deadline: Scheduled<Void>?
    private var shutdownDeadline: Scheduled<Void>?
    /// Requests whose answer is not written yet.
    private var openRequests = 0
    /// A close that waits for responses to be sent.
    private var pendingClose: EventLoopPromise<Void>??

    /// - Parameters:
    ///   - request: until the head of the next request is there.
    ///   - answer: from then until the answer is written.
    ///   - shutdown: from the end of the server until the connection is closed.
    init(request: TimeAmount, answer: TimeAmount, shutdown: TimeAmount) {
        self.request = request
        self.answer = answer
        self.shutdown = shutdown
    }

    func handlerAdded(context: ChannelHandlerContext) { deadline = close(context, in: request) }

    /// The connection is closed: nothing can be sent any more, and whoever waits for the close must learn of it.
    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        shutdownDeadline?.cancel()
        (pendingClose ?? nil)?.succeed()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { shutdownDeadline = close(context, in: shutdown) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) {
            openRequests += 1
            restart(context, answer)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        // An answer waits in the buffer of the connection until the client takes it: only then does the next request begin.
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        written.futureResult.whenSuccess {
            let (handler, context) = bound.value
            handler.openRequests -= 1
            guard handler.openRequests <= 0 else { return }
            if handler.pendingClose != nil { return context.close(promise: nil) }
            handler.restart(context, handler.request)
        }
        context.write(data, promise: written)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .all, openRequests > 0, pendingClose == nil else {
            return context.close(mode: mode, promise: promise)
        }
        pendingClose = .some(promise)
        restart(context, answer)
    }

    private func restart(_ context: ChannelHandlerContext, _ time: TimeAmount) {
        deadline?.cancel()
        deadline = close(context, in: time)
    }

    /// A deadline itself waits for nothing.
    private func close(_ context: ChannelHandlerContext, in time: TimeAmount) -> Scheduled<Void> {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        return context.eventLoop.scheduleTask(in: time) { bound.value.close(promise: nil) }
    }
}
