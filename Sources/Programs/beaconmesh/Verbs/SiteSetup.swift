import Accounts
import ArgumentParser
import Basics
import BrokerAccess
import CoordinatorService
import Foundation
import Glibc
import JSON
import Permissions
import Platform
import Registry
import SiteClient
import SiteModel
import SiteService
import SiteStore
import Wire

/// The steps of a site's setup. Each leaves what it finds.
struct SiteSetup {
    /// Where its files go.
    struct Folders: Equatable {
        var configuration: String
        var data: String
        var broker: String

        /// Those of the packages, which their units know.
        static let usual = Folders(
            configuration: "/etc/beaconmesh", data: "/var/lib/beaconmesh",
            broker: BrokerFolder.usual)
    }

    struct Ports: Equatable {
        /// Of pages and programs.
        var http: Int
        /// Of the broker, for this machine and for others.
        var mqtt: Int
        var tls: Int
    }

    /// By what name and ports the site is reached.
    struct Door: Equatable {
        var host: String
        var ports: Ports
    }

    /// The user that the packages make, who runs the coordinator.
    private static let user = "beaconmesh"
    private static let units = ["beacon-broker.path", "beacon-broker.timer"]
    /// What mosquitto reads besides its own file.
    private static let included = "/etc/mosquitto/conf.d"

    /// The first line of a configuration that was made here.
    private static let mark = "# Made by “beaconmesh site new”."

    private let folders: Folders
    private let broker: BrokerFolder
    /// Whether services are turned on.
    private let isStarting: Bool

    init(_ folders: Folders, isStarting: Bool) {
        self.folders = folders
        self.isStarting = isStarting
        broker = BrokerFolder(folders.broker)
    }

    var configuration: String { folders.configuration + "/coordinator.yaml" }
    private var password: String { folders.configuration + "/broker-password" }
    private var link: String { "\(Self.included)/\(BrokerFile.configuration)" }
    private var listeners: String { "\(broker.path)/\(BrokerFile.configuration)" }

    private var owner: passwd? { geteuid() == 0 ? getpwnam(Self.user)?.pointee : nil }

    /// Looks whether all can be written, before anything is.
    func check() throws(Exit) {
        if isStarting {
            guard geteuid() == 0 else {
                throw Exit(code: 77, text: "run it as root: sudo beaconmesh site new …")
            }
            guard owner != nil else {
                throw Exit(
                    code: 78,
                    text:
                        "there is no user \(Self.user): install the package beaconmesh-coordinator")
            }
            guard access("/usr/sbin/mosquitto", X_OK) == 0 else {
                throw Exit(code: 78, text: "there is no broker: sudo apt install mosquitto")
            }
            guard access("/run/systemd/system", F_OK) == 0 else {
                throw Exit(code: 78, text: "systemd does not run here: give --no-start")
            }
        }
        for folder in [folders.configuration, folders.data, folders.broker] {
            guard mkdir(folder, 0o755) == 0 || errno == EEXIST, access(folder, W_OK | X_OK) == 0
            else {
                throw Exit(code: 73, text: "\(folder): \(String(cString: strerror(errno)))")
            }
        }
        try broker.check([])
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
        guard !isStarting || TokenFile.isMissing(link) || target == listeners else {
            throw Exit(
                code: 78, text: "\(link) was made by hand: move it away, then run this again")
        }
    }

    /// What a configuration that was made here says; `nil`: there is none. Throws an `Exit` with 78 for another one.
    func known() throws(Exit) -> (site: String, database: String, door: Door)? {
        guard !TokenFile.isMissing(configuration) else { return nil }
        let text = try? String(contentsOfFile: configuration, encoding: .utf8)
        guard let settings = try settings(), let joining = settings.joining,
            text?.hasPrefix(Self.mark) == true
        else {
            throw Exit(
                code: 78,
                text: """
                    \(configuration) was made by hand, and stays as it is. How machines join such a site stands in \
                    docs/operating.md
                    """)
        }
        let ports = Ports(
            http: settings.http.port, mqtt: settings.broker.port, tls: joining.port)
        return (
            settings.sites[0].id, settings.sites[0].database,
            Door(host: joining.host, ports: ports)
        )
    }

