import Glibc

/// What a client may take of the server before it has proved anything.
package struct ConnectionLimits: Equatable, Sendable {
    /// Connections at once. Pages that look (`LiveFeed.capacity`) are among them.
    package var total = 512
    /// Connections at once from one address. This machine's own are not counted: a proxy here speaks
    /// for everybody.
    package var perAddress = 64
    /// The longest time a connection may be open without the whole head of a request, at its start
    /// and between two requests.
    package var silence = Duration.seconds(15)
    /// The longest time from the head to the end of the body.
    package var body = Duration.seconds(20)
    /// How much of a body that is too long for every route is read, in bytes, so that the client
    /// sees the refusal before the connection is cut.
    package var longestBody = 8 * Route.largestBody
    /// The longest time an answer may wait for the client to take any of it.
    package var stall = Duration.seconds(30)

    /// Bytes of the line and the fields of a request, and of one of them; and how many there are.
    static let longestHead = 16 * 1024
    static let longestField = 8 * 1024
    static let mostFields = 100

    /// Descriptors that are not for clients: the broker, the database and its readers, files,
    /// pipes of webhooks, and connections that are being closed.
    package static let reserve = 96

    /// The limits for this process: with few descriptors fewer connections.
    package init() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        total = Self.total(descriptors: Int(clamping: limit.rlim_cur), wished: total)
    }

    /// As many as leave the reserve alone, but enough for one page.
    package static func total(descriptors: Int, wished: Int) -> Int {
        min(wished, max(16, descriptors - reserve))
    }
}
