import NIOCore
import NIOHTTP1

/// Looks at targets as they came: what comes behind it sees their path alone.
///
/// A whole address in the place of a path, as for a proxy, counts more than Host (RFC 9112, 3.2.2). Where the two name
/// different servers, Host is taken away, and a request without one is refused.
final class TargetCheck: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data),
            let named = Self.authority(of: head.uri),
            named != head.headers["Host"].first?.lowercased()
        else { return context.fireChannelRead(data) }
        head.headers.remove(name: "Host")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// The server that a whole address names, in lower case; `nil`: it is a path.
    private static func authority(of target: String) -> String? {
        guard !target.hasPrefix("/"), let start = target.firstRange(of: "://") else { return nil }
        return target[start.upperBound...].prefix { !"/?#".contains($0) }.lowercased()
    }
}
