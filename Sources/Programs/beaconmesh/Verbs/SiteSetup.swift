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
    /// By what names and ports the site is reached.
    struct Door {
        var host: String
        var port: Int
        var mqttPort: Int
        var tlsPort: Int
    }

    /// The user that the packages make, who runs the coordinator.
    private static let user = "beaconmesh"
    private static let units = ["beacon-broker.path", "beacon-broker.timer"]
    /// What mosquitto reads besides its own file.
    private static let included = "/etc/mosquitto/conf.d"

    let configFolder: String
    let dataFolder: String
    let broker: BrokerFolder
    /// Whether services are turned on.
    let isStarting: Bool

    var configuration: String { configFolder + "/coordinator.yaml" }

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
        for folder in [configFolder, dataFolder, broker.path] {
            guard mkdir(folder, 0o755) == 0 || errno == EEXIST, access(folder, W_OK | X_OK) == 0
            else {
                throw Exit(code: 73, text: "\(folder): \(String(cString: strerror(errno)))")
            }
        }
        try broker.check([])
    }

    /// The host of a configuration that is there; `nil`: there is none.
    func knownHost() throws(Exit) -> String? { try settings()?.joining?.host }

    private func settings() throws(Exit) -> CoordinatorConfiguration? {
        guard FileManager.default.fileExists(atPath: configuration) else { return nil }
        do {
            return try CoordinatorConfiguration(reading: configuration)
        } catch {
            throw Exit(code: 78, text: "\(error)")
        }
    }

    // MARK: The database

    private func database(of site: String) -> String { "\(dataFolder)/\(site).sqlite" }

    /// Stores a site that is not there yet.
    func put(_ document: SiteDocument) throws {
        let site = document.slug
        if let settings = try settings(), settings.sites[0].id != site {
            throw Exit(
                code: 78,
                text: """
                    \(configuration) is of the site \(settings.sites[0].id). One machine has one site \
                    like this; for more see beacon-coordinator@SITE in docs/operating.md
                    """)
        }
        let path = database(of: site)
        guard TokenFile.isMissing(path) else { return say("kept", path) }
        do {
            _ = try SiteAccess.with(path, as: "site new", isMade: true) { access in
                try access.write(.importSite(document)).number
            }
        } catch let error as StoreError {
            throw Exit(refusing: error)
        } catch let fault as WriteFault {
            throw Exit(code: fault.code, text: fault.text)
        }
        try give(path)
        say("made", path)
    }

    /// The database, and what lies beside it by its name, belong to who runs the coordinator; so does the folder.
    private func give(_ database: String) throws(Exit) {
        guard let owner else { return }
        let name = URL(fileURLWithPath: database).lastPathComponent
        let files = (try? FileManager.default.contentsOfDirectory(atPath: dataFolder)) ?? []
        for path in [dataFolder]
            + files.filter({ $0.hasPrefix(name) }).map({ "\(dataFolder)/\($0)" })
        {
            // Never what a link leads to.
            guard lchown(path, owner.pw_uid, owner.pw_gid) == 0 else {
                throw Exit(code: 73, text: "\(path): \(String(cString: strerror(errno)))")
            }
        }
    }

    // MARK: The coordinator

    private var password: String { configFolder + "/broker-password" }

    /// Writes the coordinator's configuration and enrols it.
    func configure(site: String, _ door: Door) throws {
        if TokenFile.isMissing(configuration) {
            try write(text(site: site, door), to: configuration, mode: 0o640)
            say("made", configuration)
        } else {
            say("kept", configuration)
        }
        guard TokenFile.isMissing(password) else { return say("kept", password) }
        let secret = BrokerPassword.random()
        let identity = BrokerIdentity(name: "coordinator", kind: .coordinator)
        let new = NewBrokerIdentity(identity, hash: BrokerPassword.hash(of: secret))
        do {
            _ = try SiteAccess.with(database(of: site), as: "site new") {
                try $0.write(.broker(.replace(new)))
            }
        } catch let error as StoreError {
            throw Exit(refusing: error)
        } catch let fault as WriteFault {
            throw Exit(code: fault.code, text: fault.text)
        }
        try give(database(of: site))
        try write(secret + "\n", to: password, mode: 0o600)
        say("made", password)
    }

    private func text(site: String, _ door: Door) -> String {
        let folder = broker.path
        return """
            # Made by “beaconmesh site new”. What else can be said stands in the example, coordinator.yaml.
            coordinator: main
            broker:
              host: 127.0.0.1
              port: \(door.mqttPort)
              username: coordinator
              password_file: broker-password
            http:
              host: 0.0.0.0            # whoever is in a private network reaches the pages
              port: \(door.port)
              host_names: [\(quoted(door.host))]
              token_file: \(quoted(dataFolder + "/token"))
            # How machines that become nodes reach this one:
            join:
              host: \(quoted(door.host))
              port: \(door.tlsPort)
              ca: \(quoted(folder + "/" + BrokerFile.authority))
            # Written when somebody is enrolled or revoked; beacon-broker.path waits for it:
            enrolment_file: \(quoted(dataFolder + "/enrolment"))
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
            key: "\(broker.path)/\(BrokerFile.certificateKey)", authority: nil, port: door.tlsPort)
        let listener =
            !broker.hasListener
            ? [texts.configuration(BrokerListener(port: door.mqttPort, tls: tls), in: broker.path)]
            : []
        let changed = try broker.changed(listener + texts.access + made.files)
        if !changed.isEmpty { try broker.write(changed) }
        say(changed.isEmpty ? "kept" : "made", broker.path)
        for note in made.notes { print("      \(note)") }
        guard isStarting else { return }
        let link = "\(Self.included)/\(BrokerFile.configuration)"
        let target = "\(broker.path)/\(BrokerFile.configuration)"
        var isLinked = false
        if TokenFile.isMissing(link) {
            guard symlink(target, link) == 0 else {
                throw Exit(code: 73, text: "\(link): \(String(cString: strerror(errno)))")
            }
            isLinked = true
        }
        // It reads its listeners when it starts, all else when it is told to.
        _ = try systemctl("enable", "--quiet", "mosquitto")
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

    private func systemctl(_ words: String...) throws(Exit) -> Program.Ended {
        try Program.run(["systemctl"] + words)
    }

    /// Invites the owner of a site that has no account.
    func invite(_ name: String, _ door: Door) throws {
        guard let site = try settings()?.sites[0],
            let operation = SiteService.Operation.named("account-invite")
        else { return }
        let host = door.host.contains(":") ? "[\(door.host)]" : door.host
        let address = "http://\(host):\(door.port)"
        print("\npages:  \(address)/")
        let answer: [UInt8]?
        do {
            answer = try SiteAccess.with(site.database, as: "site new") { access in
                guard try Accounts(access.store).all().accounts.isEmpty else { return nil }
                return try access.perform(
                    operation, [(name: "name", value: name), (name: "role", value: "owner")])
            }
        } catch let error as StoreError {
            throw Exit(refusing: error)
        } catch let fault as WriteFault {
            throw Exit(code: fault.code, text: fault.text)
        }
        try give(site.database)
        struct Invited: Decodable {
            var path: String
        }
        let invited = answer.flatMap { try? JSONDecoder().decode(Invited.self, from: Data($0)) }
        guard let path = invited?.path else {
            return print("owner:  is there; another invitation: beaconmesh account recover NAME")
        }
        print("owner:  \(address)\(path)\n        good once, for a week: choose a password there")
        if let code = QRCode(address + path) { print("\n\(code.text)") }
        print("nodes:  beaconmesh node invite --all")
    }

    private func say(_ what: String, _ path: String) { print("\(what)  \(path)") }
}
