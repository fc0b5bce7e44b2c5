import ArgumentParser
import Basics
import Foundation
import Operations
import Platform
import Registry
import Reporting
import SiteClient
import SiteService
import SiteStore

/// Operations that begin with the same word, which is a verb of the command line.
protocol OperationGroup: SendableMetatype {
    static var name: String { get }
    static var abstract: String { get }
    /// What it is called among other verbs of that word.
    static var command: String { get }
    /// These other verbs.
    static var beside: [String] { get }
}

extension OperationGroup {
    static var command: String { name }
    static var beside: [String] { [] }
}

enum RoomOperations: OperationGroup {
    static let name = "room"
    static let abstract = "Keeps the rooms of a site."
}

enum ExerciseOperations: OperationGroup {
    static let name = "exercise"
    static let abstract = "Keeps the exercises of a site."
}

enum StationOperations: OperationGroup {
    static let name = "station"
    static let abstract = "Keeps the stations of a site."
}

enum UserOperations: OperationGroup {
    static let name = "user"
    static let abstract = "Keeps the people of a site."
}

enum PolicyOperations: OperationGroup {
    static let name = "policy"
    static let abstract = "Keeps how the site decides."
}

enum SettingsOperations: OperationGroup {
    static let name = "settings"
    static let abstract = "Keeps what is set of the site."
}

enum ShiftOperations: OperationGroup {
    static let name = "shift"
    static let abstract = "Keeps shifts, and who works them."
}

enum LeaveOperations: OperationGroup {
    static let name = "leave"
    static let abstract = "Keeps days of leave."
}

enum FeedOperations: OperationGroup {
    static let name = "feed"
    static let abstract = "Keeps calendars with a secret address."
}

enum WebhookOperations: OperationGroup {
    static let name = "webhook"
    static let abstract = "Keeps addresses that are told what happens."
}

enum MailServerOperations: OperationGroup {
    static let name = "mail-server"
    static let abstract = "Keeps the server that takes the site's mail."
}

enum TokenOperations: OperationGroup {
    static let name = "token"
    static let abstract = "Keeps what programs sign in with."
}

enum NotificationOperations: OperationGroup {
    static let name = "notifications"
    static let abstract = "Keeps when people are told what."
}

/// `beaconmesh shift add early --start 06:00 --end 14:00`: a verb for each operation, with what it declares.
struct OperationVerb<Group: OperationGroup>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Group.command, abstract: Group.abstract,
            usage: operations.map(usage).joined(separator: "\n"),
            discussion: operations.map(described).joined(separator: "\n\n") + """


                An option may be given as --name VALUE or as name=VALUE; name= takes away what may be missing; of a station auto_pause_s= is never. What an \
                option names is meant by its id or its name.
                """)
    }

    @Argument(parsing: .allUnrecognized, help: "What is done, and what is given with it.")
    var words: [String] = []

    @OptionGroup var books: BooksOptions

    private static var operations: [SiteService.Operation] {
        SiteService.Operation.all.filter { $0.name.hasPrefix(Group.name + "-") }
    }

    private static func verb(of operation: SiteService.Operation) -> String {
        String(operation.name.dropFirst(Group.name.count + 1))
    }

    func run() async throws {
        guard let word = words.first else { throw CleanExit.helpRequest(self) }
        guard let operation = Self.operations.first(where: { Self.verb(of: $0) == word }) else {
            let verbs = Self.operations.map(Self.verb) + Group.beside
            let near = Suggestion.nearest(to: word, among: verbs)
            throw Exit(
                code: 64,
                text: "Unknown verb '\(TerminalText.harmless(word))' of beaconmesh \(Group.name). "
                    + (near.map { "Did you mean '\($0)'?" } ?? "See beaconmesh help \(Group.name).")
            )
        }
        let typed = try Self.typed(words.dropFirst(), for: operation)
        let json = try answer(to: operation, typed)
        try books.show(json, of: operation)
    }

    private func answer(
        to operation: SiteService.Operation, _ typed: Given.Texts
    ) throws -> [UInt8] {
        let ask = { (typed: Given.Texts) in
            try books.place.perform(operation, as: books.asker, typed) {
                try operation.meant($0, in: $1)
            }
        }
        // A list that comes in pages is shown whole.
        guard operation.parameters.contains(where: { $0.name == "cursor" }),
            let rows = operation.answer.first?.name,
            !typed.contains(where: { $0.name == "cursor" || $0.name == "limit" })
        else { return try ask(typed) }
        var all: [SiteTree] = []
        var next: String?
        repeat {
            let asked = typed + [("limit", "500")] + (next.map { [("cursor", $0)] } ?? [])
            let page = try SiteTree(json: String(decoding: try ask(asked), as: UTF8.self))
            all += page[rows]?.items ?? []
            next = page["next"]?.string
        } while next != nil
        let whole = SiteTree.section([(rows, .list(all)), ("next", .null)])
        return Array(whole.json.utf8)
    }

    private static func typed(
        _ words: some Sequence<String>, for operation: SiteService.Operation
    ) throws(Exit) -> Given.Texts {
        do throws(InputFault) {
            let words = operation.gathered(words)
            return try TypedWords(words, of: operation.parameters).values
        } catch {
            throw Exit(code: 64, text: error.description)
        }
    }

    private static func usage(of operation: SiteService.Operation) -> String {
        let parameters =
            operation.parameters.filter(\.isNeeded)
            + operation.parameters.filter { !$0.isNeeded }
        let members = parameters.map { parameter in
            let option = ([parameter.option] + [parameter.kind.placeholder].compactMap(\.self))
                .joined(separator: " ")
            return parameter.isNeeded ? "<\(parameter.name)>" : "[\(option)]"
        }
        return (["beaconmesh", Group.name, verb(of: operation)] + members).joined(separator: " ")
    }

    private static func described(_ operation: SiteService.Operation) -> String {
        let lines = operation.parameters.filter { !$0.text.isEmpty }.map { parameter in
            let name = parameter.isNeeded ? "<\(parameter.name)>" : parameter.option
            return "  \(name)  \(parameter.text)"
        }
        return (["\(verb(of: operation)): \(operation.summary)"] + lines).joined(separator: "\n")
    }
}
