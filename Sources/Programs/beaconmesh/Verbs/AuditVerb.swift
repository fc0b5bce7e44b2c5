import ArgumentParser
import Basics
import Foundation
import Records
import SiteStore
import Platform
import Reporting
import SiteClient

/// `beaconmesh audit`: who did what, and whether that was changed afterwards.
struct AuditVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Shows who did what; proves that nothing was changed since.",
        subcommands: [Verify.self, List.self])

    /// `audit verify`
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Walks over the whole chain and names the first row that is not as written.",
            discussion: """
                Compares corrections, reviews, locks, locked sessions, sessions changed by hand, and roles \
                and scopes of accounts and tokens with what the chain last said of them. It is \(AuditVerdict.limits).

                Each row carries the digest of the one before. Rows cut off at the end are noticed by \
                the heads that `retain` notes, and by one given with --head: exports carry it.
                """)

        @Option(help: "An end of the chain noted before, as this verb and exports print it.")
        var head: [String] = []

        @OptionGroup var books: BooksOptions

        private struct Verdict: Encodable {
            var whole: Bool
            var rows: Int
            var values: Int
            var compared: Int
            var unknown: Int
            var head: String
            var fault: String?
        }

        func run() async throws {
            let noted = try head.map { text in
                guard let head = AuditHead(text) else {
                    throw Exit(
                        code: 64, text: "--head \(TerminalText.harmless(text)): expected ROW:DIGEST"
                    )
                }
                return head
            }
            let verdict = try books.read { try AuditTrail($0).verify(noted: noted) }
            if books.json {
                try books.print(
                    json: Verdict(
                        whole: verdict.fault == nil, rows: verdict.rows, values: verdict.values,
                        compared: verdict.compared, unknown: verdict.unknown,
                        head: "\(verdict.head)", fault: verdict.fault?.description))
            } else if verdict.fault == nil {
                print("\(verdict.rows) rows and \(verdict.values) values are as they were written")
                let unknown = verdict.unknown > 0 ? "; of \(verdict.unknown) it was erased" : ""
                print(
                    "\(verdict.compared) rows of the books are what the audit last said of them\(unknown)"
                )
                print(AuditVerdict.limits)
                print("head \(verdict.head)")
            }
            if let fault = verdict.fault {
                guard case .row = fault else {
                    throw Exit(code: 1, text: "the audit is broken: \(fault)")
                }
                throw Exit(code: 1, text: "the books are not what the audit says: \(fault)")
            }
        }
    }

    /// `audit list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows who did what, oldest first.",
            discussion: """
                beaconmesh audit list --user "Paul R." --entity correction
                """)

        @Option(help: "Only of one kind of thing, like correction.")
        var entity: String?

        @Option(help: "Only about one person: their id (u-…) or their name.")
        var user: String?

        @Option(help: "Only after this row.")
        var after: Int64 = 0

        @Option(help: "So many (1 to 100000).")
        var most = 1000

        @OptionGroup var books: BooksOptions

        @OptionGroup var times: TimeOptions

        private struct Line: Encodable {
            var id: Int64
            var at_ms: Int64
            var via: String
            var action: String
            var entity: String
            var entity_id: String
            var actor: String?
            var before: String?
            var after: String?
            var digest: String
        }

        func validate() throws {
            guard (1...100_000).contains(most) else {
                throw ValidationError("--most: expected 1 to 100000, got \(most)")
            }
        }

        /// What a lock locked is a long list.
        private static func short(_ value: String?) -> String {
            guard let value, value.count > 200 else { return value ?? "" }
            return "\(value.prefix(200))… (--json shows all)"
        }

        func run() async throws {
            let (rows, people, clock) = try books.read { store in
                let id = try user.map { try NameResolver.person($0, in: store).user }
                return (
                    try AuditTrail(store).entries(
                        entity: entity, about: id, after: after, most: most),
                    try ReportRows(store).people(), try times.clock(of: store, at: books.now)
                )
            }
            if books.json {
                return try books.print(
                    json: rows.map {
                        Line(
                            id: $0.id, at_ms: $0.at.milliseconds, via: $0.via, action: $0.action,
                            entity: $0.entity, entity_id: $0.entityID, actor: $0.actor,
                            before: $0.before, after: $0.after, digest: $0.digest)
                    })
            }
            var table = TextTable(["row", "when", "who", "via", "did", "before", "after"])
            for row in rows {
                // A person is shown by the id that is known everywhere, not by the row.
                let person = row.entity == "user" ? Int64(row.entityID) : nil
                let slug = people.first { $0.user.row == person }?.slug
                table.add([
                    "\(row.id)", clock.text(row.at), row.actor ?? "(erased)", row.via,
                    "\(row.action) \(row.entity) \(slug ?? row.entityID)", Self.short(row.before),
                    Self.short(row.after),
                ])
            }
            print(table.text)
            print(clock.line)
        }
    }
}
