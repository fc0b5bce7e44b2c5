import ArgumentParser
import Basics
import Broker
import CoordinatorService
import Platform
import Wire

/// How a verb reaches a running coordinator.
package struct CoordinatorOptions: ParsableArguments {
    @Option(help: "The broker, HOST or HOST:PORT; that of the configuration if not given.")
    package var broker: String?

    @Option(help: "The site; that of the configuration if not given.")
    package var site: String?

    @Option(help: "The user to sign in to the broker as.")
    package var username: String?

    @Option(help: "The file whose first line is that user's password.")
    package var passwordFile: String?

    @OptionGroup package var tls: TLSOptions

    @Option(
        name: .customLong("mqtt"), help: "The version of MQTT to speak: 5 or 3.1.1. (default: 5)")
    package var version: String?

    @Option(
        name: .customLong("request"),
        help: "The number of this request: asked again with the same, it is answered alike.")
    package var id: String?

    package init() {}

    /// Refuses what makes no sense.
    package func validate() throws {
        if let broker, BrokerAddress.parse(broker) == nil {
            throw ValidationError("--broker: HOST or HOST:PORT, an IPv6 address in brackets")
        }
        if let site, !site.isSlug {
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

    /// Whether it is said whom to ask, so that nobody else is.
    package var saysWhere: Bool { broker != nil || site != nil || username != nil }

    /// Whether a configuration is needed to know where to ask.
    package var needsSettings: Bool { broker == nil || site == nil }

    /// A connection that is not made yet. What is not given stands in `settings`; the broker's user
    /// does, where the broker itself does and no other user is given.
    package func session(_ settings: CoordinatorConfiguration?) throws -> RequestSession {
        guard let site = site ?? settings?.sites[0].id else { throw Self.missing("--site") }
        let version = version.flatMap { MQTTClient.Version(rawValue: $0) }
        if let broker,
            let (host, port) = BrokerAddress.parse(broker, isEncrypted: tls.isEncrypted)
        {
            let address = BrokerAddress(
                host: host, port: port, username: username,
                password: try Secret.read(passwordFile), version: version ?? .five,
                tls: try tls.files())
            try tls.check(address)
            return RequestSession(site: site, address: address)
        }
        guard let known = settings?.broker else { throw Self.missing("--broker") }
        let file = username == nil ? known.passwordFile : passwordFile
        let address = BrokerAddress(
            host: known.host, port: known.port, username: username ?? known.username,
            password: try Secret.read(file), version: version ?? known.version,
            tls: try tls.files() ?? known.tls)
        if !known.isClearAllowed { try tls.check(address) }
        return RequestSession(site: site, address: address, tool: username == nil ? .ask : nil)
    }

    private static func missing(_ option: String) -> Exit {
        Exit(
            code: 64,
            text: """
                give \(option), or --config with the coordinator's configuration: there is none \
                at \(ConfigurationOptions.usual)
                """)
    }
}
