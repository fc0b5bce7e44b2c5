import ArgumentParser
import Basics
import Foundation
import Platform
import SiteStore

/// `beaconmesh who`: who is in, and where, from the database.
struct WhoVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "who", abstract: "Shows who is in and where, from the site's database.",
        discussion: """
            beaconmesh who --database iron-works.sqlite
            beaconmesh who --json        # on the coordinator's machine
            """)

    @OptionGroup var place: DatabaseOptions

    @OptionGroup var times: TimeOptions

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
        let now = AnchoredClock().now
        let (rows, clock) = try place.read { store in
            (try WhoRow.all(in: store), try times.clock(of: store, at: now))
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
        var table = TextTable(["name", "id", "in since", "room", "station", "there since"])
        for row in rows {
            table.add([
                row.name, row.user, clock.text(row.from, from: now), row.room ?? "–",
                row.station ?? "–", clock.text(row.since, from: now),
            ])
        }
        print(table.text)
        print("\(rows.count) in. \(clock.line)")
    }
}
