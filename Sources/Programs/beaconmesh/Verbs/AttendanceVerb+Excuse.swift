import ArgumentParser
import Basics
import Foundation
import Records
import Reporting
import SiteModel

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
}
