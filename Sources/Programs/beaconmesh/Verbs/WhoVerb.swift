import Reporting
import ArgumentParser
import Basics
import Foundation
import Platform
import SiteClient
import SiteModel
import SiteStore
import SiteService
import Wire

/// `beaconmesh who`: who is in, from the database, and where the running coordinator has them.
struct WhoVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "who", abstract: "Shows who is in and where.",
        discussion: """
            Who is in comes from the site's database. State and place are those that the running \
            coordinator publishes; where none answers there is no state, and the places are those \
            stored last.

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
        /// As in `user/{u}/presence`; `nil` if the place is the one stored last.
        var state: String?
        var room: String?
        var station: String?
        var since_ms: Int64

        init(_ row: WhoRow, _ live: PresencePayload?) {
            (user, name, check_in_ms) = (row.user, row.name, row.from.milliseconds)
            if let live {
                (state, room, station) = (live.state.rawValue, live.room, live.station)
                since_ms = live.sinceMs
            } else {
                (room, station) = (row.room, row.station)
                since_ms = row.since.milliseconds
            }
        }
    }

    func run() async throws {
        let now = AnchoredClock().now
        let (rows, clock) = try place.read { store in
            (try WhoRow.all(in: store), try times.clock(of: store, at: now))
        }
        var live: [String: PresencePayload] = [:]
        var obstacle: String?
        do {
            live = try LivePresence.all(of: try place.path())
        } catch let exit as Exit {
            obstacle = exit.text
        }
        let lines = rows.map { Line($0, live[$0.user]) }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            print(String(decoding: try encoder.encode(lines), as: UTF8.self))
            return
        }
        var table = TextTable(["name", "id", "in since", "state", "room", "station", "there since"])
        for line in lines {
            table.add([
                line.name, line.user, text(line.check_in_ms, clock, now), line.state ?? "–",
                line.room ?? "–", line.station ?? "–", text(line.since_ms, clock, now),
            ])
        }
        print(table.text)
        if let obstacle, !lines.isEmpty { print("Places as stored last: \(obstacle).") }
        print("\(lines.count) in. \(clock.line)")
    }

    private func text(_ milliseconds: Int64, _ clock: ZonedClock, _ now: Timestamp) -> String {
        clock.text(Timestamp(milliseconds: milliseconds), from: now)
    }
}
