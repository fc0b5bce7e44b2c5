import Broker
import Settings

/// How to reach a broker, from the command line or from a configuration.
struct BrokerAddress: Equatable {
    /// A name or address.
    var host: String
    /// A TCP port, from 1.
    var port = 1883
    /// The user to sign in as, or `nil` for nobody.
    var username: String?
    /// The password, with a user only.
    var password: String?
    /// The version of MQTT to speak.
    var version = MQTTClient.Version.five

    /// Reads `HOST`, `HOST:PORT`, `[ADDRESS]:PORT` or an IPv6 address alone; `nil` for anything
    /// else.
    static func parse(_ text: String) -> (host: String, port: Int)? {
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
