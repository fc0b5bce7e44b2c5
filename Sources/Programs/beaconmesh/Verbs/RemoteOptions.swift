import ArgumentParser
import Basics
import Broker
import Platform
import Scanner
import SiteClient
import Wire

/// The options of a scan through a node.
struct RemoteOptions: ParsableArguments {
    @Option(help: "The node to look through, as in site.yaml.")
    var node: String?

    @Option(help: "The broker, HOST or HOST:PORT.")
    var broker: String?

    @Option(help: "The node's site.")
    var site: String?

    @Option(help: "The user to sign in to the broker as.")
    var username: String?

    @Option(help: "The file whose first line is that user's password.")
    var passwordFile: String?

    @OptionGroup var tls: TLSOptions

    @Option(
        name: .customLong("mqtt"), help: "The version of MQTT to speak: 5 or 3.1.1. (default: 5)")
    var version: String?

    @Option(help: "The most advertisements a second that the node may send, 1 to 200.")
    var perSecond: Int64 = 50

    @Flag(
        help: """
            Have the node tell all of every advertisement. Without it, what identifies strangers' \
            devices is withheld.
            """)
    var unredacted = false

    /// Refuses what makes no sense.
    func check() throws {
        guard let node else {
            let others = [broker, site, username, passwordFile, version].compactMap(\.self)
            guard others.isEmpty, !unredacted, !tls.isGiven else {
                throw ValidationError(
                    "--broker, --site, --username, --password-file, --ca, --plaintext, --mqtt and "
                        + "--unredacted are for --node")
            }
            return
        }
        guard let broker, let site else {
            throw ValidationError("--node needs --broker HOST[:PORT] and --site SITE")
        }
        guard node.isSlug, site.isSlug else {
            throw ValidationError("--node and --site: 1 to 64 of a-z, 0-9 and “-”")
        }
        guard BrokerAddress.parse(broker) != nil else {
            throw ValidationError("--broker: HOST or HOST:PORT, an IPv6 address in brackets")
        }
        if let version, MQTTClient.Version(rawValue: version) == nil {
            throw ValidationError("--mqtt: 5 or 3.1.1")
        }
        if passwordFile != nil, username == nil {
            throw ValidationError("--password-file is of no use without --username")
        }
        guard (1...DebugLeasePayload.mostPerSecond).contains(perSecond) else {
            throw ValidationError("--per-second: 1 to \(DebugLeasePayload.mostPerSecond)")
        }
    }

    /// The scan, or `nil` if none through a node is wanted.
    func scan(seconds: Double?) throws -> RemoteScan? {
        guard let node, let site, let broker,
            let (host, port) = BrokerAddress.parse(broker, isEncrypted: tls.isEncrypted)
        else { return nil }
        let address = BrokerAddress(
            host: host, port: port, username: username, password: try Secret.read(passwordFile),
            version: version.flatMap { MQTTClient.Version(rawValue: $0) } ?? .five,
            tls: try tls.files())
        try tls.check(address)
        return RemoteScan(
            node: node, site: site, address: address, isRedacted: !unredacted,
            perSecond: perSecond, seconds: seconds)
    }
}
