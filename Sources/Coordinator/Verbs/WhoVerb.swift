import ArgumentParser
import Foundation
import Storage

/// `beaconmesh who`: who is in, and where, from the database.
struct WhoVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "who", abstract: "Shows who is in and where, from the site's database.")

    @Option(help: "The site's database.")
    var database: String

    @Flag(help: "Print JSON.")
    var json = false

    private struct Line: Codable {
        var user: String
        var name: String
        var check_in_ms: Int64
        var room: String?
        var station: String?
        var since_ms: Int64
    }

    func run() async throws {
        let rows: [WhoRow]
        do {
            let store = try Store(existing: database)
            defer { store.close() }
            rows = try store.who()
        } catch {
            throw Exit(code: 1, text: "\(error)")
        }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            let lines = rows.map {
                Line(
                    user: $0.user, name: $0.name, check_in_ms: $0.from.milliseconds, room: $0.room,
                    station: $0.station, since_ms: $0.since.milliseconds)
            }
            print(String(decoding: try encoder.encode(lines), as: UTF8.self))
            return
        }
        let clock = LocalTime()
        var table = TextTable(["name", "in since", "room", "station", "there since"])
        for row in rows {
            table.add([
                row.name, clock.text(row.from), row.room ?? "–", row.station ?? "–",
                clock.text(row.since),
            ])
        }
        print(table.text)
        print("\(rows.count) in")
    }
}
