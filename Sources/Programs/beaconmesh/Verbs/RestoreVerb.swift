import ArgumentParser
import Foundation
import SiteStore
import Platform

/// `beaconmesh restore --database FILE --newest`, or `--from BACKUP`: puts a backup in a database's place.
struct RestoreVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Puts a checked copy of a backup in a database's place.",
        discussion: """
            Stop the coordinator first. The replaced file is kept beside the new one. A new epoch \
            begins: the nodes send again what the backup does not know, as far as their outboxes \
            reach back. What people did since the backup (check-ins by hand, corrections, locks, \
            imports) is in the replaced file only, and people erased since are back: erase them again. \
            `beaconmesh backup list` shows what there is.
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
        let result: Restoration
        do {
            let lock = try DatabaseLock(
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
    }
}
