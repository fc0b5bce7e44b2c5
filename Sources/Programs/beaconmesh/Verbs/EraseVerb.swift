import ArgumentParser
import Basics
import Foundation
import Platform
import Records
import Reporting
import SiteClient

/// `beaconmesh erase USER`: forgets a person.
struct EraseVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Forgets a person: no name stays in the database.",
        discussion: """
            Deletes where they were and what they trained, blanks their name wherever it stands, and \
            keeps their attendance under a new pseudonym that nothing leads to. A running coordinator \
            clears what it told of them on the broker. Files beside the database that still hold who they \
            were are listed: backups, and what `restore` put aside. They go with the rotation of the \
            backups, or delete them. Whoever comes back with a backup is erased again.

            beaconmesh erase u-7k2m --yes --database iron-works.sqlite
            """)

    @Argument(help: "Whom: their id (u-…) or their name.")
    var user: String

    @Option(help: "Why.")
    var reason = "asked to be forgotten"

    @Flag(help: "Also delete their attendance, where no law asks to keep it.")
    var attendance = false

    @Flag(help: "Keep their beacons registered, under new names, for somebody else.")
    var keepBeacons = false

    @Flag(help: "It cannot be undone: say that you mean it.")
    var yes = false

    @OptionGroup var books: BooksOptions

    /// What was done, and which files still hold who it was.
    private struct Answer: Encodable {
        struct File: Encodable {
            var file: String
            var at_ms: Int64
        }

        private enum CodingKeys: String, CodingKey { case files }

        var erasure: Erasure
        var files: [File]

        func encode(to encoder: any Encoder) throws {
            try erasure.encode(to: encoder)
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(files, forKey: .files)
        }
    }

    func run() async throws {
        guard yes else {
            throw Exit(code: 64, text: "erasing cannot be undone: add --yes")
        }
        let folder = try books.place.backups()
        let erasure = try books.with { site in
            let user = try NameResolver.person(self.user, in: site.store).slug
            let options = ErasureOptions(
                deletesAttendance: attendance, keepsBeacons: keepBeacons)
            return try site.write(.erase(user, reason: reason, options: options)).erasure
        }
        let files =
            folder.files().map { Answer.File(file: folder.path(of: $0), at_ms: $0.at.milliseconds) }
            + folder.aside().map { Answer.File(file: $0.path, at_ms: $0.at.milliseconds) }
        if books.json { return try books.print(json: Answer(erasure: erasure, files: files)) }
        var table = TextTable(["table", "deleted", "blanked"])
        for name in Set(erasure.deleted.keys).union(erasure.blanked.keys).sorted() {
            table.add([
                name, "\(erasure.deleted[name] ?? 0)", "\(erasure.blanked[name] ?? 0)",
            ])
        }
        print(table.text)
        print("\(erasure.sessionsKept) sessions are kept as those of \(erasure.user)")
        print("take them out of the site file too: importing their id is refused")
        guard !files.isEmpty else { return }
        print(
            "\nwho they were is still in these files, and in copies made elsewhere (backup --to):")
        var list = TextTable(["made (UTC)", "file"])
        for file in files {
            let date = Date(timeIntervalSince1970: Double(file.at_ms) / 1000)
            list.add([date.formatted(.iso8601), file.file])
        }
        print(list.text)
    }
}

/// `beaconmesh retain`: deletes what is older than it may be.
struct RetainVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retain", abstract: "Deletes what is older than it may be, table by table.",
        discussion: "A coordinator does this by itself every night. Each table leaves a proof row.")

    @Flag(help: "Only show what would go.")
    var dryRun = false

    @OptionGroup var books: BooksOptions

    @OptionGroup var times: TimeOptions

    private struct Line: Encodable {
        var table: String
        var before_ms: Int64
        var deleted: Int
    }

    func run() async throws {
        let now = books.now
        let (proofs, clock) =
            dryRun
            ? try books.read {
                (try Retention.retainable(on: $0, at: now), try times.clock(of: $0, at: now))
            }
            : try books.with {
                (try $0.write(.retain).proofs, try times.clock(of: $0.store, at: now))
            }
        if books.json {
            return try books.print(
                json: proofs.map {
                    Line(table: $0.table, before_ms: $0.before.milliseconds, deleted: $0.deleted)
                })
        }
        var table = TextTable(["table", "from before", dryRun ? "would go" : "deleted"])
        for proof in proofs {
            table.add([proof.table, clock.text(proof.before), "\(proof.deleted)"])
        }
        print(table.text)
        print(clock.line)
    }
}
