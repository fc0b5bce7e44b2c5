import ArgumentParser
import Basics
import BrokerAccess
import Foundation
import Platform

/// `beaconmesh broker`: the files of mosquitto, and who is in them.
struct BrokerVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broker",
        abstract: "Writes mosquitto's files from who is enrolled, and lists those.",
        subcommands: [Config.self, List.self])

    /// `broker config`
    struct Config: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes listeners, access list and passwords for mosquitto.",
            discussion: """
                All three files or none. Without --cert and --lan the broker serves its own machine only. \
                With --cert and --key other machines reach it encrypted, at --tls-port; programs of ours \
                on other machines speak no TLS yet and need --lan.

                sudo beaconmesh broker config --out /etc/mosquitto/beaconmesh --lan
                """)

        @Option(help: "The directory for the files, which must be there.")
        var out: String

        @Option(help: "The port without TLS.")
        var port = 1883

        @Flag(help: "Serve other machines without TLS.")
        var lan = false

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
            guard cert == nil || port != tlsPort else {
                throw ValidationError("--port and --tls-port: two ports expected")
            }
        }

        private struct Line: Codable {
            var files: [String]
            var identities: Int
        }

        func run() async throws {
            let folder = BrokerFolder(out)
            let listener = BrokerListener(port: port, isOnLAN: lan, tls: try tls())
            let (files, count) = try books.read { store in
                let texts = try BrokerFiles.of(store)
                return (
                    [texts.configuration(listener, in: folder.path)] + texts.access, texts.count
                )
            }
            try folder.write(files)
            let paths = files.map { "\(folder.path)/\($0.name)" }
            if books.json { return try books.print(json: Line(files: paths, identities: count)) }
            print(
                """
                wrote, for \(count) who are enrolled:
                \(paths.map { "  \($0)" }.joined(separator: "\n"))
                in force, once, with:
                  sudo ln -sf \(paths[0]) /etc/mosquitto/conf.d/\(BrokerFile.configuration)
                  sudo systemctl restart mosquitto
                """)
        }

        private func tls() throws -> BrokerListener.TLS? {
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
