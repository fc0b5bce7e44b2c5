import ArgumentParser
import Basics
import Foundation
import SiteStore
import Platform

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

        @Option(help: "The site's database.")
        var database: String

        @Option(
            help: """
                Another directory than `backups` beside the database, for example of another disk. \
                Nothing is deleted there.
                """)
        var to: String?

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let backup: Backup
            do {
                backup = try BackupFolder(of: database, at: to).make(
                    at: AnchoredClock().now, rotation: to == nil ? BackupRotation() : nil)
            } catch {
                let isTemporary = [.full, .busy].contains(error)
                throw Exit(
                    code: isTemporary ? Exit.unfinished : 1, text: "no backup was made: \(error)")
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

        @Option(help: "The site's database.")
        var database: String

        @Option(help: "The directory of the backups, if it is not `backups` beside the database.")
        var folder: String?

        @Flag(help: "Print JSON, one backup a line.")
        var json = false

        func run() async throws {
            let folder = BackupFolder(of: database, at: folder)
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
