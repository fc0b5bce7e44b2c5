import ArgumentParser
import Foundation
import Platform
import SiteInterface

/// A list of the site whose rows a verb keeps.
protocol RowKind {
    static var kind: RegistryEdit.Kind { get }
    static var configuration: CommandConfiguration { get }
}

/// `beaconmesh room`, `station`, `node`, `user` and `beacon`: single rows of a site.
struct RowVerb<Row: RowKind>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        var configuration = Row.configuration
        configuration.discussion = """
            Members are given as in the site file: name="Squat rack" room=weights slots=2. One without a \
            value is taken away. A running coordinator puts it in force at once; history keeps what is \
            retired.
            """
        configuration.subcommands = [List.self, Show.self, Add.self, Change.self, Retire.self]
        return configuration
    }

    struct List: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: RowMembers.list, abstract: "Shows all that are not retired.")
        }

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let edit = try options.read { try RegistryEdit(reading: $0) }
            if options.json { return print(edit.json(of: Row.kind)) }
            print(edit.table(of: Row.kind))
        }
    }

    struct Show: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: RowMembers.show, abstract: "Shows one.")
        }

        @Argument(help: "Its id.")
        var id: String

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let edit = try options.read { try RegistryEdit(reading: $0) }
            guard let text = edit.json(of: Row.kind, id) else {
                throw Exit(code: 3, text: "not_found: there is no \(Row.kind.one) \(id)")
            }
            print(text)
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
            try options.with { try $0.change { try $0.add(Row.kind, id, members) } }
            print("\(Row.kind.one) \(id) is added")
        }
    }

    struct Change: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: RowMembers.change, abstract: "Changes members of one.")
        }

        @Argument(help: "Its id.")
        var id: String

        @Argument(help: "What changes, as name=…; name= takes it away.")
        var members: [String]

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let (id, members) = (id, try RowMembers.read(members))
            try options.with { try $0.change { try $0.change(Row.kind, id, members) } }
            print("\(Row.kind.one) \(id) is changed")
        }
    }

    struct Retire: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: RowMembers.retire, abstract: "Takes one out of the site.")
        }

        @Argument(help: "Its id.")
        var id: String

        @OptionGroup var options: BooksOptions

        func run() async throws {
            let id = id
            try options.with { try $0.change { try $0.retire(Row.kind, id, ifMatch: nil) } }
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
    static let kind = RegistryEdit.Kind.rooms
    static let configuration = CommandConfiguration(
        commandName: "room", abstract: "Keeps the rooms of a site.")
}

enum StationRow: RowKind {
    static let kind = RegistryEdit.Kind.stations
    static let configuration = CommandConfiguration(
        commandName: "station", abstract: "Keeps the stations of a site.")
}

enum NodeRow: RowKind {
    static let kind = RegistryEdit.Kind.nodes
    static let configuration = CommandConfiguration(
        commandName: "node", abstract: "Keeps the nodes of a site.")
}

enum UserRow: RowKind {
    static let kind = RegistryEdit.Kind.users
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Keeps the people of a site.")
}

enum BeaconRow: RowKind {
    static let kind = RegistryEdit.Kind.beacons
    static let configuration = CommandConfiguration(
        commandName: "beacon", abstract: "Keeps the beacons of a site, and who carries them.")
}
