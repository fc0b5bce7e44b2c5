import GRDB
import Permissions
import SiteStore
import Wire

/// Where the broker listens.
package struct BrokerListener: Equatable, Sendable {
    /// What TLS is made with. The authority is of the certificates, if it is not one the clients know.
    package struct TLS: Equatable, Sendable {
        package var certificate: String
        package var key: String
        package var authority: String?
        package var port: Int

        package init(certificate: String, key: String, authority: String?, port: Int) {
            self.certificate = certificate
            self.key = key
            self.authority = authority
            self.port = port
        }
    }

    /// The port without TLS.
    package var port: Int
    /// Whether other machines reach the port without TLS.
    package var isOnLAN: Bool
    package var tls: TLS?

    package init(port: Int = 1883, isOnLAN: Bool = false, tls: TLS? = nil) {
        self.port = port
        self.isOnLAN = isOnLAN
        self.tls = tls
    }
}

/// One file for mosquitto.
package struct BrokerFile: Equatable, Sendable {
    package var name: String
    package var text: String
    /// Whether only its owner may read it.
    package var isSecret: Bool

    /// Whether mosquitto reads it. The authority's key is for us alone: who has it can pose as the broker.
    var isForBroker: Bool { name != Self.authorityKey }

    package static let configuration = "beaconmesh.conf"
    package static let accessList = "beaconmesh.acl"
    package static let passwords = "beaconmesh.passwords"
    /// The certificates of the authorities that clients trust, for all to read, and the key of the first.
    package static let authority = "ca.pem"
    package static let authorityKey = "ca.key"
    /// The broker's own.
    package static let certificate = "server.pem"
    package static let certificateKey = "server.key"
}

/// The texts of the files for mosquitto 2.0, made from the identities of a site: the same, whoever makes
/// them and whenever.
package struct BrokerFiles: Sendable {
    package let site: String
    private let identities: [EnrolledIdentity]

    /// Of `identities` those that are revoked are left out.
    package init(site: String, identities: [EnrolledIdentity]) {
        self.site = site
        self.identities = identities.filter { $0.revoked == nil }
            .sorted { $0.identity.name < $1.identity.name }
    }

    /// Who may sign in.
    package var enrolled: [BrokerIdentity] { identities.map(\.identity) }

    /// How many may sign in.
    package var count: Int { identities.count }

    /// Those of the site in a store, as it is now. Throws a `StoreError`.
    package static func of(_ store: Store) throws(StoreError) -> BrokerFiles {
        let site = try store.read { try String.fetchOne($0, sql: "SELECT slug FROM site") }
        guard let site else { throw .empty(path: store.path) }
        return BrokerFiles(site: site, identities: try BrokerIdentities(store).all().identities)
    }

    /// What changes with an identity: the broker reads it again at SIGHUP.
    package var access: [BrokerFile] {
        [
            BrokerFile(name: BrokerFile.passwords, text: passwords, isSecret: true),
            BrokerFile(name: BrokerFile.accessList, text: accessList, isSecret: false),
        ]
    }

    /// The listeners, which are read when the broker starts. `directory` is where the files will be.
    package func configuration(_ listener: BrokerListener, in directory: String) -> BrokerFile {
        BrokerFile(
            name: BrokerFile.configuration, text: Self.text(listener, directory), isSecret: false)
    }

    private var head: String {
        """
        # Made by beaconmesh from who is enrolled at site \(site). Do not edit it: the next enrolment, \
        revocation
        # or “beaconmesh broker config” writes it anew.

        """
    }

    var passwords: String {
        head
            + identities.flatMap { enrolled in
                enrolled.identity.userNames.map { "\($0):\(enrolled.hash)\n" }
            }.joined()
    }

    /// A block for each user, without patterns: with `pattern write …/node/%u/…` everybody who is named like
    /// a node could speak as one.
    var accessList: String {
        head
            + identities.map { enrolled in
                let rules = BrokerRights(of: enrolled.identity, site: site).rules
                let lines = rules.map { "topic \($0.access.rawValue) \($0.filter)\n" }.joined()
                return "\n# \(enrolled.identity.kind.rawValue)\n"
                    + enrolled.identity.userNames.map { "user \($0)\n\(lines)" }.joined()
            }.joined()
    }

    /// In bytes, what the broker may take.
    private static let memory = 128 << 20

    private static func text(_ listener: BrokerListener, _ directory: String) -> String {
        """
        # Made by “beaconmesh broker config”, which writes it anew. mosquitto reads it when it starts; who may
        # sign in and what for it reads again at SIGHUP (systemctl reload mosquitto).

        \(plain(listener))
        \(listener.tls.map(encrypted) ?? "")\
        set_tcp_nodelay true
        allow_anonymous false
        password_file \(directory)/\(BrokerFile.passwords)
        acl_file \(directory)/\(BrokerFile.accessList)

        # Whoever sends a larger packet is cut off before it is read: the largest is a node's configuration,
        # and mosquitto 2.0 has one limit for all.
        max_packet_size \(PacketSize.most)

        # In bytes, of all that is retained and under way: a site takes a few MB. Above it whoever writes is cut
        # off, and the machine goes on.
        memory_limit \(memory)

        # As many as nodes and coordinator have under way; and what may wait for one that reads slowly.
        max_inflight_messages 100
        max_queued_messages 10000

        """
    }

    /// Of a listener, not of the broker, and read at its start only.
    private static let ownIDs = """
        # The user name is the client id, whatever a client says: who took another's would end its connection.
        # So there is one connection for each name.
        use_username_as_clientid true
        """

    /// Always with a listener line of its own: mosquitto 2.0.11 with certificates and without one opens
    /// port 1883 to everybody.
    private static func plain(_ listener: BrokerListener) -> String {
        guard listener.isOnLAN else {
            return """
                # This machine only: passwords and everything else go in the clear here.
                listener \(listener.port) 127.0.0.1
                \(ownIDs)
                """
        }
        return """
            # Not encrypted: whoever can listen on this network reads passwords and where people are.
            listener \(listener.port)
            \(ownIDs)
            """
    }

    private static func encrypted(_ tls: BrokerListener.TLS) -> String {
        """

        # Encrypted, for other machines. mosquitto's own user must be able to read the key.
        listener \(tls.port)
        use_username_as_clientid true
        certfile \(tls.certificate)
        keyfile \(tls.key)
        \(tls.authority.map { "cafile \($0)\n" } ?? "")\
        tls_version tlsv1.2

        """
    }
}
