import Basics
import Broker
import Foundation
import Logging
import Notifications
import Platform
import Registry
import Settings
import SitePipeline
import SiteService
import SiteStore
import WebServer
import Wire

/// What a coordinator needs to start: broker, listener, files. Places, people and policies are not
/// here; they live in the database (`SiteFile`).
package struct CoordinatorConfiguration: Equatable, Sendable {
    /// How to reach the broker.
    package struct BrokerAddress: Equatable, Sendable {
        /// A name or address.
        package var host: String
        /// A TCP port, from 1.
        package var port: Int
        /// The user to sign in as, or `nil` for nobody.
        package var username: String?
        /// The file whose first line is the password; there only with a user name.
        package var passwordFile: String?
        /// The version of MQTT to speak.
        package var version: MQTTClient.Version
        /// What the connection is encrypted with, or `nil` for one in the clear.
        package var tls: BrokerTLS?
        /// Whether a password may cross a network in the clear.
        package var isClearAllowed = false

        package init(
            host: String, port: Int, username: String? = nil, passwordFile: String? = nil,
            version: MQTTClient.Version, tls: BrokerTLS? = nil
        ) {
            self.host = host
            self.port = port
            self.username = username
            self.passwordFile = passwordFile
            self.version = version
            self.tls = tls
        }
    }

    /// Where the dashboard and the interface for programs are served.
    package struct Listener: Equatable, Sendable {
        /// The address to listen on.
        package var host: String
        /// A TCP port, or 0 for any that is free.
        package var port: Int
        /// The file whose first line is the token. A start makes it if it is not there. Beyond loopback
        /// it has to be named; on it, it is the file `token` beside the database if it is not.
        package var tokenFile: String
        /// Whether this machine may see the live page without a token: names and places of people.
        /// What is kept about them needs the token in any case.
        package var isReadingAnonymous: Bool
        /// From where anybody may connect: private networks if nothing is said.
        package var allowedNetworks: [Network]
        /// The reverse proxies that are believed when they say who asks.
        package var trustedProxies: [Network]
        /// What browsers call this server, beside addresses and `localhost`.
        package var hostNames: [String]
        /// The push services that messages are given to.
        package var pushServices: PushServices
    }

    /// A site this coordinator owns.
    package struct Site: Equatable, Sendable {
        /// The site's slug, as on topics.
        package var id: String
        /// The path of its SQLite file, which `beaconmesh import` makes.
        package var database: String
        /// What a start does with a database that is damaged.
        package enum OnDamage: String, Sendable, CaseIterable {
            /// Ends, and says which backup is the newest.
            case stop
            /// Puts it aside and goes on with the newest proven backup.
            case restore
        }

        /// Whether the database is backed up every hour, and before its schema changes.
        package var isBackedUp: Bool
        /// The directory of its backups.
        package var backups: String
        /// What a start does with a damaged one.
        package var onDamage: OnDamage
        /// Scanners of other makers whose messages count as those of the site's nodes.
        package var foreign: [ForeignNetwork]
    }

    /// The coordinator's slug, as in `mesh/v1/core/{c}`.
    package var coordinator: String
    package var broker: BrokerAddress
    /// The web listener.
    package var http: Listener
    /// How machines that become nodes reach broker and coordinator; `nil`: they are set up by hand.
    package var joining: JoiningDoor?
    /// The file that is written when somebody else may sign in at the broker than before, or `nil`: whoever keeps the
    /// broker's files waits for it.
    package var enrolmentFile: String?
    /// Exactly one site for now; a list, because more are to come.
    package var sites: [Site]
    /// The file to record all inputs to, or `nil` for none.
    package var record: String?
    /// The least important level that is logged.
    package var log: Logger.Level

    /// How far what a configuration names is looked into when it is read.
    package enum Depth: Int, Comparable, Sendable {
        /// Only what it says.
        case text
        /// Also the files with secrets.
        case secrets
        /// Also the database: everything a start needs of this machine.
        case start

        /// Whether `b` looks further.
        package static func < (a: Depth, b: Depth) -> Bool { a.rawValue < b.rawValue }
    }

    /// Reads a YAML file with the overrides of the environment. Throws every fault at once. Nothing
    /// is changed, whatever the depth.
    package init(reading file: String, depth: Depth = .text) throws(SettingsError) {
        var settings = try SettingsReader(file: file)
        try self.init(&settings, depth)
    }

    /// Reads `text` as if it were the file called `name`, without the environment.
    ///
    /// - Throws: A `SettingsError` with every fault and its line: print it and exit with 78.
    package init(text: String, named name: String) throws(SettingsError) {
        var settings = try SettingsReader(text: text, named: name)
        try self.init(&settings, .text)
    }

    private init(_ settings: inout SettingsReader, _ depth: Depth) throws(SettingsError) {
        coordinator = settings.slug("coordinator", default: "main")
        broker = settings.section("broker") { BrokerAddress(&$0, depth) }
        let sites = settings.list("sites", count: 1...1) { Site(&$0, depth) }
        self.sites = sites
        http = settings.section("http") { Listener(&$0, depth, of: sites.first?.database ?? "") }
        let http = self.http
        joining = settings.sectionIfPresent("join") { JoiningDoor(&$0, http) }
        enrolmentFile = settings.pathIfPresent("enrolment_file")
        record = settings.pathIfPresent("record")
        log = settings.choice("log", default: .info)
        try settings.finish()
    }
}