    private func settings() throws(Exit) -> CoordinatorConfiguration? {
        guard FileManager.default.fileExists(atPath: configuration) else { return nil }
        do {
            return try CoordinatorConfiguration(reading: configuration)
        } catch {
            throw Exit(code: 78, text: "\(error)")
        }
    }

    // MARK: The database

    func database(of site: String) -> String { "\(folders.data)/\(site).sqlite" }

    func isMissing(_ path: String) throws(Exit) -> Bool { TokenFile.isMissing(path) }

    /// Stores a site that is not there yet.
    func put(_ document: SiteDocument, at path: String, as site: String) throws {
        guard document.slug == site else {
            throw Exit(
                code: 78,
                text: """
                    \(configuration) is of the site \(site), not of \(document.slug). For more sites see \
                    beacon-coordinator@SITE in docs/operating.md
                    """)
        }
        try write(to: path, isMade: true) { try $0.write(.importSite(document)).number }
        say("made", path)
    }

    /// Writes to the site, and gives what was made of its database to who runs the coordinator.
    @discardableResult
    private func write<Value>(
        to database: String, isMade: Bool = false, _ body: (SiteAccess) throws -> Value
    ) throws -> Value {
        let value: Value
        do {
            value = try SiteAccess.with(database, as: "site new", isMade: isMade, body)
        } catch {
            throw DatabaseOptions.exit(error)
        }
        try give(database)
        return value
    }

