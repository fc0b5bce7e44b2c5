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

/// `beaconmesh site`: a whole site on this machine.
struct SiteVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "site", abstract: "Sets a site up on this machine.", subcommands: [New.self])

    /// `site new`
    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sets up database, coordinator and broker of a site, and invites its owner.",
            discussion: """
                Run it with sudo, after the packages beaconmesh-coordinator and mosquitto are \
                installed. It asks what it is not told. What is there stays as it is: a second run \
                makes only what is missing. HOST is what nodes and browsers call this machine, a name \
                or an address that does not change.

                sudo beaconmesh site new
                sudo beaconmesh site new --from site.yaml --host gym.lan
                """)

        @Option(
            help: "A site file with rooms, stations, nodes, people; without it the site is empty.")
        var from: String?

        @Option(help: "What other machines call this one: gym.lan, or 192.168.1.10.")
        var host: String?

        @Option(help: "What the site is called; without --from.")
        var name: String?

        @Option(
            help: "Its time zone, such as Europe/Berlin; without --from. (default: this machine's)")
        var zone: String?

        @Option(help: "The name of the owner's account.")
        var owner = "owner"

        @Option(help: "The port of pages and programs.")
        var port = 8080

        @Option(help: "The broker's port for this machine.")
        var mqttPort = 1883

        @Option(help: "The broker's port for others, with TLS.")
        var tlsPort = 8883

        @Option(help: "Where the configuration goes.")
        var configFolder = "/etc/beaconmesh"

        @Option(help: "Where the database goes.")
        var dataFolder = "/var/lib/beaconmesh"

        @Option(help: "Where the broker's files go.")
        var brokerFolder = BrokerFolder.usual

        @Flag(help: "Only write files; start nothing.")
        var noStart = false

        func validate() throws {
            for port in [port, mqttPort, tlsPort] where !(1...65535).contains(port) {
                throw ValidationError("--port, --mqtt-port, --tls-port: 1 to 65535")
            }
            guard Set([port, mqttPort, tlsPort]).count == 3 else {
                throw ValidationError("--port, --mqtt-port, --tls-port: three ports expected")
            }
            guard from == nil || name == nil && zone == nil else {
                throw ValidationError("--name and --zone are in the file of --from")
            }
        }

        func run() async throws {
            let setup = SiteSetup(
                configFolder: Self.whole(configFolder), dataFolder: Self.whole(dataFolder),
                broker: BrokerFolder(brokerFolder), isStarting: !noStart)
            try setup.check()
            let document = try document()
            let host = try host(setup)
            try setup.put(document)
            let door = SiteSetup.Door(
                host: host, port: port, mqttPort: mqttPort, tlsPort: tlsPort)
            try setup.configure(site: document.slug, door)
            try setup.openBroker(door)
            try setup.start()
            try setup.invite(owner, door)
        }

        /// Files name one another from anywhere.
        private static func whole(_ path: String) -> String {
            URL(fileURLWithPath: path).standardized.path
        }

        /// Read as whoever calls: their files need not be anybody else's.
        private func document() throws -> SiteDocument {
            do {
                if let from { return try SiteFile(reading: from).document }
                let name = try name ?? Self.ask("What is the site called?", "--name")
                let text = """
                    site:
                      id: \(SiteService.Operation.slug(of: name))
                      name: \(quoted(name))
                      time_zone: \(quoted(zone ?? TimeZone.current.identifier))
                    rooms: [{id: main, name: Main room}]

                    """
                return try SiteFile(text: text, named: "the answers").document
            } catch let exit as Exit {
                throw exit
            } catch {
                throw Exit(code: 78, text: "\(error)")
            }
        }

        private func host(_ setup: SiteSetup) throws -> String {
            if let known = try setup.knownHost() {
                guard host == nil || host == known else {
                    throw Exit(
                        code: 78,
                        text: """
                            \(setup.configuration): its host is \(known). For another one change it \
                            there, and run beaconmesh broker config --out \(setup.broker.path) --lan \
                            --host \(host ?? "")
                            """)
                }
                return known
            }
            let usual = ProcessInfo.processInfo.hostName
            let host =
                try host
                ?? Self.ask(
                    "What do other machines call this one? (\(usual))", "--host", usual: usual)
            let isLocal = host == "localhost" || host.hasPrefix("127.") || host == "::1"
            guard NodeBundle.isHost(host), !isLocal || !setup.isStarting else {
                throw Exit(
                    code: 64,
                    text: """
                        --host: \(HarmlessText.line(host)): expected a name or address by which other \
                        machines reach this one
                        """
                )
            }
            return host
        }

        /// Asks at a terminal; elsewhere names the option.
        private static func ask(
            _ question: String, _ option: String, usual: String? = nil
        ) throws -> String {
            guard isatty(STDIN_FILENO) == 1 else {
                throw Exit(code: 64, text: "give \(option): nobody can be asked here")
            }
            print(question, terminator: " ")
            let answer = (readLine() ?? "").trimmingCharacters(in: .whitespaces)
            guard answer.isEmpty else { return answer }
            guard let usual else { throw Exit(code: 64, text: "give \(option)") }
            return usual
        }
    }
}

/// As JSON writes it, YAML reads it.
private func quoted(_ text: String) -> String {
    String(decoding: JSONWriter.quoted(text), as: UTF8.self)
}

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
        try give()
        say("made", path)
    }

    /// What this run has made in the folder belongs to who runs the coordinator.
    private func give() throws(Exit) {
        guard let owner else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: dataFolder)) ?? []
        for path in [dataFolder] + names.map({ "\(dataFolder)/\($0)" }) {
            var info = stat()
            // Never what a link leads to.
            guard lstat(path, &info) == 0, info.st_uid == 0, info.st_mode & S_IFMT != S_IFLNK
            else { continue }
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
            try write(Array(text(site: site, door).utf8), to: configuration, mode: 0o640)
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
        try give()
        try write(Array("\(secret)\n".utf8), to: password, mode: 0o600)
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

    private func write(_ bytes: [UInt8], to path: String, mode: mode_t) throws(Exit) {
        let draft = path + ".new"
        let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode)
        guard file >= 0 else {
            throw Exit(code: 73, text: "\(path): \(String(cString: strerror(errno)))")
        }
        let isWritten =
            Glibc.write(file, bytes, bytes.count) == bytes.count && fchmod(file, mode) == 0
            && (owner.map { fchown(file, $0.pw_uid, $0.pw_gid) == 0 } ?? true) && fsync(file) == 0
        let reason = String(cString: strerror(errno))
        close(file)
        guard isWritten, rename(draft, path) == 0 else {
            unlink(draft)
            throw Exit(code: 73, text: "\(path): \(reason)")
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
                    systemctl \(words.joined(separator: " ")): \(HarmlessText.line(ended.fault)); \
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
        try give()
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
