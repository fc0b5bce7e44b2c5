import ArgumentParser
import Basics
import Foundation
import Platform
import Records
import Reporting
import SiteClient
import SiteModel
import SiteStore

/// `beaconmesh attendance`: what people are paid by.
struct AttendanceVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attendance",
        abstract: "Checks people in and out; lists, reports, corrects and locks what is recorded.",
        discussion: """
            A correction is asked for with a reason, then approved or refused with one; old and new \
            are kept. A locked period stands as it is: late evidence about it becomes a correction \
            that somebody decides.
            """,
        subcommands: [
            CheckIn.self, CheckOut.self, List.self, Report.self, Correct.self, Corrections.self,
            Approve.self, Refuse.self, Lock.self, Waiting.self, Excuse.self,
            Retry.self,
        ])

    /// Asks the books for something and shows what they did.
    static func perform(_ call: BooksCall, _ books: BooksOptions) throws {
        switch try books.with({ try $0.write(.books(call)).outcome }) {
        case .correction(let row):
            if books.json { return try books.print(json: row) }
            print("correction \(row.id): \(row.state.rawValue)")
        case .lock(let row):
            if books.json { return try books.print(json: row) }
            let was = row.isUnchanged == true ? " already, nothing was changed" : ""
            print("locked through \(row.throughDate)\(was)")
            if let forced = row.forcedOver { print(words(of: forced)) }
        case .excuse(let row):
            if books.json { return try books.print(json: row) }
            print(
                row.endedAt == nil
                    ? "nobody waits for \(row.node) until it tells something again"
                    : "\(row.node) is waited for")
        case .retry(let corrections):
            if books.json { return try books.print(json: ["corrections": corrections]) }
            let list = corrections.map { "\($0)" }.joined(separator: ", ")
            print(
                "what was set aside is tried again\(list.isEmpty ? "" : " (corrections \(list))"): "
                    + "beaconmesh doctor shows what still is")
        }
    }

    /// What a lock was forced over, a line each.
    private static func words(of forced: ForcedLock) -> String {
        func list(_ ids: [Int64]) -> String { ids.map { "\($0)" }.joined(separator: ", ") }
        var lines: [String] = []
        if !forced.corrections.isEmpty {
            lines.append(
                "approved and not carried out, refused now: correction \(list(forced.corrections))")
        }
        if !forced.sessions.isEmpty {
            lines.append("not final, and locked as it stands: session \(list(forced.sessions))")
        }
        return lines.joined(separator: "\n")
    }

    /// The site's clocks.
    static func clocks(of store: Store, at now: Timestamp) throws -> StatedMoment {
        do {
            return try StatedMoment(site: store, at: now)
        } catch let error as StoreError {
            throw error
        } catch {
            throw Exit(code: 1, text: "\(error)")
        }
    }
}

extension AttendanceVerb {
    /// `attendance waiting`
    struct Waiting: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows which nodes hold back what becomes final.",
            discussion: """
                A session is final once every node has told all it heard before its end, or after \
                36 hours. A node that will not tell any more can be excused, or retired by an import.
                """)

        @OptionGroup var books: BooksOptions

        func run() async throws {
            let rows = try books.read { try Excuses($0).told() }
            if books.json { return try books.print(json: rows) }
            var table = TextTable(["node", "name", "has told all until", "waited for", "why not"])
            for row in rows {
                table.add([
                    row.node, row.name, Self.age(row.through, at: books.now),
                    row.isAwaited ? "yes" : "no",
                    row.excuse.map { "\($0.reason) (\($0.excusedBy))" } ?? "",
                ])
            }
            print(table.text)
        }

        private static func age(_ moment: Int64?, at now: Timestamp) -> String {
            guard let moment else { return "never" }
            let seconds = max(0, (now.milliseconds - moment) / 1000)
            return switch seconds {
            case ..<120: "\(seconds) s ago"
            case ..<7200: "\(seconds / 60) min ago"
            default: "\(seconds / 3600) h ago"
            }
        }
    }

    /// `attendance excuse NODE`
    struct Excuse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Has nobody wait any longer for what a node has not told.",
            discussion: """
                For a node that is lost or broken, or keeps nothing: what is final no longer waits for \
                it. It is waited for again as soon as it tells something; what it tells late still \
                counts where nothing is locked.
                """)

        @Argument(help: "The node: its id or its name, as `attendance waiting` shows them.")
        var node: String

        @Option(help: "Why.")
        var reason = ""

        @Flag(help: "Wait for it again.")
        var end = false

        @OptionGroup var books: BooksOptions

        func run() async throws {
            let node = try books.with { try NameResolver.node(self.node, in: $0.store) }
            try AttendanceVerb.perform(
                end ? .endExcuse(node: node) : .excuse(node: node, reason: reason), books)
        }
    }

    /// `attendance retry`
    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tries again what was set aside.",
            discussion: """
                A correction that the database refused to carry out, or all attendance of somebody, is \
                set aside, so that everybody else's goes on (alert set-aside). It is tried again once \
                another correction of that person is approved, once that correction is refused, at each \
                start, and by this verb.
                """)

        @Option(help: "Why.")
        var reason = "tried again"

        @OptionGroup var books: BooksOptions

        func run() async throws {
            try AttendanceVerb.perform(.retry(reason: reason), books)
        }
    }
}
