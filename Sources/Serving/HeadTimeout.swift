import NIOCore
import NIOHTTPTypes

/// Closes a connection whose next request does not arrive whole in time, or whose client does not take the answer: a client
/// that sends or takes a byte now and then holds a connection no longer than one that does nothing.
final class HeadTimeout: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let request: TimeAmount
    private let answer: TimeAmount
    private var deadline: Scheduled<Void>?
    /// Requests whose answer is not written yet.
    private var openRequests = 0

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
            if handler.openRequests <= 0 { handler.close(context, in: handler.request) }
        }
        context.write(data, promise: written)
    }

    private func close(_ context: ChannelHandlerContext, in time: TimeAmount) {
        deadline?.cancel()
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }
}
