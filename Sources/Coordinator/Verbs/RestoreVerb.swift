import ArgumentParser
import Daemon
import Foundation
import MeshCore
import Storage

/// `beaconmesh restore --database FILE --from BACKUP`: puts a backup in a database's place.
struct RestoreVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Puts a checked copy of a backup in a database's place.",
        discussion: """
            Stop the coordinator first. The replaced file is kept beside the new one. A new epoch
            begins: the nodes send again what the backup does not know, as far as their outboxes
            reach back.
            """)

    @Option(help: "The site's database.")
    var database: String

    @Option(help: "The backup: a copy of such a database. It is not changed.")
    var from: String

    func run() async throws {
        let result: Restoration
        do {
            let lock = try DatabaseLock(
                of: database, by: "beaconmesh restore", at: AnchoredClock().now)
            result = try Store.restore(database, from: from, under: lock)
        } catch {
            throw Exit(refusing: error)
        }
        let until = result.clock.map { clock in
            let date = Date(timeIntervalSince1970: Double(clock.milliseconds) / 1000)
            return "knows everything until \(date.formatted(.iso8601))"
        }
        print("\(database): revision \(result.revision); the backup \(until ?? "is unused")")
        if let replaced = result.replaced { print("the file it replaces is \(replaced)") }
        print(
            "epoch \(result.epoch) begins: start the coordinator, and the nodes send what is missing"
        )
    }
}
