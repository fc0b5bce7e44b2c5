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
func quoted(_ text: String) -> String {
    String(decoding: JSONWriter.quoted(text), as: UTF8.self)
}
