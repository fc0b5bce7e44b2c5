import ArgumentParser
import Basics
import Foundation
import Records
import SiteModel
import Platform

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
            case .times: "session \(row.session ?? 0): \(old) → \(new)"
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
                correction is not carried out, unless --force.
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
