import ArgumentParser
import Broker
import MeshWire

/// How a verb reaches a running coordinator.
struct CoordinatorOptions: ParsableArguments {
    @Option(help: "The broker, HOST or HOST:PORT.")
    var broker: String

    @Option(help: "The site.")
    var site: String

    @Option(help: "The user to sign in to the broker as.")
    var username: String?

    @Option(help: "The file whose first line is that user's password.")
    var passwordFile: String?

    @Option(
        name: .customLong("mqtt"), help: "The version of MQTT to speak: 5 or 3.1.1. (default: 5)")
    var version: String?

    @Option(
        name: .customLong("request"),
        help: "The number of this request: asked again with the same, it is answered alike.")
    var id: String?

    /// Refuses what makes no sense.
    func validate() throws {
        guard BrokerAddress.parse(broker) != nil else {
            throw ValidationError("--broker: HOST or HOST:PORT, an IPv6 address in brackets")
        }
        guard Names.isSlug(site) else {
            throw ValidationError("--site: 1 to 64 of a-z, 0-9 and “-”")
        }
        if let version, MQTTClient.Version(rawValue: version) == nil {
            throw ValidationError("--mqtt: 5 or 3.1.1")
        }
        if passwordFile != nil, username == nil {
            throw ValidationError("--password-file is of no use without --username")
        }
        if let id,
            !(1...64).contains(id.utf8.count) || !id.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        {
            throw ValidationError("--request: 1 to 64 visible characters of ASCII")
        }
    }

    /// A connection that is not made yet.
    func session() throws -> RequestSession {
        guard let (host, port) = BrokerAddress.parse(broker) else {
            preconditionFailure("checked before")
        }
        return RequestSession(
            site: site,
            address: BrokerAddress(
                host: host, port: port, username: username,
                password: try Secret.read(passwordFile),
                version: version.flatMap { MQTTClient.Version(rawValue: $0) } ?? .five))
    }
}
