import ArgumentParser
import Daemon
import Foundation
import MeshCore
import MeshWire
import Storage

/// `beaconmesh why USER`: why somebody was decided to be where they are, from the database.
struct WhyVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Tells why somebody was decided to be at a place.",
        discussion: """
            Shows the latest change of place: what every node heard, what is usual there, and for which \
            place that speaks. Kept for 14 days.
            """)

    @Argument(help: "Whom it is about: their id (u-…) or their name.")
    var user: String

    @Option(help: "The site's database.")
    var database: String

    @Option(help: "The change in force at that time: 14:03, 14:03:05 or 2026-11-21T14:03:05Z.")
    var at: String?

    @Option(help: "So many changes, the newest first (1 to 1000).")
    var last = 1

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard (1...1000).contains(last) else {
            throw ValidationError("--last: expected 1 to 1000, got \(last)")
        }
    }

    func run() async throws {
        let now = AnchoredClock().now
        var moment: Timestamp?
        if let at {
            moment = WhyMoment.parse(at, now: now, calendar: .current)
            guard moment != nil else {
                throw Exit(
                    code: 64,
                    text: "--at \(TerminalText.harmless(at)): expected 14:03, 14:03:05 or"
                        + " 2026-11-21T14:03:05Z")
            }
        }
        do {
            let store = try Store(existing: database)
            defer { store.close() }
            guard let (_, names, _) = try store.load() else {
                throw Exit(code: 1, text: "\(database): no site was imported yet")
            }
            let user = try find(in: names)
            let changes = try store.reasons(of: user.id, until: moment, newest: last)
            show(changes, of: user, names, at: now)
        } catch let error as StoreError {
            throw Exit(code: 1, text: "\(error)")
        }
    }

    /// The user of an id or of a name, whatever its case.
    private func find(in names: Names) throws -> NameTable<User>.Entry {
        if let id = names.users.id(user), let entry = names.users.entry(id) { return entry }
        let shown = TerminalText.harmless(user)
        let same = names.users.entries.filter {
            $0.name.compare(user, options: .caseInsensitive) == .orderedSame
        }
        guard same.count <= 1 else {
            let ids = same.map(\.slug).joined(separator: ", ")
            throw Exit(code: 1, text: "\(shown) is the name of \(ids): give one of these")
        }
        guard let entry = same.first else {
            throw Exit(
                code: 1,
                text: "the site knows no user \(shown): give an id (u-…) or a name, as `beaconmesh"
                    + " who` shows them")
        }
        return entry
    }

    private func show(
        _ changes: [Reasons], of user: NameTable<User>.Entry, _ names: Names, at now: Timestamp
    ) {
        if json {
            var writer = JSONWriter()
            writer.beginObject()
            writer.field("user", user.slug)
            writer.key("changes")
            writer.beginArray()
            for change in changes { writer.raw(WhyPayload(change, names: names).json) }
            writer.endArray()
            writer.endObject()
            print(String(decoding: writer.bytes, as: UTF8.self))
            return
        }
        guard !changes.isEmpty else {
            let name = TerminalText.harmless(user.name)
            print("no change of place of \(name) is known\(at.map { " until \($0)" } ?? "")")
            return
        }
        let clock = LocalTime()
        let texts = changes.map { change in
            WhyText(change, names: names) { clock.text($0, from: now) }.text
        }
        print(texts.joined(separator: "\n\n\n"))
    }
}
