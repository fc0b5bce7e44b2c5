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
