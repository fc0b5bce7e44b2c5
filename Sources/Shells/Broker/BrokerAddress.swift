import Basics
import Glibc

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
    /// What the connection is encrypted with, or `nil` for one in the clear.
    package var tls: BrokerTLS?

    package init(
        host: String, port: Int = 1883, username: String? = nil, password: String? = nil,
        version: MQTTClient.Version = .five, tls: BrokerTLS? = nil
    ) {
        self.host = host
        self.port = port
        self.username = username
        self.password = password
        self.version = version
        self.tls = tls
    }

    /// Whether it runs on this very machine.
    package var isHere: Bool { Loopback.isHost(host) }

    /// The port of MQTT, encrypted or not, where none is given.
    package static func usualPort(isEncrypted: Bool) -> Int { isEncrypted ? 8883 : 1883 }

    /// Whether a password for `host` would cross a network on which others can listen.
    package static func isInClear(to host: String, _ tls: BrokerTLS?) -> Bool {
        tls == nil && !Loopback.isHost(host)
    }

    /// What is said against a configuration with such a password, below its key `tls`.
    package static func clearFault(_ host: String) -> String {
        """
        missing, the password would go to \(host) in the clear: set tls.ca (beaconmesh broker config --tls \
        makes the file), or plaintext: true where nobody else can listen
        """
    }

    /// Reads `HOST`, `HOST:PORT`, `[ADDRESS]:PORT` or an IPv6 address alone; `nil` for anything
    /// else. Without a port it is the usual one.
    package static func parse(
        _ text: String, isEncrypted: Bool = false
    ) -> (host: String, port: Int)? {
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
        guard let port else { return (String(host), usualPort(isEncrypted: isEncrypted)) }
        guard let number = Int(port), (1...65535).contains(number) else { return nil }
        return (String(host), number)
    }
}

/// What an encrypted connection to a broker is checked by, and what shows the broker who we are.
package struct BrokerTLS: Equatable, Sendable {
    /// The file with the certificates of the authorities that are trusted, in PEM. The broker's own must be of
    /// one of them, and name the host that we connect to.
    package var authority: String
    /// The files of our own certificate and its key, for a broker that asks for one: both or none.
    package var certificate: String?
    package var key: String?

    package init(authority: String, certificate: String? = nil, key: String? = nil) {
        self.authority = authority
        self.certificate = certificate
        self.key = key
    }

    /// Why nothing can be encrypted with these files, or `nil`. Whether they hold what they should is seen
    /// when a connection is made.
    package var fault: TLSFault? {
        if let fault = Self.unreadable(authority) { return fault }
        switch (certificate, key) {
        case (nil, nil): return nil
        case (nil, _?): return .certificateMissing
        case (let certificate?, nil):
            return Self.unreadable(certificate) ?? TLSFault.keyMissing
        case (let certificate?, let key?):
            return Self.unreadable(certificate) ?? Self.unreadable(key) ?? Self.open(key)
        }
    }

    private static func unreadable(_ path: String) -> TLSFault? {
        access(path, R_OK) == 0
            ? nil : .unreadable(file: path, reason: String(cString: strerror(errno)))
    }

    private static func open(_ key: String) -> TLSFault? {
        var info = stat()
        return stat(key, &info) == 0 && info.st_mode & 0o077 != 0 ? .keyIsOpen(file: key) : nil
    }
}
