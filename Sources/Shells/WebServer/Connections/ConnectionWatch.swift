import Glibc
import Hummingbird
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Holds one connection to the limits: a request must come in time and end in time. An answer may
/// take as long as it likes while the client takes some of it, as event streams do.
///
/// Belongs to the connection's event loop.
final class ConnectionWatch: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let connections: Connections
    private var isOpen = false
    /// Requests whose answers have not ended.
    private var unanswered = 0
    /// Whether a head came whose body has not ended.
    private var isReading = false
    private var bodyBytes = 0
    private var deadline: Scheduled<Void>?

    init(_ connections: Connections) { self.connections = connections }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { end(context) }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(context)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isOpen else { return }
        switch unwrapInboundIn(data) {
        case .head:
            unanswered += 1
            isReading = true
            bodyBytes = 0
            expect(within: connections.limits.body, context)
        case .body(let part):
            bodyBytes += part.readableBytes
            guard bodyBytes <= connections.limits.longestBody else {
                cut(.long, context)
                return
            }
        case .end:
            isReading = false
            rest(context)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else {
            context.write(data, promise: promise)
            return
        }
        // Over when the kernel has it: until then the client may be slow to take the rest.
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { _ in self.answered(context) }
        context.write(data, promise: written)
    }

    private func answered(_ context: ChannelHandlerContext) {
        guard isOpen else { return }
        unanswered -= 1
        if unanswered == 0 { connections.end(context.channel) }
        if !isReading { rest(context) }
    }

    /// A request was read, or answered: the next one must come in time, an answer need not.
    private func rest(_ context: ChannelHandlerContext) {
        if unanswered == 0 {
            expect(within: connections.limits.silence, context)
        } else {
            deadline?.cancel()
            deadline = nil
        }
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard !isOpen else { return }
        guard connections.open(context.channel) else {
            refuse(context)
            return
        }
        isOpen = true
        // The kernel ends the connection of a client that takes nothing of an answer for this long,
        // alive or not.
        let stall = Int((connections.limits.stall / .milliseconds(1)).rounded())
        _ = context.channel.setOption(
            ChannelOptions.socket(
                SocketOptionLevel(IPPROTO_TCP), SocketOptionName(TCP_USER_TIMEOUT)), value: stall)
        expect(within: connections.limits.silence, context)
    }

    private func end(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = nil
        guard isOpen else { return }
        isOpen = false
        connections.close(context.channel)
    }

    private func expect(within span: Duration, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        let channel = context.channel
        let connections = connections
        deadline = context.eventLoop.scheduleTask(in: TimeAmount(span)) {
            connections.count(.slow)
            channel.close(promise: nil)
        }
    }

    private func cut(_ end: Connections.End, _ context: ChannelHandlerContext) {
        connections.count(end)
        context.close(promise: nil)
    }

    /// Says so and closes; what the client has sent by then is not read.
    private func refuse(_ context: ChannelHandlerContext) {
        let problem = Problem.tooManyConnections
        let body = problem.body
        var head = HTTPResponse(status: problem.status, headerFields: problem.fields)
        head.headerFields[.connection] = "close"
        head.headerFields[.contentLength] = "\(body.readableBytes)"
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            channel.close(promise: nil)
        }
    }
}

/// Whether something has happened yet. May be asked and told from any thread.
final class Once: Sendable {
    private let flag = Atomic(false)

    var hasHappened: Bool { flag.load(ordering: .acquiring) }

    func happened() { flag.store(true, ordering: .releasing) }
}
