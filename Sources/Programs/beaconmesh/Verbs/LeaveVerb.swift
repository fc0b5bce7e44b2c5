import ArgumentParser
import Basics
import Records
import SiteModel
import Platform
import Reporting
import SiteClient

/// `beaconmesh leave`: days on which somebody need not come.
struct LeaveVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Keeps days of leave.",
        subcommands: [Add.self, List.self, Remove.self])

    /// `leave add`
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Notes leave; what was noted for these days before is replaced.",
            discussion: """
                beaconmesh leave add "Paul R." --from 2026-03-30 --to 2026-04-03 --kind holiday
                """)

        @Argument(help: "Who: their id (u-…) or their name.")
        var user: String

        @Option(help: "The first day, 2026-03-29.")
        var from: String

        @Option(help: "The last day; the first if not given.")
        var to: String?

        @Option(help: "Why: holiday, sick, …")
        var kind = "holiday"

        @Flag(help: "Half a day only.")
        var half = false

        @Flag(help: "Also where locked days change; the audit says so.")
        var force = false

        @OptionGroup var books: BooksOptions

        func run() async throws {
            let first = try ShiftVerb.Assign.date(from, "--from")
            let last = try to.map { try ShiftVerb.Assign.date($0, "--to") } ?? first
            guard (0..<366).contains(last - first) else {
                throw Exit(code: 64, text: "--to: at most a year of leave, from --from on")
            }
            _ = try books.with { site in
                let user = try NameResolver.person(user, in: site.store).slug
                return try site.write(
                    .roster(
                        .addLeave(user, from: first, to: last, kind: kind, isHalf: half),
                        force: force))
            }
            print("\(last - first + 1) days of leave noted")
        }
    }

    /// `leave remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Takes a day of leave back.")

        @Argument(help: "Who: their id (u-…) or their name.")
        var user: String

        @Option(help: "The day, 2026-03-29.")
        var date: String

        @Flag(help: "Also where locked days change; the audit says so.")
        var force = false

        @OptionGroup var books: BooksOptions

        func run() async throws {
            let date = try ShiftVerb.Assign.date(date, "--date")
            _ = try books.with { site in
                try site.write(
                    .roster(
                        .removeLeave(try NameResolver.person(user, in: site.store).slug, date),
                        force: force))
            }
            print("no leave on \(date)")
        }
    }

    /// `leave list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows days of leave.")

        @Option(help: "The first day, 2026-03-29.")
        var from: String

        @Option(help: "The last day; the first if not given.")
        var to: String?

        @OptionGroup var books: BooksOptions

        func run() async throws {
            let first = try ShiftVerb.Assign.date(from, "--from")
            let last = try to.map { try ShiftVerb.Assign.date($0, "--to") } ?? first
            guard first <= last else { throw Exit(code: 64, text: "--to: is before --from") }
            let lines = try books.read { try RosterLines($0).leave(first...last) }
            if books.json { return try books.print(json: lines) }
            var table = TextTable(["date", "user", "name", "kind", "half"])
            for line in lines {
                table.add([line.date, line.user, line.name, line.kind, line.half ? "yes" : "no"])
            }
            print(table.text)
        }
    }
}
