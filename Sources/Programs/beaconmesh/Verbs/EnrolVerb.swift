import ArgumentParser
import Basics
import BrokerAccess
import CoordinatorService
import Foundation
import Permissions
import Platform
import Registry
import Reporting
import SiteClient
import SiteService
import Wire

/// `beaconmesh enrol`: lets somebody or something sign in at the broker.
struct EnrolVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enrol",
        abstract: "Lets a node, screen, kiosk, person or program sign in at the broker.",
        discussion: """
            Makes a password and shows it once; only what mosquitto checks it with is kept. The name is \
            the user name at the broker, and of a node its id. With --broker-files the files for \
            mosquitto are written anew (`beaconmesh broker config` makes them first), with --broker-pid a \
            running mosquitto reads them at once. From the first enrolment on, requests on MQTT are \
            taken from those only who are enrolled: enrol every kiosk, phone and program that asks. \
            Who is enrolled already gets another password by `beaconmesh revoke NAME` and enrolling anew. \
            Where the broker has an authority (`beaconmesh broker config --tls`), its file is named with \
            the password, and what a node's configuration needs to say.

            beaconmesh enrol node n-bench --broker-files /etc/mosquitto/beaconmesh
            beaconmesh enrol kiosk door --broker-files /etc/mosquitto/beaconmesh \
            --broker-pid /run/mosquitto/mosquitto.pid
            beaconmesh enrol member ann-phone --user "Ann B."
            beaconmesh enrol integration reports --scope attendance --scope events
            """)

    @Argument(
        help: """
            What it is: \
            \(BrokerIdentity.Kind.allCases.map(\.rawValue).joined(separator: ", ")).
            """)
    var kind: String

    @Argument(
        help:
            "Its name at the broker: 1 to 64 of a-z, 0-9 and “-”; of a node its id, or its name at the site."
    )
    var name: String

    @Option(help: "Of a member: whose it is, their id (u-…) or their name.")
    var user: String?

    @Option(
        help: """
            Of an integration, once for each: \
            \(BrokerIdentity.Scope.allCases.map(\.rawValue).joined(separator: ", ")).
            """)
    var scope: [String] = []

    @Flag(help: "Show user name and password as a QR code, too, for a phone to read.")
    var qr = false

    @OptionGroup var broker: BrokerFileOptions

    @OptionGroup var books: BooksOptions

    func validate() throws {
        guard !qr || !books.json else { throw ValidationError("give one of --qr and --json") }
    }

    private struct Line: Codable {
        var id: Int64
        var name: String
        var kind: String
        var password: String
        var user: String?
        var scopes: [String]
        /// The certificates of the broker's authority, in PEM.
        var ca: String?
    }

    func run() async throws {
        guard let kind = BrokerIdentity.Kind(rawValue: kind) else {
            throw Exit(code: 64, text: "\(kind) is no kind; see beaconmesh help enrol")
        }
        let scopes = try scope.map { text in
            guard let scope = BrokerIdentity.Scope(rawValue: text) else {
                throw Exit(code: 64, text: "--scope: \(text) is none; see beaconmesh help enrol")
            }
            return scope
        }
        let target = try broker.target()
        let authority = try target?.folder.authority()
        let password = BrokerPassword.random()
        let (id, identity, siteSlug, isFirst) = try books.with { site in
            let person = try user.map { try NameResolver.person($0, in: site.store).slug }
            let name =
                kind == .node
                ? try SiteRows(reading: site.store).find(.nodes, self.name) : self.name
            let identity = BrokerIdentity(name: name, kind: kind, person: person, scopes: scopes)
            if let fault = identity.fault { throw Exit(code: 64, text: fault) }
            let new = NewBrokerIdentity(identity, hash: BrokerPassword.hash(of: password))
            let slug = try BrokerFiles.of(site.store).site
            let isFirst = try BrokerIdentities(site.store).all().isUnused
            return (try site.write(.broker(.enrol(new))).rows[0], identity, slug, isFirst)
        }
        // Before anything else can fail: it is shown this once only.
        if books.json {
            try books.print(
                json: Line(
                    id: id, name: identity.name, kind: kind.rawValue, password: password,
                    user: identity.person, scopes: identity.scopes.map(\.rawValue),
                    ca: authority?.text))
        } else {
            print(
                "enrolled, shown only this once:\nusername: \(identity.name)\npassword: \(password)"
            )
            let address =
                "beaconmesh://\(siteSlug)?username=\(identity.name)&password=\(password)"
            if qr, let code = QRCode(address) { print(code.text) }
            if let file = authority?.file { print(Self.encryption(of: identity, file)) }
        }
        if isFirst { StandardError.line(Self.firstOne) }
        let done = try target?.update(books)
        guard !books.json else { return }
        print(done ?? BrokerTarget.reminder)
    }

    /// What is needed to connect encrypted.
    private static func encryption(of identity: BrokerIdentity, _ file: String) -> String {
        let daemon: String
        switch identity.kind {
        case .node: daemon = "node.yaml"
        case .coordinator: daemon = "coordinator.yaml"
        case .screen, .kiosk, .member, .integration: return "ca: \(file)"
        }
        return """
            ca: \(file)
            copy it beside \(daemon) as ca.pem, write the password into broker-password (mode 600) there, and say:
            broker: {host: …, port: 8883, username: \(identity.name), password_file: broker-password, \
            tls: {ca: ca.pem}}
            """
    }

    private static let firstOne = """
        This is the first enrolment. From now on requests over MQTT are taken from those only who are \
        enrolled; the coordinator answers kiosks, phones, programs and `beaconmesh … --broker` that are not \
        with forbidden: enrol each. The page, HTTP and beaconmesh on this machine go on as before.
        """
}

