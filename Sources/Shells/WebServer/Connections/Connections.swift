import Glibc
import HummingbirdCore
import NIOCore
import Synchronization

/// All connections of the server, shared by its threads: the table of who is connected, and counts.
final class Connections: AvailableConnectionsDelegate {
    /// Why a connection was ended by us.
    enum End: String, CaseIterable {
        /// Another one needed the place.
        case gaveWay = "gave-way"
        /// There was no place.
        case refused
        /// No whole head or body of a request in time.
        case slow
        /// A body that is too long for everybody.
        case long
        /// More requests than are taken before the first is answered.
        case pipelined
        /// Another user of this machine, at the socket of the owner.
        case foreign
    }

    private struct State {
        var table: ConnectionTable<ObjectIdentifier>
        var channels: [ObjectIdentifier: any Channel] = [:]
        var accepted = 0
        var ends: [End: Int] = [:]
    }

    let limits: ConnectionLimits
    private let state: Mutex<State>

    /// Accepted connections beyond the limit: those that are being refused, or closed for others.
    private static let slack = 16

    init(_ limits: ConnectionLimits) {
        self.limits = limits
        state = Mutex(
            State(
                table: ConnectionTable(
                    total: limits.total, perAddress: limits.perAddress, perAsker: limits.perAsker)))
    }

    /// Whether a connection that was made may stay. Closes another one for it if need be.
    func open(_ channel: any Channel) -> Bool {
        let key = ObjectIdentifier(channel)
        let address = channel.remoteAddress?.ipAddress.flatMap {
            WebContext.isHere($0) ? nil : Network.household(of: $0)
        }
        let (isWelcome, leaving) = state.withLock { state -> (Bool, (any Channel)?) in
            switch state.table.open(key, from: address) {
            case .full:
                state.ends[.refused, default: 0] += 1
                return (false, nil)
            case .welcome:
                state.channels[key] = channel
                return (true, nil)
            case .instead(let other):
                state.ends[.gaveWay, default: 0] += 1
                state.channels[key] = channel
                return (true, state.channels.removeValue(forKey: other))
            }
        }
        leaving?.close(promise: nil)
        return isWelcome
    }

    /// It is closed.
    func close(_ channel: any Channel) {
        let key = ObjectIdentifier(channel)
        state.withLock {
            $0.table.close(key)
            $0.channels[key] = nil
        }
    }

    /// Somebody who is known asks on it: once all of their request is here, it keeps its place until they are
    /// answered. Whether they keep no more than their share with it.
    func begin(_ channel: any Channel, by asker: String) -> Bool {
        state.withLock { $0.table.begin(ObjectIdentifier(channel), by: asker) }
    }

    /// A head came on it, or the end of its body.
    func read(_ channel: any Channel, isWhole: Bool) {
        state.withLock { $0.table.read(ObjectIdentifier(channel), isWhole: isWhole) }
    }

    /// Its requests are answered.
    func end(_ channel: any Channel) {
        state.withLock { $0.table.end(ObjectIdentifier(channel)) }
    }

    /// It was cut.
    func count(_ end: End) { state.withLock { $0.ends[end, default: 0] += 1 } }

    // MARK: What the listening socket asks

    func connectionOpened() { state.withLock { $0.accepted += 1 } }

    func connectionClosed() { state.withLock { $0.accepted -= 1 } }

    /// While this is false, new clients wait in the kernel, where they cost no descriptor.
    func isAcceptingNewConnections() -> Bool {
        state.withLock { $0.accepted < limits.total + Self.slack }
    }

    // MARK: Figures

