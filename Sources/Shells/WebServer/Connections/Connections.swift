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
                table: ConnectionTable(total: limits.total, perAddress: limits.perAddress)))
    }

    /// Whether a connection that was made may stay. Closes another one for it if need be.
    func open(_ channel: any Channel) -> Bool {
        let key = ObjectIdentifier(channel)
        let address = channel.remoteAddress?.ipAddress.flatMap {
            WebContext.isHere($0) ? nil : $0
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

    /// A request on it began.
    func begin(_ channel: any Channel) {
        state.withLock { $0.table.begin(ObjectIdentifier(channel)) }
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

    /// Whoever comes while this is false waits in the kernel, where it costs no descriptor.
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