    private func give(_ database: String) throws(Exit) {
        guard let owner else { return }
        let name = URL(fileURLWithPath: database).lastPathComponent
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folders.data)) ?? []
        for path in files.filter({ $0.hasPrefix(name) }).map({ "\(folders.data)/\($0)" }) {
            // Never what a link leads to.
            guard lchown(path, owner.pw_uid, owner.pw_gid) == 0 else {
                throw Exit(code: 73, text: "\(path): \(String(cString: strerror(errno)))")
            }
        }
    }

    // MARK: The coordinator

    /// Writes the coordinator's configuration.
    func configure(site: String, _ door: Door) throws(Exit) {
        try write(text(site: site, door), to: configuration, mode: 0o640)
        say("made", configuration)
    }

    /// Gives the coordinator a password, if it has none.
    func enrol() throws {
        guard let site = try settings()?.sites[0], TokenFile.isMissing(password) else {
            return say("kept", password)
        }
        let secret = BrokerPassword.random()
        let identity = BrokerIdentity(name: "coordinator", kind: .coordinator)
        let new = NewBrokerIdentity(identity, hash: BrokerPassword.hash(of: secret))
        try write(to: site.database) { try $0.write(.broker(.replace(new))) }
        try write(secret + "\n", to: password, mode: 0o600)
        say("made", password)
    }

    private func text(site: String, _ door: Door) -> String {
        let folder = broker.path
        return """
            \(Self.mark) What else can be said stands in the example, coordinator.yaml.
            coordinator: main
            broker:
              host: 127.0.0.1
              port: \(door.ports.mqtt)
              username: coordinator
              password_file: broker-password
            http:
              host: 0.0.0.0            # whoever is in a private network reaches the pages
              port: \(door.ports.http)
              host_names: [\(quoted(door.host))]
              token_file: \(quoted(folders.data + "/token"))
            # How machines that become nodes reach this one:
            join:
              host: \(quoted(door.host))
              port: \(door.ports.tls)
              ca: \(quoted(folder + "/" + BrokerFile.authority))
            # Written when somebody is enrolled or revoked; beacon-broker.path waits for it:
            enrolment_file: \(quoted(folders.data + "/enrolment"))
            sites:
              - id: \(site)
                database: \(quoted(database(of: site)))

            """
    }

    private func write(_ text: String, to path: String, mode: mode_t) throws(Exit) {
        let owner = owner
        do throws(File.Failure) {
            try File.replace(path, with: Array(text.utf8), mode: mode) { file in
                owner.map { fchown(file, $0.pw_uid, $0.pw_gid) == 0 } ?? true
            }
        } catch {
            throw Exit(code: 73, text: "\(error)")
        }
    }

    // MARK: The broker

    /// Writes mosquitto's files, and where it reads them from.
    func openBroker(_ door: Door) throws {
        guard let site = try settings()?.sites[0] else { return }
        let store: Store
        do {
            store = try Store(reading: site.database)
        } catch {
            throw Exit(refusing: error)
        }
        defer { store.close() }
        let texts = try BrokerFiles.of(store)
        // Addresses may change, names stay: a certificate that is there is not made anew for them.
        let hosts = broker.hasAuthority ? [] : [door.host] + OwnAddresses.inPrivateNetworks()
        let made = try BrokerCertificates(in: broker, site: site.id).make(hosts: hosts)
        let tls = BrokerListener.TLS(
            certificate: "\(broker.path)/\(BrokerFile.certificate)",
            key: "\(broker.path)/\(BrokerFile.certificateKey)", authority: nil, port: door.ports.tls
        )
        let listener =
            !broker.hasListener
            ? [
                texts.configuration(
                    BrokerListener(port: door.ports.mqtt, tls: tls), in: broker.path)
            ]
            : []
        let changed = try broker.changed(listener + texts.access + made.files)
        if !changed.isEmpty { try broker.write(changed) }
        say(changed.isEmpty ? "kept" : "made", broker.path)
        for note in made.notes { print("      \(note)") }
        guard isStarting else { return }
        var isLinked = false
        if TokenFile.isMissing(link) {
            guard symlink(listeners, link) == 0 else {
                throw Exit(code: 73, text: "\(link): \(String(cString: strerror(errno)))")
            }
            isLinked = true
        }
        // It reads its listeners when it starts, all else when it is told to.
        try must("enable", "--quiet", "mosquitto")
        if isLinked || !listener.isEmpty {
            try must("restart", "mosquitto")
        } else if !changed.isEmpty {
            try must("reload", "mosquitto")
        }
    }

    // MARK: What runs

    func start() throws(Exit) {
        guard isStarting else { return }
        try must("enable", "--quiet", "--now", Self.units[0], Self.units[1])
        try must("enable", "--quiet", "--now", "beacon-coordinator")
        say("runs", "mosquitto, beacon-coordinator, \(Self.units.joined(separator: ", "))")
    }

    private func must(_ words: String...) throws(Exit) {
        let ended = try Program.run(["systemctl"] + words)
        guard ended.status == 0 else {
            throw Exit(
                code: 69,
                text: """
                    systemctl \(words.joined(separator: " ")): \(ended.fault); \
                    see: journalctl -u \(words[words.count - 1])
                    """)
        }
    }

    /// Invites the owner of a site that has no account.
    func invite(_ name: String, _ door: Door) throws {
        guard let site = try settings()?.sites[0],
            let operation = SiteService.Operation.named("account-invite")
        else { return }
        let host = door.host.contains(":") ? "[\(door.host)]" : door.host
        let address = "http://\(host):\(door.ports.http)"
        print("\npages:  \(address)/")
        let answer: [UInt8]? = try write(to: site.database) { access in
            guard try Accounts(access.store).all().accounts.isEmpty else { return nil }
            return try access.perform(
                operation, [(name: "name", value: name), (name: "role", value: "owner")])
        }
        struct Invited: Decodable {
            var path: String
        }
        if let answer {
            let path = try JSONDecoder().decode(Invited.self, from: Data(answer)).path
            print(
                "owner:  \(address)\(path)\n        good once, for a week: choose a password there")
            if let code = QRCode(address + path) { print("\n\(code.text)") }
        } else {
            print("owner:  is there; another invitation: sudo beaconmesh account recover NAME")
        }
        let hasNodes = try write(to: site.database) { access in
            try !SiteRows(access.store).all(.nodes).isEmpty
        }
        print(
            "nodes:  \(hasNodes ? "" : "add them under Set up, then ")sudo beaconmesh node invite --all"
        )
    }

    func say(_ what: String, _ path: String) { print("\(what)  \(path)") }
}
