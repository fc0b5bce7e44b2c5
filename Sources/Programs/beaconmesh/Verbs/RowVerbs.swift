import ArgumentParser
import Foundation
import Platform
import Registry
import SiteClient
import SiteService

/// A list of the site whose rows a verb keeps.
protocol RowKind {
    static var kind: SiteCollection { get }
    static var configuration: CommandConfiguration { get }
    /// What else can be done with one.
    static var more: [any ParsableCommand.Type] { get }
}

extension RowKind {
    static var more: [any ParsableCommand.Type] { [] }
}

/// `beaconmesh room`, `exercise`, `station`, `node`, `user` and `beacon`: single rows of a site.
struct RowVerb<Row: RowKind>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        var configuration = Row.configuration
        configuration.discussion = """
            Members are given as in the site file: name="Squat rack" room=weights slots=2; a room, station or \
            user by its id or name. One without a value is taken away; auto_pause_s= is never. A running coordinator puts it in force at once; history keeps what is \
            retired.
            """
        configuration.subcommands =
            [List.self, Show.self, Add.self, Change.self, Retire.self] + Row.more
        return configuration
    }

    struct List: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: RowMembers.list, abstract: "Shows all that are not retired.")
        }

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let rows = try options.read { try SiteRows(reading: $0).all(Row.kind) }
            print(options.json ? SiteTree.list(rows).json : SiteRows.table(of: rows))
        }
    }

    struct Show: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: RowMembers.show, abstract: "Shows one.")
        }

        @Argument(help: "Its id or its name.")
        var id: String

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let row = try options.read { store in
                let rows = try SiteRows(reading: store)
                return try rows.row(Row.kind, rows.find(Row.kind, id))
            }
            guard let row else { throw Exit(code: 3, text: "not_found: it was just retired") }
            print(row.json)
        }
    }

    struct Add: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: RowMembers.add, abstract: "Adds one.")
        }

        @Argument(help: "Its id: 1 to 64 of a-z, 0-9 and -.")
        var id: String

        @Argument(help: "Its members, as name=…")
        var members: [String] = []

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let (id, members) = (id, try RowMembers.read(members))
            try options.with { try $0.add(Row.kind, id, members) }
            print("\(Row.kind.one) \(id) is added")
        }
    }

    struct Change: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: RowMembers.change, abstract: "Changes members of one.")
        }

        @Argument(help: "Its id or its name.")
        var id: String

        @Argument(help: "What changes, as name=…; name= takes it away.")
        var members: [String]

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let (text, members) = (id, try RowMembers.read(members))
            let id = try options.with { try $0.change(Row.kind, text, members) }
            print("\(Row.kind.one) \(id) is changed")
        }
    }

    struct Retire: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: RowMembers.retire, abstract: "Takes one out of the site.")
        }

        @Argument(help: "Its id or its name.")
        var id: String

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let text = id
            let id = try options.with { try $0.retire(Row.kind, text) }
            print("\(Row.kind.one) \(id) is retired")
        }
    }
}

/// Members as they are typed, and what is done with rows.
enum RowMembers {
    // A nested type of a generic one has no name of its own to take.
    static let list = "list"
    static let show = "show"
    static let add = "add"
    static let change = "change"
    static let retire = "retire"

    /// Each `name=value`; an empty value is `nil`.
    static func read(_ texts: [String]) throws -> [(key: String, value: String?)] {
        try texts.map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw Exit(code: 64, text: "“\(text)”: expected name=value")
            }
            return (String(parts[0]), parts[1].isEmpty ? nil : String(parts[1]))
        }
    }
}

enum RoomRow: RowKind {
    static let kind = SiteCollection.rooms
    static let configuration = CommandConfiguration(
        commandName: "room", abstract: "Keeps the rooms of a site.")
}

enum ExerciseRow: RowKind {
    static let kind = SiteCollection.exercises
    static let configuration = CommandConfiguration(
        commandName: "exercise", abstract: "Keeps the exercises of a site.")
    static let more: [any ParsableCommand.Type] = [Starter.self]

    struct Starter: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds the forty exercises that come with the program.",
            discussion: "One whose id is there stays as it is.")

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let count = try options.with { try $0.write(.edit(.addStarter)).changed.count }
            print("\(count) exercises are added")
        }
    }
}

enum StationRow: RowKind {
    static let kind = SiteCollection.stations
    static let configuration = CommandConfiguration(
        commandName: "station", abstract: "Keeps the stations of a site.")
}

enum NodeRow: RowKind {
    static let kind = SiteCollection.nodes
    static let configuration = CommandConfiguration(
        commandName: "node", abstract: "Keeps the nodes of a site.")
    static let more: [any ParsableCommand.Type] = [
        ScanStart.self, ScanStop.self, Identify.self, Restart.self,
    ]

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

enum UserRow: RowKind {
    static let kind = SiteCollection.users
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Keeps the people of a site.")
}