    /// Prometheus text.
    var metrics: String {
        let (count, ends) = state.withLock { ($0.table.count, $0.ends) }
        var lines = [
            "# TYPE mesh_http_connections gauge", "mesh_http_connections \(count)",
            "# TYPE mesh_http_connections_most gauge", "mesh_http_connections_most \(limits.total)",
            "# TYPE mesh_http_connections_ended_total counter",
        ]
        lines += End.allCases.map {
            "mesh_http_connections_ended_total{reason=\"\($0.rawValue)\"} \(ends[$0] ?? 0)"
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// Who is connected. Decides who is let in and who gives way; knows no sockets.
///
/// A connection *waits* while nobody who is known is being answered on it: also while a head or a body is under
/// way, whoever sends it, and while somebody takes an answer that is for everybody; and of one asker beyond their
/// share. When places run out, the one that has waited longest gives way, so that nobody keeps others out by
/// requests that do not end or answers that are not taken.
struct ConnectionTable<Key: Hashable & Sendable>: Sendable {
    /// What becomes of a new connection.
    enum Verdict: Equatable {
        /// It has a place.
        case welcome
        /// It has the place of this one, which is to be closed.
        case instead(of: Key)
        /// Everybody else is being answered.
        case full
    }

    private struct Guest {
        /// A household (`Network.household`); `nil` for one of this machine.
        var address: String?
        /// When it came, or was last answered, as a number that grows.
        var since: Int
        /// Who is being answered, if they are known and this is of their share.
        var asker: String?
        /// Whether a head came whose body has not ended.
        var isReading = false

        /// Since when it waits; `nil` while it is being answered.
        var waiting: Int? { asker != nil && !isReading ? nil : since }
    }

    let total: Int
    let perAddress: Int
    let perAsker: Int
    private var guests: [Key: Guest] = [:]
    /// How many places each asker keeps.
    private var kept: [String: Int] = [:]
    private var time = 0

    init(total: Int, perAddress: Int, perAsker: Int) {
        self.total = total
        self.perAddress = perAddress
        self.perAsker = perAsker
    }

    var count: Int { guests.count }

    /// A connection was made.
    mutating func open(_ key: Key, from address: String?) -> Verdict {
        let neighbours = address.map { address in guests.filter { $0.value.address == address } }
        let crowd: [Key: Guest]
        if let neighbours, neighbours.count >= perAddress {
            crowd = neighbours
        } else if guests.count >= total {
            crowd = guests
        } else {
            seat(key, address)
            return .welcome
        }
        let idle = crowd.compactMap { key, guest in guest.waiting.map { (key: key, since: $0) } }
        guard let oldest = idle.min(by: { $0.since < $1.since }) else { return .full }
        close(oldest.key)
        seat(key, address)
        return .instead(of: oldest.key)
    }

    /// It is gone.
    mutating func close(_ key: Key) {
        release(key)
        guests[key] = nil
    }

    /// Somebody who is known asks. Whether it is of their share.
    @discardableResult
    mutating func begin(_ key: Key, by asker: String) -> Bool {
        guard let guest = guests[key], guest.asker == nil else { return true }
        guard kept[asker, default: 0] < perAsker else { return false }
        guests[key]?.asker = asker
        kept[asker, default: 0] += 1
        return true
    }

    /// A head came, or all of a body did.
    mutating func read(_ key: Key, isWhole: Bool) { guests[key]?.isReading = !isWhole }

    /// All its requests are answered.
    mutating func end(_ key: Key) {
        guard guests[key] != nil else { return }
        release(key)
        time += 1
        guests[key]?.since = time
    }

    private mutating func release(_ key: Key) {
        guard let asker = guests[key]?.asker else { return }
        guests[key]?.asker = nil
        let rest = kept[asker, default: 1] - 1
        kept[asker] = rest > 0 ? rest : nil
    }

    private mutating func seat(_ key: Key, _ address: String?) {
        time += 1
        guests[key] = Guest(address: address, since: time)
    }
}

/// What a client may take of the server before it has proved anything.
package struct ConnectionLimits: Equatable, Sendable {
    /// Connections at once. Pages that look (`LiveFeed.capacity`) are among them.
    package var total = 768
    /// Connections at once from one household: an address, or the 64 bits that begin one of IPv6. This machine's
    /// own are not counted: a proxy here speaks for everybody.
    package var perAddress = 64
    /// Connections on which one account or token is answered at once; on more it is refused. Those of a supervisor
    /// give way when places run out.
    package var perAsker = 64
    /// Requests on one connection whose answers have not gone out: answers that nobody takes fill the memory.
    package var pipelined = 4
    /// The longest time a connection may be open without the whole head of a request, at its start
    /// and between two requests.
    package var silence = Duration.seconds(15)
    /// The longest time from the head to the end of the body.
    package var body = Duration.seconds(20)
    /// How much of a body that is too long for every route is read, in bytes, so that the client
    /// sees the refusal before the connection is cut.
    package var longestBody = 8 * Route.largestBody
    /// The longest time that the rest of a body is read and dropped after the last answer of a
    /// connection, so that the client sees it.
    package var linger = Duration.seconds(5)
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
