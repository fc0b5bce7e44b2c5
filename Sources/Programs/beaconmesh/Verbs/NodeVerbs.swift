import ArgumentParser
import Foundation
import Platform
import Registry
import SiteClient
import SiteService

enum NodeOperations: OperationGroup {
    static let name = "node"
    static let abstract = "Adds, shows, changes and retires nodes."
    static let command = "rows"
    static let beside = [
        "invite", "replace", "bundle", "scan-start", "scan-stop", "identify", "restart",
    ]
}

/// `beaconmesh node`: the rows of nodes, and orders to them.
struct NodeVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "node", abstract: "Keeps the nodes of a site.",
        subcommands: [
            OperationVerb<NodeOperations>.self, Invite.self, Replace.self, Bundle.self,
            ScanStart.self, ScanStop.self, Identify.self, Restart.self,
        ],
        defaultSubcommand: OperationVerb<NodeOperations>.self)

    struct ScanStart: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Has a node listen again.")

        @OptionGroup var asked: NodeCommandOptions

        func run() async throws { try asked.tell("scan-start") }
    }

    struct ScanStop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Has a node stop listening, until told otherwise or started anew.")

        @OptionGroup var asked: NodeCommandOptions

        func run() async throws { try asked.tell("scan-stop") }
    }

    struct Identify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Has a node show which of the boxes on the walls it is.")

        @OptionGroup var asked: NodeCommandOptions

        func run() async throws { try asked.tell("identify") }
    }

    struct Restart: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Has a node end, for systemd to start it again.")

        @OptionGroup var asked: NodeCommandOptions

        func run() async throws { try asked.tell("restart") }
    }
}

/// A node that is told something, through the running coordinator.
struct NodeCommandOptions: ParsableArguments {
    @Argument(help: "The node: its id or its name.")
    var node: String

    @OptionGroup var place: DatabaseOptions

    /// Whether a node says that it is there.
    private func isConnected(_ node: String) throws -> Bool {
        struct Snapshot: Decodable {
            struct Status: Decodable { var state: String }
            var topics: [String: Status]
        }
        let answer = try SiteAccess.ask(
            try place.path(), "GET", "/api/v1/snapshot?topics=node/\(node)/status", [], Data())
        let snapshot = try? JSONDecoder().decode(Snapshot.self, from: answer.body)
        return snapshot?.topics.values.contains { $0.state == "online" } ?? false
    }

    func tell(_ operation: String) throws {
        let node = try place.read { try SiteRows(reading: $0).find(.nodes, self.node) }
        let isConnected = try isConnected(node)
        let answer = try SiteAccess.ask(
            try place.path(), "POST", "/api/v1/nodes/\(node)/commands",
            [], Data("{\"op\":\"\(operation)\"}".utf8))
        switch answer.status {
        case 202:
            guard isConnected else {
                throw Exit(
                    code: Exit.unfinished,
                    text: "\(node) is not connected: it does so only if it connects within 30 s")
            }
            print("\(node) is told: \(operation)")
        case 404: throw Exit(code: 3, text: "not_found: there is no node \(node)")
        default:
            throw Exit(
                code: Exit.unfinished,
                text: String(decoding: answer.body, as: UTF8.self)
                    .trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }
}
