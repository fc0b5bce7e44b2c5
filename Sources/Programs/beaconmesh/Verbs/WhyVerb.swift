import ArgumentParser
import Basics
import Diagnostics
import Foundation
import JSON
import Reporting
import SiteModel
import Platform
import SiteClient
import SiteStore
import Wire

/// `beaconmesh why USER`: why somebody was decided to be where they are, from the database.
struct WhyVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Tells why somebody was decided to be at a place.",
        discussion: """
            Shows the latest change of place: what every node heard, what is usual there, and for which \
            place that speaks. Kept for 14 days.

            beaconmesh why "Emre K." --database iron-works.sqlite
            beaconmesh why u-7k2m --at 14:03 --last 3 --database iron-works.sqlite
            """)

    @Argument(help: "Whom it is about: their id (u-…) or their name.")
    var user: String

    @OptionGroup var place: DatabaseOptions

    @Option(help: "The change in force at that time: 14:03, 14:03:05 or 2026-11-21T14:03:05Z.")
    var at: String?

    @OptionGroup var times: TimeOptions

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
        try place.read { store in
            guard let names = try store.registry()?.names else {
                throw Exit(code: 1, text: "\(store.path): no site was imported yet")
            }
            let clock = try times.clock(of: store, at: now)
            let person = try NameResolver.person(user, in: store)
            let changes = try ReasonsTable(store).reasons(
                of: person.user, until: try moment(by: clock, now: now), newest: last)
            show(changes, of: person, names, at: now, by: clock)
        }
    }

    /// What --at means.
    private func moment(by clock: ZonedClock, now: Timestamp) throws -> Timestamp? {
        guard let at else { return nil }
        guard let moment = WhyMoment.parse(at, now: now, calendar: clock.calendar) else {
            throw Exit(
                code: 64,
                text: "--at \(TerminalText.harmless(at)): expected 14:03, 14:03:05 or"
                    + " 2026-11-21T14:03:05Z")
        }
        return moment
    }

    private func show(
        _ changes: [Reasons], of user: ReportPerson, _ names: Names, at now: Timestamp,
        by clock: ZonedClock
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
        let texts = changes.map { change in
            WhyText(change, names: names) { clock.text($0, from: now) }.text
        }
        print(texts.joined(separator: "\n\n\n"))
        print("\n\(clock.line)")
    }
}
