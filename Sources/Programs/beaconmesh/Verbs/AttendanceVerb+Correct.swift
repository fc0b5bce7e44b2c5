import ArgumentParser
import Basics
import Foundation
import Platform
import Records
import Reporting
import SiteClient
import SiteModel
import SiteStore

extension AttendanceVerb {
    /// `attendance correct SESSION`
    struct Correct: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Asks for a correction of a session, or for a missing one.",
            discussion: """
                Times are 2026-03-29 14:30 by the clocks of the site, or with an offset from UTC, \
                2026-03-29T14:30:00+02:00. What is asked has no effect before it is approved.

                beaconmesh attendance correct 4711 --to "2026-03-27 17:30" --reason "tag forgotten"
                beaconmesh attendance correct --add "Paul R." --from "2026-03-27 08:00" \
                --to "2026-03-27 12:00" --reason "no tag yet"
                beaconmesh attendance approve 1 --reason "seen by the front desk"
                """)

        @Argument(help: "The session, as `attendance list` numbers it; none with --add.")
        var session: Int64?

        @Option(help: "Whose session is missing: their id (u-…) or their name.")
        var add: String?

        @Flag(help: "There was no such session.")
        var remove = false

        @Flag(help: "The session was looked at and stands as it is.")
        var reviewed = false

        @Option(help: "When it began.")
        var from: String?

        @Option(help: "When it ended.")
        var to: String?

        @Option(name: .customLong("rev"), help: "The revision of the session that was looked at.")
        var revision: Int64?

        @Option(help: "Why.")
        var reason = ""

        @OptionGroup var books: BooksOptions

        func validate() throws {
            guard (session == nil) == (add != nil) else {
                throw ValidationError("give a session, or --add USER")
            }
            let ways = [remove, reviewed, from != nil || to != nil].count { $0 }
            guard ways == 1, add == nil || (from != nil && to != nil) else {
                throw ValidationError("give --from and --to, or --remove, or --reviewed")
            }
        }

        func run() async throws {
            let change: SessionChange
            do {
                change = try books.with { try wanted(in: $0.store) }
            } catch let refusal as BooksRefusal {
                throw Exit(refusal)
            }
            try AttendanceVerb.perform(.request(change, reason: reason), books)
        }

        private func wanted(in store: Store) throws -> SessionChange {
            let clocks = try AttendanceVerb.clocks(of: store, at: books.now)
            let from = try from.map { try clocks.moment($0) }
            let to = try to.map { try clocks.moment($0) }
            if let add, let from, let to {
                return .add(user: try NameResolver.person(add, in: store).slug, from: from, to: to)
            }
            guard let session else { throw ValidationError("give a session, or --add USER") }
            if remove { return .remove(session, revision: revision) }
            if reviewed { return .reviewed(session, revision: revision) }
            // What is not said stays as it is.
            guard let stored = try Books(store).sessionTimes(session) else {
                throw BooksRefusal(.notFound, "there is no session \(session)")
            }
            return .times(
                session, revision: revision ?? stored.revision, from: from ?? stored.from,
                to: to ?? stored.to)
        }
    }

    /// `attendance approve ID`
    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lets a correction take effect.")

        @Argument(help: "The correction.")
        var correction: Int64

        @Option(help: "Why.")
        var reason = ""

        @OptionGroup var books: BooksOptions

        func run() async throws {
            try AttendanceVerb.perform(.approve(correction, reason: reason), books)
        }
    }

    /// `attendance refuse ID`
    struct Refuse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Decides against a correction.")

        @Argument(help: "The correction.")
        var correction: Int64

        @Option(help: "Why.")
        var reason = ""

        @OptionGroup var books: BooksOptions

        func run() async throws {
            try AttendanceVerb.perform(.refuse(correction, reason: reason), books)
        }
    }
}

extension AttendanceVerb {
    /// `attendance corrections`
    struct Corrections: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the corrections that wait for somebody to decide.")

        @Flag(help: "Also those that were decided.")
        var all = false

        @Option(help: "So many, the newest first (1 to 10000).")
        var last = 100

        @OptionGroup var books: BooksOptions

        @OptionGroup var times: TimeOptions

        func validate() throws {
            guard (1...10_000).contains(last) else {
                throw ValidationError("--last: expected 1 to 10000, got \(last)")
            }
        }

        func run() async throws {
            let (rows, clock) = try books.read {
                (
                    try Records.Corrections($0).all(in: all ? nil : .pending, most: last),
                    try times.clock(of: $0, at: books.now)
                )
            }
            if books.json { return try books.print(json: rows) }
            var table = TextTable(["id", "state", "name", "user", "what", "reason", "asked by"])
            for row in rows {
                table.add([
                    "\(row.id)", row.state.rawValue, row.name, row.user, Self.what(row, clock),
                    row.reason, row.requestedBy,
                ])
            }
            print(table.text)
            print(clock.line)
        }

        /// What it wants, in words.
        private static func what(_ row: CorrectionRow, _ clock: ZonedClock) -> String {
            func text(_ milliseconds: Int64?) -> String {
                milliseconds.map { clock.text(Timestamp(milliseconds: $0)) } ?? "open"
            }
            let old = "\(text(row.oldFrom)) – \(text(row.oldTo))"
            let new = "\(text(row.newFrom)) – \(text(row.newTo))"
            return switch row.change {
            case .times:
                "session \(row.session ?? 0): \(old) → \(new)"
                    + (row.lostBreaks.map { ", \($0 / 60_000) min of breaks go" } ?? "")
            case .remove: "session \(row.session ?? 0): \(old) → none"
            case .add: "none → \(new)"
            case .reviewed: "session \(row.session ?? 0) stands"
            }
        }
    }

    /// `attendance lock`
    struct Lock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Locks all sessions that began on a date or before.",
            discussion: """
                An earlier date than the one in force is refused, unless --unlock says that the lock is \
                to be moved back; with the same date nothing is done. Refused while somebody who came \
                before is in, while nodes may still tell what they heard, or while an approved \
                correction is not carried out, unless --force: it refuses such corrections, and \
                says what it was forced over.
                """)

        @Option(help: "The last locked date, like 2026-03-31.")
        var through: String

        @Option(help: "Why.")
        var reason = ""

        @Flag(help: "Also what is not final yet.")
        var force = false

        @Flag(help: "Move the lock in force back to an earlier date.")
        var unlock = false

        @OptionGroup var books: BooksOptions

        func run() async throws {
            let clocks = try books.with {
                try AttendanceVerb.clocks(of: $0.store, at: books.now)
            }
            guard let boundary = clocks.end(of: through) else {
                throw Exit(
                    code: 64,
                    text: "--through \(TerminalText.harmless(through)): expected a date like"
                        + " 2026-03-31")
            }
            try AttendanceVerb.perform(
                .lock(
                    through: through, boundary: boundary, reason: reason, force: force,
                    unlocks: unlock), books)
        }
    }
}
