@testable import SiteService
import Foundation
import Registry
import Testing

@testable import CoordinatorService
@testable import SiteModel
@testable import SiteStore

/// Names, ids and times in the verbs that people type, without a broker.
@Suite(.ownThread) final class ProcessNamesTests {
    private let folder: String
    private var database: String { folder + "/gym.sqlite" }

    /// A site in Berlin; Emre has been in since 2026-03-29T00:59:59Z.
    init() throws {
        folder = NSTemporaryDirectory() + "names-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let document = try SiteFile(
            text: """
                site: {id: gym, time_zone: Europe/Berlin}
                rooms: [{id: hall, name: The Hall}]
                stations: []
                nodes: [{id: n-1, room: hall}]
                users: [{id: u-emre, name: Emre K.}, {id: u-paul, name: Paul R.}]
                beacons: []
                """, named: "site.yaml"
        ).document
        let store = try Store(path: database)
        defer { store.close() }
        try SiteImport(store).importDocument(
            document, at: Timestamp(milliseconds: 1_770_000_000_000))
        try store.commit([
            .session(
                Session(
                    id: 1, user: UserID(1), from: Timestamp(second: 1_774_745_999), to: nil))
        ])
    }

    deinit { _ = Result { try FileManager.default.removeItem(atPath: folder) } }

    private func run(
        _ arguments: [String], zone: String = "Asia/Tokyo"
    ) throws -> (status: Int32, output: String, errors: String) {
        let program = try RunningProgram(
            "beaconmesh", arguments + ["--database", database], in: folder,
            environment: ["TZ": zone])
        let deadline = Date().addingTimeInterval(60)
        while program.isRunning, Date() < deadline { usleep(10_000) }
        return (program.status ?? -1, program.output, program.errors)
    }

    private static let verbs: [[String]] = [
        ["why"], ["attendance", "list", "--user"], ["attendance", "report", "present", "--user"],
        ["audit", "list", "--user"], ["export"], ["erase", "--yes"], ["feed", "add", "--user"],
        ["leave", "add", "--from", "2026-03-30"], ["leave", "remove", "--date", "2026-03-30"],
        ["shift", "assign", "early", "--from", "2026-03-30", "--users"],
        [
            "attendance", "correct", "--from", "2026-03-27 08:00", "--to", "2026-03-27 09:00",
            "--reason", "x", "--add",
        ],
    ]

    @Test func `whom nobody knows ends each verb with 3, and the one who is meant is offered`()
        throws
    {
        let added = try run(["shift", "add", "early", "--start", "06:00", "--end", "14:00"])
        #expect(added.status == 0, "\(added.errors)")
        for verb in Self.verbs {
            let nobody = try run(verb + ["u-nobody"])
            #expect(nobody.status == 3, "\(verb): \(nobody)")
            #expect(
                nobody.errors.contains("not_found: there is no user “u-nobody”"), "\(nobody)")
            let near = try run(verb + ["Emre"])
            #expect(near.status == 3, "\(verb): \(near)")
            #expect(near.errors.contains("did you mean Emre K. (u-emre)?"), "\(near)")
        }
    }

    @Test func `a name does wherever an id does`() throws {
        // Erasing comes last; before, each verb is asked about Emre by name.
        _ = try run(["shift", "add", "early", "--start", "06:00", "--end", "14:00"])
        let leave = try #require(Self.verbs.firstIndex { $0.starts(with: ["leave", "remove"]) })
        let erase = try #require(Self.verbs.firstIndex { $0.starts(with: ["erase"]) })
        for (index, verb) in Self.verbs.enumerated() where index != erase {
            let known = try run(verb + ["emre k."])
            #expect(known.status == 0, "\(verb): \(known)")
            if index == leave { #expect(known.output == "Done.\n") }
        }
        let assigned = try run(["shift", "list"])
        #expect(assigned.output.contains("u-emre  Emre K."), "\(assigned)")
        let correction = try run(["attendance", "corrections"])
        #expect(correction.output.contains("Emre K.  u-emre  none → 2026-03-27 08:00:00"))
        let exported = try run(["audit", "list", "--user", "Emre K."])
        #expect(exported.output.contains("export user u-emre"), "\(exported)")
        #expect(try run(["erase", "Paul R.", "--yes"]).status == 0)
        #expect(try run(["export", "Paul R."]).status == 3)
    }

    /// Verbs of rows, with the kind of what is put in the place of “?”.
    private static let rows: [(verb: [String], kind: String)] = [
        (["room", "show", "?"], "room"), (["room", "change", "?", "name=x"], "room"),
        (["room", "retire", "?"], "room"), (["station", "show", "?"], "station"),
        (["station", "change", "?", "slots=2"], "station"),
        (["station", "change", "row", "room=?"], "room"), (["node", "show", "?"], "node"),
        (["node", "change", "?", "name=x"], "node"), (["node", "identify", "?"], "node"),
        (["node", "change", "n-1", "station=?"], "station"), (["enrol", "node", "?"], "node"),
        (["user", "show", "?"], "user"), (["beacon", "history", "?"], "beacon"),
        (["beacon", "bind", "?", "Emre K."], "beacon"), (["beacon", "bind", "b-1", "?"], "user"),
        (["beacon", "unbind", "?"], "beacon"),
        (["beacon", "add", "b-2", "identity=mac-0123456789ac", "user=?"], "user"),
        (["account", "invite", "x", "--role", "trainer", "--user", "?"], "user"),
    ]

    @Test func `rows are meant by their names, with one wording and one code`() throws {
        for words in [
            ["station", "add", "row", "name=Rower One", "room=the hall"],
            ["beacon", "add", "b-1", "title=Green tag", "identity=mac-0123456789ab"],
            ["node", "change", "n-1", "name=Node One"],
        ] {
            let made = try run(words)
            #expect(made.status == 0, "\(words): \(made.errors)")
        }
        for row in Self.rows {
            let nobody = try run(row.verb.map { $0.replacing("?", with: "Methuselah") })
            #expect(nobody.status == 3, "\(row.verb): \(nobody)")
            #expect(
                nobody.errors.hasPrefix("not_found: there is no \(row.kind) “Methuselah”"),
                "\(row.verb): \(nobody)")
        }
        #expect(try run(["station", "show", "ROWER ONE"]).output.contains("room: hall\n"))
        for words in [
            ["station", "change", "rower one", "slots=3"],
            ["beacon", "bind", "green TAG", "paul r."],
            ["beacon", "history", "Green tag"], ["beacon", "unbind", "Green tag"],
            ["enrol", "node", "Node One"], ["node", "show", "Node One"],
            ["account", "invite", "emre", "--role", "trainer", "--user", "Emre K."],
        ] {
            let done = try run(words)
            #expect(done.status == 0, "\(words): \(done.errors)")
        }
        // There is one, but nobody who could tell it.
        #expect(try run(["node", "identify", "Node One"]).status == 69)
        #expect(try run(["broker", "list"]).output.contains("n-1 "))
        #expect(try run(["account", "list"]).output.contains("u-emre"))
        #expect(try run(["user", "retire", "Paul R."]).output == "Done.\n")
    }

    @Test func `times are the site's whatever the machine's are, and the zone is named once`()
        throws
    {
        let who = try run(["who"])
        #expect(who.output.contains("Emre K.  u-emre  01:59:59 on 2026-03-29"), "\(who)")
        #expect(who.output.hasSuffix("1 in. Times: Europe/Berlin\n"), "\(who)")
        let universal = try run(["who", "--utc"])
        #expect(universal.output.contains("00:59:59 on 2026-03-29"), "\(universal)")
        #expect(universal.output.hasSuffix("1 in. Times: UTC\n"), "\(universal)")
        let json = try run(["who", "--json"])
        #expect(json.output.contains("\"check_in_ms\":1774745999000"), "\(json)")

        let list = ["attendance", "list", "--from", "2026-03-29"]
        let day = try run(list)
        #expect(day.output.contains("2026-03-29 01:59:59"), "\(day)")
        #expect(day.output.contains("gym. Times: Europe/Berlin. Lengths: hours:minutes"), "\(day)")
        #expect(try run(list + ["--utc"]).output.contains("2026-03-29 00:59:59"))
        let csv = try run(list + ["--format", "csv", "--separator", "semicolon"])
        #expect(csv.output.contains(";1774745999000;2026-03-29 01:59:59+01:00;"), "\(csv)")
        #expect(try run(list + ["--format", "csv", "--separator", "pipe"]).status == 64)

        for verb in [["audit", "list"], ["retain", "--dry-run"], ["attendance", "corrections"]] {
            for (flags, zone) in [([], "Europe/Berlin"), (["--utc"], "UTC")] {
                let shown = try run(verb + flags)
                #expect(shown.status == 0, "\(verb): \(shown.errors)")
                let named = shown.output.split(separator: "\n").filter {
                    $0.contains("Times: ")
                }
                #expect(named == ["Times: \(zone)"], "\(verb): \(shown.output)")
            }
        }
    }

    @Test(arguments: [
        (["whoo"], "Unknown verb 'whoo' of beaconmesh. Did you mean 'who'?"),
        (["help", "whoo"], "Unknown verb 'whoo' of beaconmesh. Did you mean 'who'?"),
        (["status"], "Unknown verb 'status' of beaconmesh. See beaconmesh help."),
        (
            ["attendance", "lst"],
            "Unknown verb 'lst' of beaconmesh attendance. Did you mean 'list'?"
        ),
        (
            ["node", "restert", "n-1"],
            "Unknown verb 'restert' of beaconmesh node. Did you mean 'restart'?"
        ),
        (
            ["help", "backup", "lst"],
            "Unknown verb 'lst' of beaconmesh backup. Did you mean 'list'?"
        ),
    ])
    func `a verb that is none is refused, with the one that is meant`(
        words: [String], text: String
    ) throws {
        let program = try RunningProgram("beaconmesh", words, in: folder)
        let deadline = Date().addingTimeInterval(60)
        while program.isRunning, Date() < deadline { usleep(10_000) }
        #expect(program.status == 64)
        #expect(program.errors == text + "\n")
    }

    @Test(arguments: [
        ["help"], ["help", "who"], ["help", "attendance", "list"], ["who", "--help"],
    ])
    func `help is help`(words: [String]) throws {
        let program = try RunningProgram("beaconmesh", words, in: folder)
        let deadline = Date().addingTimeInterval(60)
        while program.isRunning, Date() < deadline { usleep(10_000) }
        #expect(program.status == 0)
        #expect(program.output.contains("USAGE: "))
    }

    @Test func `without a database or a configuration it is said what to give`() throws {
        let program = try RunningProgram("beaconmesh", ["who"], in: folder)
        let deadline = Date().addingTimeInterval(60)
        while program.isRunning, Date() < deadline { usleep(10_000) }
        #expect(program.status == 64)
        #expect(program.errors.contains("give --database FILE, or --config"), "\(program.errors)")
    }
}
