import ArgumentParser
import Basics
import Reporting
import Platform
import SiteClient

/// `beaconmesh feed`: calendars that programs subscribe to by a secret address.
struct FeedVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed",
        abstract: "Keeps calendars with a secret address.",
        discussion: """
            Whoever knows the address reads the calendar, without a token. It is shown once; only its \
            digest is kept. Revoke it when it got into other hands.

            beaconmesh feed add --user "Paul R." --kind shifts
            beaconmesh feed revoke 1
            """,
        subcommands: [Add.self, List.self, Revoke.self])

    /// `feed add`
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a calendar and shows its address.")

        @Option(help: "Whose: their id (u-…) or their name; everybody's if not given.")
        var user: String?

        @Option(help: "What is in it: attendance or shifts.")
        var kind = "attendance"

        @OptionGroup var books: BooksOptions

        private struct Line: Codable {
            var id: Int64
            var path: String
        }

        func run() async throws {
            guard let kind = Feed.Kind(rawValue: kind) else {
                throw Exit(code: 64, text: "--kind: attendance or shifts expected")
            }
            let secret = FeedText.secret()
            let id = try books.with { site in
                let slug = try user.map { try NameResolver.person($0, in: site.store).slug }
                return try site.write(
                    .feeds(.add(hash: FeedText.hash(of: secret), user: slug, kind: kind))
                ).rows[0]
            }
            let path = "/feeds/\(secret).ics"
            if books.json { return try books.print(json: Line(id: id, path: path)) }
            print("feed \(id), shown only this once, below the address of the dashboard:\n\(path)")
        }
    }

    /// `feed list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows calendars.")

        @OptionGroup var books: BooksOptions

        func run() async throws {
            let lines = try books.read { try RosterLines($0).feeds() }
            if books.json { return try books.print(json: lines) }
            var table = TextTable(["feed", "user", "name", "kind", "state"])
            for line in lines {
                table.add([
                    "\(line.id)", line.user ?? "everybody", line.name ?? "–", line.kind,
                    line.revoked_ms == nil ? "open" : "revoked",
                ])
            }
            print(table.text)
        }
    }

    /// `feed revoke`
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Refuses a calendar from now on.")

        @Argument(help: "The feed, as `feed list` numbers it.")
        var feed: Int64

        @OptionGroup var books: BooksOptions

        func run() async throws {
            try books.write(.feeds(.revoke(feed)))
            print("feed \(feed) is refused")
        }
    }
}