/// `beaconmesh revoke`: lets a name sign in at the broker no more.
struct RevokeVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Refuses names at the broker from now on.",
        discussion: """
            The coordinator takes no more requests of theirs at once. The broker refuses them when it \
            has read its files again, and cuts off who is connected: give --broker-files and --broker-pid.

            beaconmesh revoke ann-phone --broker-files /etc/mosquitto/beaconmesh \
            --broker-pid /run/mosquitto/mosquitto.pid
            """)

    @Argument(help: "The names, as `beaconmesh broker list` shows them.")
    var names: [String]

    @OptionGroup var broker: BrokerFileOptions

    @OptionGroup var books: BooksOptions

    func run() async throws {
        let target = try broker.target()
        var refusal: (any Error)?
        var revoked: [String] = []
        for name in names {
            do {
                try books.write(.broker(.revoke(name)))
                revoked.append(name)
            } catch {
                refusal = error
                break
            }
        }
        // Those before a name that nobody has are revoked, and must be cut off.
        if !revoked.isEmpty {
            let done = try target?.update(books)
            if books.json {
                try books.print(json: ["revoked": revoked])
            } else {
                print("revoked: \(revoked.joined(separator: ", "))")
                print(done ?? BrokerTarget.reminder)
            }
        }
        if let refusal { throw refusal }
    }
}

/// Where the files of the broker are, for verbs that change who is in them.
struct BrokerFileOptions: ParsableArguments {
    @Option(help: "The directory with the broker's files, which are written anew.")
    var brokerFiles: String?

    @Option(help: "The file with the process id of mosquitto, which is told to read them.")
    var brokerPid: String?

    func validate() throws {
        guard brokerPid == nil || brokerFiles != nil else {
            throw ValidationError("--broker-pid is of no use without --broker-files")
        }
    }

    /// Checked before anything is written, or `nil` without `--broker-files`.
    func target() throws -> BrokerTarget? {
        guard let brokerFiles else { return nil }
        let folder = BrokerFolder(brokerFiles)
        try folder.check([BrokerFile.passwords, BrokerFile.accessList])
        return BrokerTarget(
            folder: folder, broker: try brokerPid.map { try RunningBroker(pidFile: $0) })
    }
}

/// The files of a broker, and the broker if it is to read them.
struct BrokerTarget {
    static let reminder = """
        the broker knows nothing of it yet: beaconmesh broker config --out DIR writes its files, then \
        systemctl reload mosquitto
        """

    let folder: BrokerFolder
    let broker: RunningBroker?

    /// Writes who is enrolled now, and has the broker read it; what was done.
    func update(_ books: BooksOptions) throws -> String {
        try folder.write(try books.read { try BrokerFiles.of($0).access })
        try broker?.reload()
        let names = "\(BrokerFile.passwords) and \(BrokerFile.accessList) in \(folder.path)"
        return broker == nil
            ? "wrote \(names); put in force with systemctl reload mosquitto"
            : "wrote \(names); mosquitto reads them"
    }
}
