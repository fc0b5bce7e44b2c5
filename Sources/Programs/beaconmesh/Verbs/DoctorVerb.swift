import ArgumentParser
import Basics
import Broker
import BrokerAccess
import Diagnostics
import Foundation
import Platform
import SiteClient
import SiteStore

/// `beaconmesh doctor`: looks for what keeps things from working, and says what to do.
struct DoctorVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Looks for what keeps things from working, and says what to do.",
        discussion: """
            Looks at adapter, switches, privileges and clock of this machine and, for each \
            configuration named, at everything that program needs: the file itself, its broker \
            (connects, signs in, tries what it must read and write), its directories and disk, database, \
            outbox and port. Changes nothing. Ends with status 0 if nothing is at fault, else 1. \
            Run it as root or as the user of the service to see what the service sees.

            With --broker it tries instead, at a running broker, all that those whose credentials are \
            given may read and write, and what they may not: give the coordinator's, too, who sees what \
            others write. It writes messages that programs refuse and count, best before the site works.

            beaconmesh doctor --broker coordinator.secret desk.secret --database site.sqlite
            """)

    @Option(
        parsing: .upToNextOption,
        help: """
            node.yaml, coordinator.yaml or site.yaml, also several. (default: those of them that \
            are in /etc/beaconmesh)
            """)
    var config: [String] = []

    @Flag(help: "Write one JSON object.")
    var json = false

    @Flag(help: "Read databases through, as their coordinator does when it starts.")
    var deep = false

    @Option(
        parsing: .upToNextOption,
        help: "Files with a line “name:password” each, of identities to try at the broker.")
    var broker: [String] = []

    @Option(help: "With --broker: the site's database, in which they are enrolled.")
    var database: String?

    @Option(help: "With --broker: where the broker is.")
    var host = "127.0.0.1"

    @Option(help: "With --broker: its port. (default: 1883, with --ca 8883)")
    var port: Int?

    @OptionGroup var tls: TLSOptions

    func validate() throws {
        guard broker.isEmpty == (database == nil) else {
            throw ValidationError("give both of --broker and --database")
        }
        guard broker.isEmpty || config.isEmpty else {
            throw ValidationError("give one of --broker and --config")
        }
        guard (1...65535).contains(port ?? 1) else { throw ValidationError("--port: 1 to 65535") }
    }

    func run() async throws {
        if let database { return try tryBroker(of: database) }
        let files =
            config.isEmpty
            ? Examination.usual.filter { FileManager.default.fileExists(atPath: $0) } : config
        let findings = Diagnosis.findings(of: Examination(files: files, isDeep: deep).facts())
        print(
            json
                ? String(decoding: DoctorReport.json(findings), as: UTF8.self)
                : DoctorReport.text(findings))
        if findings.contains(where: { $0.level == .fault }) { throw ExitCode(1) }
    }

    private func tryBroker(of database: String) throws {
        let credentials = try broker.map { file in
            guard let line = try Secret.read(file) else { throw ExitCode(64) }
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else {
                throw Exit(code: 64, text: "\(file): name:password expected in its first line")
            }
            return PolicyProbe.Credential(name: String(parts[0]), password: String(parts[1]))
        }
        let trials: [PolicyProbe.Trial]
        do {
            let store = try Store(reading: database)
            defer { store.close() }
            let files = try BrokerFiles.of(store)
            let address = BrokerAddress(
                host: host, port: port ?? BrokerAddress.usualPort(isEncrypted: tls.isEncrypted),
                password: credentials.first?.password, tls: try tls.files())
            try tls.check(address)
            trials = try PolicyProbe(
                at: address, site: files.site, identities: files.enrolled,
                credentials: credentials
            ).run()
        } catch let error as StoreError {
            throw Exit(refusing: error)
        }
        print(json ? try PolicyReport.json(trials) : PolicyReport.text(trials))
        if trials.contains(where: \.isFault) { throw ExitCode(1) }
    }
}
