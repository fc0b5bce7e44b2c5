import ArgumentParser
import Basics
import Foundation
import Platform
import Records
import Reporting
import Scheduling
import SiteClient
import SiteModel
import SiteStore

/// `beaconmesh shift`: when people should be there.
struct ShiftVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shift",
        abstract: "Keeps shifts, and who works them.",
        discussion: """
            The hours of a shift never change, so that past days stay what they were: remove it and \
            add another. A shift that ends at or before its start ends on the next day.

            beaconmesh shift add early --start 06:00 --end 14:00 --break 30
            beaconmesh shift assign early --user "Paul R." --from 2026-03-30 --weekdays 12345
            """,
        subcommands: [Add.self, List.self, Assign.self, End.self, Remove.self])

    /// `shift add`
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Adds a shift.")

        @Argument(help: "Its id: a-z, 0-9 and -.")
        var id: String

        @Option(help: "When it begins, 22:00.")
        var start: String

        @Option(help: "When it ends, 06:00.")
        var end: String

        @Option(help: "What people call it; its id if not given.")
        var name: String?

        @Option(help: "Minutes before the start that still belong to it.")
        var earlyIn = 60

        @Option(help: "Minutes after the end that still belong to it.")
        var lateOut = 60

        @Option(help: "Minutes somebody may be late.")
        var lateGrace = 0

        @Option(help: "Minutes somebody may leave early.")
        var exitGrace = 0

        @Option(name: .customLong("break"), help: "Minutes of break that are not worked.")
        var pause = 0

        @Option(help: "Minutes below which it was half a day; 0: never.")
        var halfDay = 0

        @Option(help: "Minutes below which somebody was absent; 0: only who never came.")
        var absent = 0

        @OptionGroup var books: BooksOptions

        func run() async throws {
            guard let start = Basics.LocalTime(start), let end = Basics.LocalTime(end),
                start.milliseconds % 60_000 == 0, end.milliseconds % 60_000 == 0
            else {
                throw Exit(code: 64, text: "--start and --end: a time like 22:00 expected")
            }
            // More than a million minutes would not fit a length; the store says what does.
            func length(_ minutes: Int) -> Timestamp.Span {
                .seconds(Double(min(max(minutes, -1), 1_000_000)) * 60)
            }
            let shift = Shift(
                id: 0, slug: id, name: name ?? id, start: start, end: end,
                earlyIn: length(earlyIn), lateOut: length(lateOut), lateGrace: length(lateGrace),
                exitGrace: length(exitGrace), pause: length(pause), halfDay: length(halfDay),
                absent: length(absent))
            try books.write(.roster(.addShift(shift)))
            print("shift \(id) added")
        }
    }

    /// `shift assign`
    struct Assign: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lets people work a shift.")

        @Argument(help: "The shift: its id or its name.")
        var shift: String

        @Option(help: "Who: their id (u-…) or their name; may be given again.")
        var user: [String]

        @Option(help: "The first day, 2026-03-29.")
        var from: String

        @Option(help: "The last day; for good if not given.")
        var to: String?

        @Option(help: "Days of the week, 1 Monday to 7 Sunday: 12345.")
        var weekdays = "1234567"

        @Flag(help: "Also where locked days change; the audit says so.")
        var force = false

        @OptionGroup var books: BooksOptions

        func run() async throws {
            let first = try Self.date(from, "--from")
            let last = try to.map { try Self.date($0, "--to") }
            let days = weekdays.compactMap(\.wholeNumberValue)
            guard days.count == weekdays.count else {
                throw Exit(code: 64, text: "--weekdays: digits from 1 to 7 expected")
            }
            let (shift, users, rows) = try books.with { site in
                let shift = try NameResolver.shift(self.shift, in: site.store)
                let users = try self.user.map { try NameResolver.person($0, in: site.store).slug }
                let written = try site.write(
                    .roster(
                        .assign(users, shift: shift, from: first, to: last, weekdays: days),
                        force: force))
                return (shift, users, try written.rows)
            }
            for (row, user) in zip(rows, users) {
                print("assignment \(row): \(user) works \(shift)")
            }
        }

        static func date(_ text: String, _ name: String) throws -> LocalDate {
            guard let date = LocalDate(text) else {
                throw Exit(code: 64, text: "\(name): a date like 2026-03-29 expected")
            }
            return date
        }
    }

    /// `shift end`
    struct End: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Ends an assignment.")

        @Argument(help: "The assignment, as `shift list` numbers it.")
        var assignment: Int64

        @Option(help: "The last day it is worked.")
        var last: String

        @Flag(help: "Also where locked days change; the audit says so.")
        var force = false

        @OptionGroup var books: BooksOptions

        func run() async throws {
            let last = try Assign.date(last, "--last")
            try books.write(.roster(.endAssignment(assignment, last: last), force: force))
            print("assignment \(assignment) ends on \(last)")
        }
    }

    /// `shift remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes a shift.")

        @Argument(help: "The shift: its id or its name.")
        var shift: String

        @Option(help: "The last day it is worked.")
        var last: String

        @Flag(help: "Also where locked days change; the audit says so.")
        var force = false

        @OptionGroup var books: BooksOptions

        func run() async throws {
            let last = try Assign.date(last, "--last")
            let shift = try books.with { site in
                let shift = try NameResolver.shift(self.shift, in: site.store)
                _ = try site.write(.roster(.removeShift(shift, last: last), force: force))
                return shift
            }
            print("shift \(shift) is worked until \(last)")
        }
    }
}

extension ShiftVerb {
    /// `shift list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows shifts, and who works them.")

        @OptionGroup var books: BooksOptions

        func run() async throws {
            let lines = try books.read { try RosterLines($0).shifts() }
            if books.json { return try books.print(json: lines) }
            var shifts = TextTable(["shift", "name", "hours", "break"])
            var people = TextTable([
                "assignment", "shift", "user", "name", "from", "to", "weekdays",
            ])
            for line in lines {
                shifts.add([
                    line.id, line.name, "\(line.start)–\(line.end)", "\(line.break_min) min",
                ])
                for own in line.assignments {
                    people.add([
                        "\(own.id)", line.id, own.user, own.name, own.from, own.to ?? "–",
                        own.weekdays.map(String.init).joined(),
                    ])
                }
            }
            print(shifts.text)
            print()
            print(people.text)
        }
    }
}
