import NIOCore
import NIOHTTPTypes

/// Closes a connection whose next request head does not arrive in time, or whose client does not read the response in time.
/// Sending or reading single bytes does not extend the time. A connection that is closed from this side, as at the end of the
/// server, sends its responses first.
final class HeadTimeout: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let request: TimeAmount
    private let answer: TimeAmount
    private var deadline: Scheduled<Void>?
    /// Requests whose answer is not written yet.
    private var openRequests = 0
    /// A close that waits for responses to be sent.
    private var pendingClose: EventLoopPromise<Void>??

    /// - Parameters:
    ///   - request: until the head of the next request is there.
    ///   - answer: from then until the answer is written.
    init(request: TimeAmount, answer: TimeAmount) {
        self.request = request
        self.answer = answer
    }

    func handlerAdded(context: ChannelHandlerContext) { close(context, in: request) }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) {
            openRequests += 1
            close(context, in: answer)
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
            if let promise = handler.pendingClose { return context.close(promise: promise) }
            handler.close(context, in: handler.request)
        }
        context.write(data, promise: written)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .all, openRequests > 0, pendingClose == nil else {
            return context.close(mode: mode, promise: promise)
        }
        pendingClose = .some(promise)
        close(context, in: answer)
    }

    /// The deadline itself waits for nothing.
    private func close(_ context: ChannelHandlerContext, in time: TimeAmount) {
        deadline?.cancel()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: time) {
            let (handler, context) = bound.value
            context.close(promise: handler.pendingClose ?? nil)
        }
    }
}
