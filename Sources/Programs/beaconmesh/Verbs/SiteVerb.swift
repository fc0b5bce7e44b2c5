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

        @Option(help: "The port of pages and programs. (default: 8080)")
        var port: Int?

        @Option(help: "The broker's port for this machine. (default: 1883)")
        var mqttPort: Int?

        @Option(help: "The broker's port for others, with TLS. (default: 8883)")
        var tlsPort: Int?

        @Option(help: "Where the configuration goes; with --no-start.")
        var configFolder = SiteSetup.Folders.usual.configuration

        @Option(help: "Where the database goes; with --no-start.")
        var dataFolder = SiteSetup.Folders.usual.data

        @Option(help: "Where the broker's files go; with --no-start.")
        var brokerFolder = SiteSetup.Folders.usual.broker

        @Flag(help: "Only write files; start nothing.")
        var noStart = false

        private var folders: SiteSetup.Folders {
            SiteSetup.Folders(
                configuration: Self.whole(configFolder), data: Self.whole(dataFolder),
                broker: Self.whole(brokerFolder))
        }

        private var asked: SiteSetup.Ports {
            SiteSetup.Ports(http: port ?? 8080, mqtt: mqttPort ?? 1883, tls: tlsPort ?? 8883)
        }

        func validate() throws {
            let ports = [asked.http, asked.mqtt, asked.tls]
            guard ports.allSatisfy((1...65535).contains) else {
                throw ValidationError("--port, --mqtt-port, --tls-port: 1 to 65535")
            }
            guard Set(ports).count == 3 else {
                throw ValidationError("--port, --mqtt-port, --tls-port: three ports expected")
            }
            guard from == nil || name == nil && zone == nil else {
                throw ValidationError("--name and --zone are in the file of --from")
            }
            guard noStart || folders == .usual else {
                throw ValidationError(
                    "the services read \(SiteSetup.Folders.usual.configuration): other folders with --no-start only"
                )
            }
        }

        func run() async throws {
            let setup = SiteSetup(folders, isStarting: !noStart)
            try setup.check()
            let door: SiteSetup.Door
            if let known = try setup.known() {
                try refuseOthers(than: known.door, in: setup)
                door = known.door
                if try setup.isMissing(known.database) {
                    try setup.put(try document(), at: known.database, as: known.site)
                } else {
                    setup.say("kept", known.database)
                }
                setup.say("kept", setup.configuration)
            } else {
                let document = try document()
                door = SiteSetup.Door(host: try askedHost(isStarting: !noStart), ports: asked)
                let database = setup.database(of: document.slug)
                if try setup.isMissing(database) {
                    try setup.put(document, at: database, as: document.slug)
                } else {
                    setup.say("kept", database)
                }
                try setup.configure(site: document.slug, door)
            }
            try setup.enrol()
            try setup.openBroker(door)
            try setup.start()
            try setup.invite(owner, door)
        }

        /// A second run goes by what is there.
        private func refuseOthers(than door: SiteSetup.Door, in setup: SiteSetup) throws {
            let given: [(String, String?, String)] = [
                ("--host", host, door.host),
                ("--port", port.map(String.init), "\(door.ports.http)"),
                ("--mqtt-port", mqttPort.map(String.init), "\(door.ports.mqtt)"),
                ("--tls-port", tlsPort.map(String.init), "\(door.ports.tls)"),
            ]
            for case (let option, let value?, let known) in given where value != known {
                throw Exit(
                    code: 78,
                    text: """
                        \(option): \(setup.configuration) says \(known). To change it edit that file and run \
                        beaconmesh broker config, as docs/operating.md has it
                        """)
            }
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

        private func askedHost(isStarting: Bool) throws -> String {
            let usual = ProcessInfo.processInfo.hostName
            let host =
                try host
                ?? Self.ask(
                    "What do other machines call this one? (\(usual))", "--host", usual: usual)
            let isLocal = host == "localhost" || host.hasPrefix("127.") || host == "::1"
            // As it will stand in the certificate.
            guard BrokerCertificates.name(host) != nil, !isLocal || !isStarting else {
                throw Exit(
                    code: 64,
                    text: """
                        --host: \(HarmlessText.line(host)): expected a name or address by which other \
                        machines reach this one, without a port
                        """)
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
func quoted(_ text: String) -> String {
    String(decoding: JSONWriter.quoted(text), as: UTF8.self)
}
