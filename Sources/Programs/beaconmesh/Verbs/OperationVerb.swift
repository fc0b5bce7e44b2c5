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
            commandName: Group.name, abstract: Group.abstract,
            usage: operations.map(usage).joined(separator: "\n"),
            discussion: operations.map(described).joined(separator: "\n\n"))
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
            let near = Suggestion.nearest(to: word, among: Self.operations.map(Self.verb))
            throw Exit(
                code: 64,
                text: "Unknown verb '\(TerminalText.harmless(word))' of beaconmesh \(Group.name). "
                    + (near.map { "Did you mean '\($0)'?" } ?? "See beaconmesh help \(Group.name).")
            )
        }
        let typed = try Self.typed(words.dropFirst(), for: operation)
        let json = try books.place.perform(operation, as: books.asker, typed) {
            try Self.meant($0, by: operation, in: $1)
        }
        let answer = try AnswerText(json, of: operation)
        print(books.json ? String(decoding: json, as: UTF8.self) : answer.text)
        // What was tried and not taken is no success to a script.
        if answer.isFailed { throw ExitCode(5) }
    }

    private static func typed(
        _ words: some Sequence<String>, for operation: SiteService.Operation
    ) throws(Exit) -> Given.Texts {
        do throws(InputFault) {
            return try TypedWords(words, of: operation.parameters).values
        } catch {
            throw Exit(code: 64, text: error.description)
        }
    }

    /// The ids of what is named.
    private static func meant(
        _ typed: Given.Texts, by operation: SiteService.Operation, in store: Store
    ) throws -> Given.Texts {
        try typed.map { name, value in
            let kind = operation.parameters.first { $0.name == name }?.kind
            switch kind {
            case .reference(let collection):
                return (name, try id(of: value, in: collection, store))
            case .list(.reference(let collection)):
                let ids = try value.split(
                    separator: ",", omittingEmptySubsequences: false
                ).map {
                    try id(of: String($0), in: collection, store)
                }
                return (name, ids.joined(separator: ","))
            default: return (name, value)
            }
        }
    }

    private static func id(
        of text: String, in collection: String, _ store: Store
    ) throws -> String {
        switch collection {
        case "users": try NameResolver.person(text, in: store).slug
        case "shifts": try NameResolver.shift(text, in: store)
        default:
            try SiteCollection.named(collection).map {
                try SiteRows(reading: store).find($0, text)
            } ?? text
        }
    }

    private static func usage(of operation: SiteService.Operation) -> String {
        let members = operation.parameters.map { parameter in
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
