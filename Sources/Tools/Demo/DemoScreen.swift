import Basics
import Foundation
import Glibc
import SiteModel
import Wire

/// The live table of who is where, redrawn in place on a terminal, else printed now and then.
struct DemoScreen {
    private let site: DemoSite
    private let port: Int
    private let dashboard: Int
    private let database: String
    private let program: String
    private let isTerminal = isatty(1) == 1
    private var next = Timestamp(milliseconds: 0)
    private var lines = 0

    init(site: DemoSite, port: Int, dashboard: Int, database: String, program: String) {
        self.site = site
        self.port = port
        self.dashboard = dashboard
        self.database = database
        self.program = program
    }

    /// Whether the reader of standard output has gone: its terminal, or the other end of its pipe.
    var isGone: Bool {
        var output = pollfd(fd: 1, events: 0, revents: 0)
        return poll(&output, 1, 0) == 1 && Int32(output.revents) & (POLLERR | POLLHUP) != 0
    }

    /// Says that everything runs, and where. The commands can be pasted as they are, from anywhere.
    func ready() {
        let program = ShellWord.quoted(program)
        let database = ShellWord.quoted(database)
        print(
            """

            ready
              dashboard  http://127.0.0.1:\(dashboard)/
              who is in  \(program) who --database \(database)
              why there  \(program) why \(site.people.first?.slug ?? "USER") --database \(database)
              broker     mosquitto_sub -p \(port) -t 'mesh/v1/+/user/+/presence' -v
                         (everything, second by second: -t 'mesh/v1/#')
              nodes      \(site.document.nodes.count), stations \(site.layout.stations.count)
              Ctrl-C stops everything

            """)
        fflush(nil)
    }

    /// Draws the table when it is time.
    mutating func draw(_ presences: [String: PresencePayload], at now: Timestamp) {
        guard now >= next else { return }
        next = now + .seconds(isTerminal ? 1 : 60)
        var table = TextTable(["name", "state", "room", "station", "sure", "since"])
        for person in site.people {
            guard let presence = presences[person.slug] else { continue }
            let seconds = max(0, now.milliseconds - presence.sinceMs) / 1000
            table.add([
                person.name, presence.state.rawValue.replacing("_", with: " "),
                presence.room ?? "–", presence.station ?? "–",
                presence.room == nil ? "–" : "\(Int(presence.confidence * 100)) %",
                "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)",
            ])
        }
        let text = table.text
        if isTerminal {
            if lines > 0 { print("\u{1B}[\(lines)A\u{1B}[J", terminator: "") }
            lines = text.split(separator: "\n").count + 1
        }
        print(text + "\n")
        fflush(nil)
    }
}