extension CoordinatorConfiguration.BrokerAddress {
    fileprivate init(_ broker: inout SettingsReader, _ depth: CoordinatorConfiguration.Depth) {
        host = broker.string("host", default: "127.0.0.1")
        let usual = Broker.BrokerAddress.usualPort(isEncrypted: broker.holds("tls"))
        port = broker.int("port", in: 1...65535, default: usual)
        username = broker.stringIfPresent("username")
        passwordFile = broker.pathIfPresent("password_file")
        version = broker.choice("protocol", default: .five)
        tls = broker.sectionIfPresent("tls") { BrokerTLS(&$0) }
        isClearAllowed = broker.bool("plaintext", default: false)
        if depth >= .secrets, let tls, !tls.authority.isEmpty, let fault = tls.fault {
            broker.refuse("tls", fault.description)
        }
        guard let passwordFile else { return }
        guard username != nil else {
            broker.refuse("password_file", "is of no use without username")
            return
        }
        if !isClearAllowed, Broker.BrokerAddress.isInClear(to: host, tls) {
            broker.refuse("tls", Broker.BrokerAddress.clearFault(host))
        }
        if depth >= .secrets, let fault = Secret.fault(in: passwordFile) {
            broker.refuse("password_file", "\(passwordFile): \(fault)")
        }
    }
}

extension BrokerTLS {
    /// Reads `ca`, `certificate` and `key`.
    package init(_ tls: inout SettingsReader) {
        self.init(
            authority: tls.path("ca"), certificate: tls.pathIfPresent("certificate"),
            key: tls.pathIfPresent("key"))
    }
}

extension JoiningDoor {
    /// Reads `host`, `port`, `ca`, `plaintext` and `address`. Without the last nodes reach the coordinator by the same host.
    fileprivate init(_ join: inout SettingsReader, _ http: CoordinatorConfiguration.Listener) {
        let host = join.string("host")
        let authority = join.pathIfPresent("ca")
        let isClearAllowed = join.bool("plaintext", default: false)
        let address = join.stringIfPresent("address")
        if let address, address.wholeMatch(of: /(https:\/\/)?[A-Za-z0-9.\[\]:_-]{1,260}/) == nil {
            join.refuse("address", "expected HOST, HOST:PORT or https://HOST, got \"\(address)\"")
        }
        if !host.isEmpty, !NodeBundle.isHost(host) {
            join.refuse("host", "expected a name or address, got \"\(host)\"")
        }
        if authority == nil, !isClearAllowed {
            join.refuse("ca", "missing: it is the broker's authority; or say plaintext: true")
        }
        let usual = Broker.BrokerAddress.usualPort(isEncrypted: authority != nil)
        let isReached = !["127.0.0.1", "::1", "localhost"].contains(http.host) && http.port != 0
        let name = host.contains(":") ? "[\(host)]" : host
        self.init(
            host: host, port: join.int("port", in: 1...65535, default: usual),
            authorityFile: authority,
            address: address
                ?? (isReached ? name + (http.port == 8080 ? "" : ":\(http.port)") : nil))
    }
}

extension BrokerAddress {
    /// The broker of a coordinator's file, with the password of its user.
    package init(_ settings: CoordinatorConfiguration.BrokerAddress, password: String?) {
        self.init(
            host: settings.host, port: settings.port, username: settings.username,
            password: password, version: settings.version, tls: settings.tls)
    }
}

