import Basics
import SiteModel

/// When to try the broker again: after each failure a random wait between half a second and a limit
/// that doubles from one second to thirty (“full jitter”), so that fifty nodes do not come back in
/// the same instant; to five on the broker's own machine, where few wait and nothing is on the way.
/// A connection that did not last as long as the longest wait counts as a failure.
package struct Reconnect: Equatable, Sendable {
    /// The shortest wait.
    package static let shortest = Timestamp.Span.seconds(0.5)
    /// The longest wait for a broker on another machine.
    package static let longest = Timestamp.Span.seconds(30)
    /// The longest wait for a broker on this one.
    package static let longestHere = Timestamp.Span.seconds(5)

    /// When to try next, or `nil` while a connection stands or is being made.
    package private(set) var deadline: Timestamp?
    /// Failures in a row.
    package private(set) var failures = 0
    private let longest: Timestamp.Span
    private var connectedAt: Timestamp?
    private var chance: SplitMix64

    /// Due at once. `seed` spreads the waits of different processes; the same seed gives the same
    /// waits. `host`: the broker's name or address.
    package init(seed: UInt64, host: String, at now: Timestamp) {
        chance = SplitMix64(seed: seed)
        longest = Self.isHere(host) ? Self.longestHere : Self.longest
        deadline = now
    }

    /// Begins an attempt if one is due; whether it did.
    package mutating func begin(at now: Timestamp) -> Bool {
        guard let deadline, now >= deadline else { return false }
        self.deadline = nil
        return true
    }

    /// The broker accepted us.
    package mutating func connected(at now: Timestamp) {
        deadline = nil
        connectedAt = now
    }

    /// An attempt failed, or a connection ended. Returns the wait before the next attempt.
    @discardableResult
    package mutating func failed(at now: Timestamp) -> Timestamp.Span {
        if let connectedAt, now - connectedAt >= longest { failures = 0 }
        connectedAt = nil
        failures += 1
        let doubled = Self.shortest.milliseconds << Int64(min(failures, 16))
        let limit = min(doubled, longest.milliseconds)
        let wait = Timestamp.Span.milliseconds(
            Self.shortest.milliseconds
                // The modulo's bias does not matter for a wait.
                + Int64(chance.next() % UInt64(limit - Self.shortest.milliseconds + 1)))
        deadline = now + wait
        return wait
    }

    /// Whether a host is this very machine by its name.
    package static func isHere(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.") || host.hasPrefix("/")
    }
}

/// How to reach a broker, from the command line or from a configuration.
package struct BrokerAddress: Equatable {
    /// A name or address.
    package var host: String
    /// A TCP port, from 1.
    package var port = 1883
    /// The user to sign in as, or `nil` for nobody.
    package var username: String?
    /// The password, with a user only.
    package var password: String?
    /// The version of MQTT to speak.
    package var version = MQTTClient.Version.five

    package init(
        host: String, port: Int = 1883, username: String? = nil, password: String? = nil,
        version: MQTTClient.Version = .five
    ) {
        self.host = host
        self.port = port
        self.username = username
        self.password = password
        self.version = version
    }

    /// Whether it runs on this very machine.
    package var isHere: Bool { Reconnect.isHere(host) }

    /// Reads `HOST`, `HOST:PORT`, `[ADDRESS]:PORT` or an IPv6 address alone; `nil` for anything
    /// else.
    package static func parse(_ text: String) -> (host: String, port: Int)? {
        var host = text[...]
        var port: Substring?
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") {
            (host, port) = (text[..<colon], text[text.index(after: colon)...])
        }
        guard !host.isEmpty, host.allSatisfy({ !$0.isWhitespace && $0 != "[" }) else { return nil }
        guard let port else { return (String(host), 1883) }
        guard let number = Int(port), (1...65535).contains(number) else { return nil }
        return (String(host), number)
    }
}
