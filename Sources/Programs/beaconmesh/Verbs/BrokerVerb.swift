import ArgumentParser
import Basics
import BrokerAccess
import Foundation
import Platform
import SiteClient

/// `beaconmesh broker`: the files of mosquitto, and who is in them.
struct BrokerVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broker",
        abstract: "Writes mosquitto's files from who is enrolled, and lists those.",
        subcommands: [Config.self, Update.self, List.self])

    /// `broker config`
    struct Config: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes listeners, access list, passwords and certificates for mosquitto.",
            discussion: """
                All files or none. Without --lan, --tls and --cert the broker serves its own machine only. \
                With --lan, which is --tls here, others reach it encrypted, at --tls-port: an authority \
                (ca.pem, ca.key) and a certificate (server.pem, server.key) are made beside the other files, \
                and kept. Run again, the certificate is made anew sixty days before its end, and for other \
                names. Copy ca.pem to each machine that connects: broker: {tls: {ca: FILE}} there, and --ca \
                FILE of the verbs. --lan --plaintext serves others without encryption, --lan --plaintext \
                --tls both ways.

                Another authority without a gap: --tls --new-ca, copy ca.pem to every machine (nothing is \
                restarted for it), then --tls --drop-old-ca and systemctl reload mosquitto.

                sudo beaconmesh broker config --out /etc/mosquitto/beaconmesh --tls --host gym.lan
                """)

        @Option(help: "The directory for the files, which must be there.")
        var out: String

        @Option(help: "The port without TLS.")
        var port = 1883

        @Flag(help: "Serve other machines: as --tls does, unless --cert or --plaintext is given.")
        var lan = false

        @Flag(help: "With --lan: serve other machines also in the clear.")
        var plaintext = false

        @Flag(help: "Serve other machines with TLS, by an authority of our own.")
        var tls = false

        @Option(
            help: """
                A name or address by which others reach the broker, once for each. (default: those of its \
                certificate, at first those of this machine)
                """)
        var host: [String] = []

        @Flag(help: "Make the certificate anew in any case.")
        var renew = false

        @Flag(name: .customLong("new-ca"), help: "Make another authority, beside the one before.")
        var newCA = false

        @Flag(
            name: .customLong("drop-old-ca"),
            help: "Trust the newest authority alone, and have the certificate from it.")
        var dropOldCA = false

        @Option(help: "The file of the broker's certificate, with what links it to the authority.")
        var cert: String?

        @Option(help: "The file of its key, which mosquitto's user must be able to read.")
        var key: String?

        @Option(help: "The file of the authority's certificate.")
        var ca: String?

        @Option(help: "The port with TLS.")
        var tlsPort = 8883

        @OptionGroup var books: BooksOptions

        func validate() throws {
            guard (1...65535).contains(port), (1...65535).contains(tlsPort) else {
                throw ValidationError("--port, --tls-port: 1 to 65535")
            }
            guard (cert == nil) == (key == nil) else {
                throw ValidationError("give both of --cert and --key")
            }
            guard ca == nil || cert != nil else {
                throw ValidationError("--ca is of no use without --cert")
            }
            guard cert == nil && !isCertified || port != tlsPort else {
                throw ValidationError("--port and --tls-port: two ports expected")
            }
            guard cert == nil || !tls else {
                throw ValidationError("give one of --cert and --tls")
            }
            guard lan || !plaintext else {
                throw ValidationError("--plaintext is of no use without --lan")
            }
            guard isCertified || host.isEmpty && !renew && !newCA && !dropOldCA else {
                throw ValidationError(
                    "--host, --renew, --new-ca and --drop-old-ca are of no use without --tls")
            }
            guard !newCA || host.isEmpty && !renew && !dropOldCA else {
                throw ValidationError(
                    "--new-ca alone: the certificate stays until everybody has the new ca.pem")
            }
        }

        private struct Line: Codable {
            var files: [String]
            var identities: Int
            var notes: [String]
        }

        func run() async throws {
            let folder = BrokerFolder(out)
            let site = try books.read { try BrokerFiles.of($0).site }
            var made = BrokerCertificates.Made()
            if isCertified {
                try folder.check([])
                made = try BrokerCertificates(in: folder, site: site)
                    .make(hosts: host, isRenewed: renew, change: change)
            }
            let listener = BrokerListener(
                port: port, isOnLAN: lan && plaintext, tls: try encryption(folder))
            // Not before openssl has worked: somebody may have been revoked meanwhile.
            let texts = try books.read { try BrokerFiles.of($0) }
            let files = [texts.configuration(listener, in: folder.path)] + texts.access + made.files
            try folder.write(files)
            let paths = files.map { "\(folder.path)/\($0.name)" }
            if books.json {
                return try books.print(
                    json: Line(files: paths, identities: texts.count, notes: made.notes))
            }
            print(
                """
                wrote, for \(texts.count) who are enrolled:
                \(paths.map { "  \($0)" }.joined(separator: "\n"))
                in force, once, with:
                  sudo ln -sf \(paths[0]) /etc/mosquitto/conf.d/\(BrokerFile.configuration)
                  sudo systemctl restart mosquitto
                """)
            guard isCertified else { return }
            print(
                """
                \(made.notes.joined(separator: "\n"))
                  a certificate alone is in force with sudo systemctl reload mosquitto
                  whoever connects from elsewhere needs \(folder.path)/\(BrokerFile.authority)
                """)
        }

        /// Whether authority and certificate are ours.
        private var isCertified: Bool { tls || lan && cert == nil && !plaintext }

        private var change: BrokerCertificates.Change {
            newCA ? .add : dropOldCA ? .drop : .keep
        }

        private func encryption(_ folder: BrokerFolder) throws -> BrokerListener.TLS? {
            if isCertified {
                return BrokerListener.TLS(
                    certificate: "\(folder.path)/\(BrokerFile.certificate)",
                    key: "\(folder.path)/\(BrokerFile.certificateKey)", authority: nil,
                    port: tlsPort)
            }
            guard let cert, let key else { return nil }
            return BrokerListener.TLS(
                certificate: try Self.file(cert), key: try Self.file(key),
                authority: try ca.map(Self.file), port: tlsPort)
        }

        /// mosquitto starts elsewhere, so the whole path.
        private static func file(_ path: String) throws -> String {
            let whole = URL(fileURLWithPath: path).standardized.path
            guard FileManager.default.isReadableFile(atPath: whole),
                !whole.contains(where: \.isNewline)
            else { throw Exit(code: 64, text: "\(path): it cannot be read") }
            return whole
        }
    }

    /// `broker update`
    struct Update: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Brings mosquitto's files up to date: who may sign in, and the certificate.",
            discussion: """
                Writes what has changed and nothing else: passwords and rights of who is enrolled now, and the \
                certificate within sixty days of its end. Then mosquitto reads them; nobody who stays is cut off. \
                beacon-broker.service does this by itself, when somebody is enrolled or revoked and once an hour.
                """)

        @Option(help: "The directory with the broker's files.")
        var out = BrokerFolder.usual

        @Option(
            help: """
                The file with the process id of mosquitto, which is told to read them. \
                (default: \(RunningBroker.usual), if it is there)
                """)
        var brokerPid: String?

        @OptionGroup var books: BooksOptions

        func run() async throws {
            let folder = BrokerFolder(out)
            let texts = try books.read { try BrokerFiles.of($0) }
            try folder.check([BrokerFile.passwords, BrokerFile.accessList])
            var files = texts.access
            if folder.hasAuthority {
                files += try BrokerCertificates(in: folder, site: texts.site).make(hosts: []).files
            }
            let changed = try folder.changed(files)
            let usual = FileManager.default.fileExists(atPath: RunningBroker.usual)
            let pid = brokerPid ?? (usual ? RunningBroker.usual : nil)
            // Noted until it is read: whatever fails here is made good by the next run.
            if !changed.isEmpty {
                folder.isUnread = true
                try folder.write(changed)
            }
            let isDue = folder.isUnread
            if isDue, let pid {
                try RunningBroker(pidFile: pid).reload()
                folder.isUnread = false
            }
            if books.json {
                return try books.print(json: ["files": changed.map { "\(folder.path)/\($0.name)" }])
            }
            print(
                changed.isEmpty
                    ? "\(folder.path): up to date"
                    : "\(folder.path): wrote \(changed.map(\.name).joined(separator: ", "))"
                        + (pid == nil
                            ? "; nobody was told: mosquitto reads them when it starts"
                            : "; mosquitto reads them"))
        }
    }

    /// `broker list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows who is enrolled, and who was.")

        @OptionGroup var books: BooksOptions

        private struct Line: Codable {
            var id: Int64
            var name: String
            var kind: String
            var user: String?
            var scopes: [String]
            var made_ms: Int64
            var revoked_ms: Int64?
        }

        func run() async throws {
            let lines = try books.read { store in
                try BrokerIdentities(store).all().identities.map { enrolled in
                    Line(
                        id: enrolled.id, name: enrolled.identity.name,
                        kind: enrolled.identity.kind.rawValue, user: enrolled.identity.person,
                        scopes: enrolled.identity.scopes.map(\.rawValue),
                        made_ms: enrolled.made.milliseconds,
                        revoked_ms: enrolled.revoked?.milliseconds)
                }
            }
            if books.json { return try books.print(json: lines) }
            var table = TextTable(["name", "kind", "user", "scopes", "state"])
            for line in lines {
                table.add([
                    line.name, line.kind, line.user ?? "–",
                    line.scopes.isEmpty ? "–" : line.scopes.joined(separator: ", "),
                    line.revoked_ms == nil ? "enrolled" : "revoked",
                ])
            }
            print(table.text)
        }
    }
}