extension CoordinatorConfiguration.Listener {
    fileprivate init(
        _ http: inout SettingsReader, _ depth: CoordinatorConfiguration.Depth, of database: String
    ) {
        host = http.string("host", default: "127.0.0.1")
        port = http.int("port", in: 0...65535, default: 8080)
        let named = http.pathIfPresent("token_file")
        tokenFile =
            named
            ?? URL(fileURLWithPath: database).deletingLastPathComponent()
            .appendingPathComponent("token").path
        isReadingAnonymous = http.bool("anonymous_reading", default: false)
        allowedNetworks =
            http.holds("allowed_networks")
            ? Self.networks("allowed_networks", 1...64, &http) : Network.home
        trustedProxies = Self.networks("trusted_proxies", 0...16, &http)
        hostNames = http.texts("host_names", count: 0...16).map { $0.lowercased() }
        let services = http.texts("push_services", count: 0...16).map { $0.lowercased() }
        let contact = http.string("push_contact", default: "mailto:beaconmesh@example.org")
        pushServices = PushServices(more: services, contact: contact)
        for service in services where pushServices.origin(of: service + "/") != service {
            http.refuse(
                "push_services", "expected https://HOST[:PORT] without a path, got \"\(service)\"")
        }
        if contact.wholeMatch(of: /(mailto:|https:\/\/)[!-~&&[^"\\]]{1,200}/) == nil {
            http.refuse("push_contact", "expected mailto:… or https://…, got \"\(contact)\"")
        }
        if named == nil, !["127.0.0.1", "::1", "localhost"].contains(host) {
            http.refuse("token_file", "missing, required where http.host is not loopback")
        } else if depth >= .secrets {
            let fault =
                TokenFile.isMissing(tokenFile)
                ? TokenFile.obstacle(to: tokenFile) : Secret.fault(in: tokenFile)
            if let fault { http.refuse("token_file", "\(tokenFile): \(fault)") }
        }
    }
}

extension CoordinatorConfiguration.Listener {
    private static func networks(
        _ key: String, _ count: ClosedRange<Int>, _ http: inout SettingsReader
    ) -> [Network] {
        var networks: [Network] = []
        for text in http.texts(key, count: count) {
            guard let network = Network(text) else {
                http.refuse(key, "expected addresses such as 192.168.1.0/24, got \"\(text)\"")
                continue
            }
            networks.append(network)
        }
        return networks
    }
}

extension CoordinatorConfiguration.Site {
    fileprivate init(_ site: inout SettingsReader, _ depth: CoordinatorConfiguration.Depth) {
        id = SiteFile.siteSlug(&site)
        database = site.path("database")
        (isBackedUp, backups) = Self.backups(&site, of: database)
        onDamage = site.choice("on_damage", default: .stop)
        foreign = site.list("foreign", count: 0...8) { ForeignNetwork(&$0) }
        for (index, network) in foreign.enumerated()
        where foreign[..<index].contains(where: {
            $0.kind == network.kind && $0.root == network.root
        }) {
            site.refuse("foreign", "names \(network.kind.rawValue) at \(network.root) twice")
        }
        if depth >= .start, !site.hasFaults, let fault = databaseFault {
            site.refuse("database", fault)
        }
    }

    /// Why a coordinator cannot start with the database, or `nil`. The file is only read.
    private var databaseFault: String? {
        let hint = "run beaconmesh import --database \(ShellWord.quoted(database)) site.yaml"
        let examination: StoreExamination
        do {
            if let obstacle = StoreError.obstacle(at: database) {
                throw StoreError.cannotOpen(path: database, reason: obstacle)
            }
            guard FileManager.default.fileExists(atPath: database) else {
                return "\(database): no such file; \(hint)"
            }
            examination = try StoreExamination.examine(database, isDeep: true)
        } catch {
            return "\(error)"
        }
        guard let found = examination.site else { return "\(database) holds no site yet: \(hint)" }
        return found == id ? nil : "\(database) holds site \(found), not \(id)"
    }

    private static func backups(
        _ site: inout SettingsReader, of database: String
    ) -> (Bool, String) {
        site.section("backups") {
            let isOn = $0.bool("enabled", default: true)
            return (isOn, $0.pathIfPresent("folder") ?? BackupFolder(of: database).path)
        }
    }
}

extension ForeignNetwork {
    /// Reads `kind`, `root`, and the tables `nodes` (their name of a node: ours) and `beacons`
    /// (what they call a transmitter: our beacon).
    package init(_ network: inout SettingsReader) {
        let kind: Kind = network.choice("kind")
        let root = network.string("root", default: kind.usualRoot, length: Self.longestRoot)
        let nodes = network.slugs("nodes")
        self.init(kind: kind, root: root, nodes: nodes, beacons: network.slugs("beacons"))
        if !root.isEmpty, !Self.isRoot(root) {
            network.refuse(
                "root", "expected the beginning of a topic, without + and #, outside of mesh/")
        }
        let twice = Dictionary(grouping: nodes.keys.sorted()) { nodes[$0] ?? "" }
            .filter { $0.value.count > 1 }
        for (slug, names) in twice.sorted(by: { $0.key < $1.key }) {
            network.refuse("nodes", "\(names.joined(separator: " and ")) cannot both be \(slug)")
        }
    }
}

extension SettingsReader {
    /// The section at `key` as a table: keys of the author's choice, each with a slug. An absent
    /// section is an empty table.
    fileprivate mutating func slugs(_ key: String) -> [String: String] {
        sectionIfPresent(key) { table in
            var slugs: [String: String] = [:]
            for name in table.keys { slugs[name] = table.slug(name) }
            return slugs
        } ?? [:]
    }
}
