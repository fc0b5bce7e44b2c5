import ArgumentParser
import Basics
import Foundation
import Platform
import Records
import SiteClient
import SiteStore

/// `beaconmesh backup`: copies a database that may be in use, and proves the copy.
struct BackupVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies a site's database, also while it is used, and proves the copy.",
        discussion: """
            A running coordinator does this by itself every hour. A copy counts as a backup, and gets \
            its name, when it was opened, read through (integrity_check) and has as many rows in each \
            table as the database had. Kept are 24 hourly, 14 daily and 8 weekly ones.
            """,
        subcommands: [Make.self, List.self], defaultSubcommand: Make.self)

    /// A backup as JSON tells it.
    private struct Line: Encodable {
        var file: String
        var at_ms: Int64
        var bytes: Int64?
        var seconds: Double?
        var rows: Int64?
        /// The schema it was made to keep before a migration.
        var schema: Int?

        func print() throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
        }
    }

    /// `backup`, `backup make`
    struct Make: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Makes a backup now.")

        @OptionGroup var place: DatabaseOptions

        @Option(
            help: """
                Another directory than `backups` beside the database, for example of another disk. \
                Nothing is deleted there.
                """)
        var to: String?

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let database = try place.path()
            let folder = try to.map { BackupFolder(of: database, at: $0) } ?? place.backups()
            let backup: Backup
            do throws(StoreError) {
                try Store.refuseNoDatabase(database)
                backup = try folder.make(
                    at: AnchoredClock().now, rotation: to == nil ? BackupRotation() : nil)
            } catch {
                let code = error == .full ? Exit.unfinished : Exit(refusing: error).code
                throw Exit(code: code, text: "no backup was made: \(error)")
            }
            if json {
                return try Line(
                    file: backup.path, at_ms: backup.file.at.milliseconds, bytes: backup.bytes,
                    seconds: backup.seconds, rows: backup.rows
                ).print()
            }
            print("\(backup.path): \(backup.bytes) bytes, \(backup.rows) rows, proven")
        }
    }

    /// `backup list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the proven backups there are, oldest first.")

        @OptionGroup var place: DatabaseOptions

        @Option(
            help: "The directory of the backups, if it is not the configuration's, or beside it.")
        var folder: String?

        @Flag(help: "Print JSON, one backup a line.")
        var json = false

        func run() async throws {
            let database = try place.path()
            let folder =
                try folder.map { BackupFolder(of: database, at: $0) } ?? place.backups()
            let files = folder.files()
            if json {
                for file in files {
                    try Line(
                        file: folder.path(of: file), at_ms: file.at.milliseconds,
                        bytes: folder.bytes(of: file), schema: file.schema
                    ).print()
                }
                return
            }
            guard !files.isEmpty else {
                return print("no backup of \(database) in \(folder.path)")
            }
            var table = TextTable(["made (UTC)", "bytes", "file"])
            for file in files {
                let date = Date(timeIntervalSince1970: Double(file.at.milliseconds) / 1000)
                let bytes = folder.bytes(of: file).map { "\($0)" } ?? ""
                table.add([date.formatted(.iso8601), bytes, folder.path(of: file)])
            }
            print(table.text)
        }
    }
}

/// `beaconmesh restore --database FILE --newest`, or `--from BACKUP`: puts a backup in a database's place.
struct RestoreVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Puts a checked copy of a backup in a database's place.",
        discussion: """
            Stop the coordinator first. The replaced file is kept beside the new one. A new epoch \
            begins: the nodes send again what the backup does not know, as far as their outboxes \
            reach back. What people did since the backup (check-ins by hand, corrections, locks, \
            imports) is in the replaced file only. Who was erased since is erased again, by the list \
            `DATABASE.erased`. `beaconmesh backup list` shows what there is.
            """)

    @Option(help: "The site's database.")
    var database: String

    @Option(help: "The backup: a copy of such a database. It is checked and not changed.")
    var from: String?

    @Flag(help: "Take the newest proven backup.")
    var newest = false

    @Option(help: "Where to look for the newest, if not in `backups` beside the database.")
    var folder: String?

    func validate() throws {
        guard newest != (from != nil) else {
            throw ValidationError("either --from FILE or --newest")
        }
    }

    private func backup() throws -> String {
        if let from { return from }
        let folder = BackupFolder(of: database, at: folder)
        guard let newest = folder.newest else {
            throw Exit(code: 78, text: "there is no backup of \(database) in \(folder.path)")
        }
        return folder.path(of: newest)
    }

    func run() async throws {
        let backup = try backup()
        let lock: DatabaseLock
        let result: Restoration
        do {
            lock = try DatabaseLock(
                of: database, by: "beaconmesh restore", at: AnchoredClock().now)
            result = try Restoration.restore(database, from: backup, under: lock)
        } catch {
            throw Exit(refusing: error)
        }
        let until = result.clock.map { clock in
            let date = Date(timeIntervalSince1970: Double(clock.milliseconds) / 1000)
            return "knows everything until \(date.formatted(.iso8601))"
        }
        print(
            "\(database): from \(backup), revision \(result.revision); the backup \(until ?? "is unused")"
        )
        if let replaced = result.replaced { print("the file it replaces is \(replaced)") }
        print(
            "epoch \(result.epoch) begins: start the coordinator, and the nodes send what is missing"
        )
        try eraseAgain(under: lock)
    }

    /// Who was erased since the backup is in it.
    private func eraseAgain(under lock: DatabaseLock) throws {
        do {
            let store = try Store(existing: database, under: lock)
            defer { store.close() }
            let erasures = Erasures(store)
            let repetition = try erasures.eraseListed(at: AnchoredClock().now)
            try erasures.settle()
            if !repetition.runs.isEmpty {
                print("people erased since the backup, erased again: \(repetition.runs.count)")
            }
            for (slug, advice) in repetition.refused {
                print(
                    "\(slug) was erased since the backup: \(advice); the coordinator erases them then"
                )
            }
        } catch {
            throw Exit(
                code: Exit.unfinished,
                text: """
                    restored, but who was erased since the backup is still in it (\(error)): the \
                    coordinator erases them again when it starts
                    """)
        }
    }
}
