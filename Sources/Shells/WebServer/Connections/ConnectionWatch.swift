import Glibc
import Hummingbird
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Synchronization

/// Holds one connection to the limits: a request must come in time and end in time. An answer may
/// take as long as it likes while the client takes some of it, as event streams do.
///
/// A connection that ends while a body is under way lingers: nothing more is sent, and what comes is
/// read and dropped for a while. Closed at once, the kernel would answer the rest with a reset, by
/// which the client may lose the answer.
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
    /// Whether what came is no request, so that no more can be read.
    private var isMalformed = false
    /// Whether nothing more is asked, and what still comes is dropped.
    private var isLingering = false
    private var deadline: Scheduled<Void>?

    init(_ connections: Connections) { self.connections = connections }

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        if let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) {
            try? pipeline.addHandler(TargetCheck(), position: .before(codec))
        }
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
        guard !isLingering else {
            drop(unwrapInboundIn(data), context)
            return
        }
        switch unwrapInboundIn(data) {
        case .head:
            guard unanswered < connections.limits.pipelined else {
                connections.count(.pipelined)
                context.close(promise: nil)
                return
            }
            unanswered += 1
            isReading = true
            connections.read(context.channel, isWhole: false)
            bodyBytes = 0
            expect(within: connections.limits.body, context)
        case .body(let part):
            bodyBytes += part.readableBytes
            guard bodyBytes <= connections.limits.longestBody else {
                connections.count(.long)
                linger(context)
                if unanswered == 0 { context.close(mode: .output, promise: nil) }
                return
            }
        case .end:
            isReading = false
            connections.read(context.channel, isWhole: true)
            rest(context)
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // Whoever is above reads no more.
        if isLingering { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard isLingering else {
            context.fireErrorCaught(error)
            return
        }
        // So comes what follows on what is no request.
        if case .dataReceivedInErrorState(_, let bytes)? = error as? ByteToMessageDecoderError {
            drop(.body(bytes), context)
        }
    }

    func close(
        context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
    ) {
        if case .output = mode, isOpen, isReading || isMalformed { linger(context) }
        context.close(mode: mode, promise: promise)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where Self.isBare(head):
            isMalformed = true
            say(.malformed, context, promise)
            return
        case .head, .body:
            context.write(data, promise: promise)
            return
        case .end: break
        }
        // Over when the kernel has it: until then the client may be slow to take the rest.
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { _ in self.answered(context) }
        context.write(data, promise: written)
    }

    private func answered(_ context: ChannelHandlerContext) {
        guard isOpen else { return }
        // What is no request was not counted as one.
        unanswered = max(0, unanswered - 1)
        if unanswered == 0 { connections.end(context.channel) }
        if !isLingering {
            if !isReading { rest(context) }
        } else if unanswered == 0 {
            context.close(mode: isReading || isMalformed ? .output : .all, promise: nil)
        }
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

    private func expect(
        within span: Duration, or end: Connections.End? = .slow, _ context: ChannelHandlerContext
    ) {
        deadline?.cancel()
        let channel = context.channel
        let connections = connections
        deadline = context.eventLoop.scheduleTask(in: TimeAmount(span)) {
            if let end { connections.count(end) }
            channel.close(promise: nil)
        }
    }

    /// From now on drops what comes, at most so many bytes again, and not for long.
    private func linger(_ context: ChannelHandlerContext) {
        guard !isLingering else { return }
        isLingering = true
        bodyBytes = 0
        expect(within: connections.limits.linger, or: nil, context)
        context.read()
    }

    private func drop(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head: break
        case .body(let bytes):
            bodyBytes += bytes.readableBytes
            if bodyBytes > connections.limits.longestBody { context.close(promise: nil) }
        case .end:
            isReading = false
            if unanswered == 0 { context.close(promise: nil) }
        }
    }

    /// Whether it is what Hummingbird answers, without words, where the bytes are no request.
    private static func isBare(_ head: HTTPResponse) -> Bool {
        head.status == .badRequest && head.headerFields[.contentLength] == "0"
    }

    /// Writes all of a refusal but its end, after which the connection is to be closed.
    private func say(
        _ problem: Problem, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
        let body = problem.body
        var head = HTTPResponse(status: problem.status, headerFields: problem.fields)
        head.headerFields[.connection] = "close"
        head.headerFields[.contentLength] = "\(body.readableBytes)"
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: promise)
    }

    /// Says so and closes; what the client has sent by then is not read.
    private func refuse(_ context: ChannelHandlerContext) {
        say(.tooManyConnections, context, nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            channel.close(promise: nil)
        }
    }
}

extension WebContext {
    /// Says that the body of a request is wanted, to a client that waits for that
    /// (`Expect: 100-continue`).
    func invite(bodyOf request: Request) {
        guard request.headers[.expect]?.lowercased() == "100-continue" else { return }
        channel.writeAndFlush(
            HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
    }
}

/// Whether something has happened yet. May be asked and told from any thread.
final class Once: Sendable {
    private let flag = Atomic(false)

    var hasHappened: Bool { flag.load(ordering: .acquiring) }

    func happened() { flag.store(true, ordering: .releasing) }
}
