import ArgumentParser
import Basics
import Foundation
import Operations
import Platform
import Records
import Registry
import SiteClient
import SiteService
import SiteStore

/// `beaconmesh do NAME key=value…`: whatever can be asked of a site, by its name.
struct DoVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "do", abstract: "Asks a running coordinator to do something, by its name.",
        discussion: """
            Without a name it lists what there is, and the keys of each; one in brackets may be left out. \
            It asks as api does: through the socket beside the database, as the owner; with --server from \
            any machine, with a token. A user or station is given by its id or, at the socket, its name; a \
            time as 2026-03-29T14:30:00+02:00, at the socket also as the site's clocks show it, or in Unix \
            milliseconds. Prints the answer, and ends as docs/codes.md says of each refusal.

            beaconmesh do
            beaconmesh do workout-start user="Paul R." station=press
            beaconmesh do attendance-check-in user=u-7k2m at_ms="2026-03-29 14:30" --key desk-17
            """)

    @Argument(help: "What is done, as the list has it.")
    var name: String?

    @Argument(help: "What is given with it, as key=value.")
    var given: [String] = []

    @OptionGroup var asking: AskingOptions

    func run() async throws {
        guard let name else { return print(Self.list) }
        guard let verb = Verb.named(name) else {
            let near = Suggestion.nearest(to: name, among: Verb.all.map(\.name))
            let hint = near.map { "; did you mean \($0)?" } ?? ""
            throw Exit(code: 64, text: TerminalText.harmless(Verb.unknown(name) + hint))
        }
        let (path, body) = try request(verb)
        let headers = [("Content-Type", "application/json")]
        let answer = try asking.ask(verb.method.rawValue, path, headers, Data(body))
        try AskingOptions.show(answer)
    }

    private func request(_ verb: Verb) throws -> (path: String, body: [UInt8]) {
        let isElsewhere = asking.server != nil
        do {
            var typed = try TypedArguments(given, of: verb, isOwn: isElsewhere)
            if isElsewhere {
                try typed.translate { try Self.meant($1, by: $0, in: nil) }
            } else {
                try asking.place.read { store in
                    try typed.translate { try Self.meant($1, by: $0, in: store) }
                }
            }
            return try typed.request()
        } catch let fault as TypedArguments.Fault {
            throw Exit(code: 64, text: TerminalText.harmless(fault.text))
        }
    }

    /// The id of what is named, the milliseconds of a moment; anything else as it is, for the verb to
    /// refuse. Without a `store` names and the site's clocks are not known.
    private static func meant(
        _ text: String, by parameter: Parameter, in store: Store?
    ) throws -> String {
        if case .time = parameter.kind { return try milliseconds(text, in: store) }
        guard case .slug = parameter.kind, let store,
            let kind = SiteCollection.all.first(where: { $0.one == parameter.name })
        else { return text }
        return try SiteRows(reading: store).find(kind, text)
    }

    private static func milliseconds(_ text: String, in store: Store?) throws -> String {
        guard Int64(text) == nil else { return text }
        if let exact = StatedMoment.exact(text) { return "\(exact.milliseconds)" }
        guard let store else { return text }
        do {
            let clocks = try AttendanceVerb.clocks(of: store, at: AnchoredClock().now)
            return "\(try clocks.moment(text).milliseconds)"
        } catch let refusal as BooksRefusal {
            // What is no time is refused with its key.
            guard refusal.code != .badRequest else { return text }
            throw Exit(refusal)
        }
    }

    /// What can be done, a line each, and a line for each key of it.
    private static var list: String {
        var table = TextTable(["name", "key", "what"])
        for verb in Verb.all {
            table.add([verb.name, "", verb.summary])
            for parameter in verb.parameters {
                let key = "\(parameter.name)=\(parameter.kind.placeholder ?? "true|false")"
                table.add([
                    verb.name, verb.needs(parameter) ? key : "[\(key)]", parameter.text,
                ])
            }
        }
        return table.text
    }
}
