import ArgumentParser
import Basics
import BrokerAccess
import Foundation
import Glibc
import Platform
import Registry
import SiteClient
import SiteService
import SiteStore
import Wire

extension NodeVerb {
    /// `beaconmesh node invite`: a code by which a machine becomes a node.
    struct Invite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the command by which a machine becomes a node.",
            discussion: """
                Its code is good once, for an hour. On the machine, after the package beaconmesh-node is installed: \
                sudo beacon-node join gym.lan ab3k-9mpq-w2xy-hj7r

                sudo beaconmesh node invite bench
                sudo beaconmesh node invite --all        # for each node that no machine is yet
                """)

        @OptionGroup var asked: InvitedNodes

        @OptionGroup var shown: InvitationOptions

        func run() async throws {
            for node in try asked.nodes() {
                let body = try asked.ask(node, "invitation", replaces: false)
                try shown.show(body)
            }
        }
    }
}

extension NodeVerb {
    /// `beaconmesh node replace`: another machine takes the place of one.
    struct Replace: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the command by which another machine takes a node's place.",
            discussion: """
                The machine that was this node goes on until the other has joined; then its password is refused. Place, \
                history and calibration stay those of the node.

                sudo beaconmesh node replace bench
                """)

        @Argument(help: "The node: its id or its name.")
        var node: String

        @OptionGroup var place: DatabaseOptions

        @OptionGroup var shown: InvitationOptions

        func run() async throws {
            let node = try place.read { try SiteRows(reading: $0).find(.nodes, self.node) }
            let body = try InvitedNodes.ask(place, node, "invitation", replaces: true)
            try shown.show(body)
        }
    }
}

extension NodeVerb {
    /// `beaconmesh node bundle`: files that make machines nodes, where no coordinator is reached.
    struct Bundle: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes a file for each node, by which a machine joins without a network.",
            discussion: """
                Each file holds the node's password: carry it as a key. On the machine it is taken by “beacon-node join \
                FILE”, or, called beaconmesh.join on the card's first partition (/boot/firmware), at the next boot, \
                and deleted.

                sudo beaconmesh node bundle --all --out cards
                sudo beaconmesh node bundle bench --replace --out cards
                """)

        @OptionGroup var asked: InvitedNodes

        @Flag(help: "Also of nodes that a machine is already: its password is refused from now on.")
        var replace = false

        @Option(help: "The directory for the files; made if it is not there.")
        var out: String

        func run() async throws {
            let nodes = try asked.nodes(replaces: replace)
            guard mkdir(out, 0o700) == 0 || errno == EEXIST, access(out, W_OK | X_OK) == 0 else {
                throw Exit(code: 73, text: "\(out): \(String(cString: strerror(errno)))")
            }
            for node in nodes {
                // An id has no character that means anything in a path.
                let path = "\(out)/\(node).join"
                guard TokenFile.isMissing(path) else {
                    throw Exit(code: 73, text: "\(path) is there already: delete it first")
                }
                try write(path) { try asked.ask(node, "bundle", replaces: replace) }
                print(path)
            }
        }

        /// Asks once there is room for the answer: it is shown once, and ends the password before it.
        private func write(_ path: String, _ body: () throws -> Data) throws {
            let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0 else {
                throw Exit(code: 73, text: "\(path): \(String(cString: strerror(errno)))")
            }
            let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
            do {
                let fault = posix_fallocate(file, 0, off_t(NodeBundle.limit))
                guard fault == 0 else {
                    throw Exit(code: 73, text: "\(path): \(String(cString: strerror(fault)))")
                }
                let bytes = try body()
                try handle.write(contentsOf: bytes)
                try handle.truncate(atOffset: UInt64(bytes.count))
                try handle.synchronize()
            } catch {
                unlink(path)
                throw error
            }
        }
    }
}

/// The nodes that are asked about, of a coordinator that runs.
struct InvitedNodes: ParsableArguments {
    @Argument(help: "The nodes: their ids or names.")
    var names: [String] = []

    @Flag(help: "All that no machine is yet.")
    var all = false

    @OptionGroup var place: DatabaseOptions

    func validate() throws {
        guard names.isEmpty == all else { throw ValidationError("name nodes, or give --all") }
    }

    func nodes(replaces: Bool = false) throws -> [String] {
        try place.read { store in
            let rows = try SiteRows(reading: store)
            guard all else { return try names.map { try rows.find(.nodes, $0) } }
            let taken = try BrokerIdentities(store).all().identities.filter { $0.revoked == nil }
                .map(\.identity.name)
            let free = try rows.all(.nodes).compactMap { $0["id"]?.string }
                .filter { replaces || !taken.contains($0) }
            guard !free.isEmpty else {
                throw Exit(
                    code: 1,
                    text: "each node is a machine already, or there is none: beaconmesh node add")
            }
            return free
        }
    }

    func ask(_ node: String, _ what: String, replaces: Bool) throws -> Data {
        try Self.ask(place, node, what, replaces: replaces)
    }

    static func ask(
        _ place: DatabaseOptions, _ node: String, _ what: String, replaces: Bool
    ) throws -> Data {
        struct Problem: Decodable {
            var detail: String
        }
        let (status, _, body) = try SiteAccess.ask(
            try place.path(), "POST", "/api/v1/nodes/\(node)/\(what)",
            [("Content-Type", "application/json")], Data("{\"replace\":\(replaces)}".utf8))
        guard status == 201 else {
            let problem = try? JSONDecoder().decode(Problem.self, from: body)
            let text = problem?.detail ?? String(decoding: body, as: UTF8.self)
            throw Exit(
                code: status == 404 ? 3 : status == 503 ? 69 : 1,
                text: TerminalText.harmless("\(node): \(text)"))
        }
        return body
    }
}

/// How invitations are shown.
struct InvitationOptions: ParsableArguments {
    @Flag(help: "Print no QR code.")
    var plain = false

    @Flag(help: "Print JSON, one node a line.")
    var json = false

    private struct Invitation: Decodable {
        var node: String
        var command: String
    }

    /// Shows what a coordinator answers.
    func show(_ body: Data) throws {
        guard !json else {
            return print(
                String(decoding: body, as: UTF8.self).trimmingCharacters(in: .newlines))
        }
        let invitation = try JSONDecoder().decode(Invitation.self, from: body)
        print("\(invitation.node), within an hour:\n\n    \(invitation.command)\n")
        if !plain, let code = QRCode(invitation.command) { print(code.text) }
    }
}
