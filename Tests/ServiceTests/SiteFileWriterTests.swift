import Foundation
import Testing

@testable import Platform
@testable import Registry
@testable import SiteService
@testable import SiteModel

/// A site is written as the file that makes it.
struct SiteFileWriterTests {
    /// Names that other programs stumble over.
    static let hostile = [
        "Plain", "with \"quotes\" and 'more'", "- not: a list", "# no comment", "é ü 漢字 👩‍🚀",
        "a\u{2028}b\u{FEFF}c", "null", "true", "1e3", "{a: b}", "=1+1", " space ",
        "\\u0041 \\n", "<script>", "%20&", "\u{200F}abc",
    ]

    /// A site with every member there is.
    static let site = """
        site: {id: gym, name: The gym, time_zone: Europe/Berlin, demo: true, day_start: "04:00"}
        rooms:
          - {id: hall, name: Hall, area_m: [0, 0, 10.5, 6], storey: 0}
          - {id: nook, name: Nook, area_m: [0, 0, 6, 0, 6, 4, 3, 4, 3, 6.5, 0, 6.5], storey: -1}
          - {id: bar}
        exercises:
          - {id: row, name: Rowing, names: {de: Rudern, pt-br: Remo}, measure: distance, load: none,
             increment_kg: 2.3, rest_s: 60, muscles: [cardio, back], met: 7.0, note: "500 m"}
          - {id: plank}
        stations:
          - {id: rower, name: Rower, room: hall, slots: 3, x_m: 1.25, y_m: -2, kind: cardio,
             equipment: Two ergometers, location: At the window, exercises: [row, plank],
             auto_start_s: 20, auto_pause_s: null, claim_grace_s: 60}
          - {id: bench, room: hall}
        users:
          - {id: u-a, name: Ada, consent: "2026-1"}
          - {id: u-b}
        nodes:
          - {id: n-1, station: rower, x_m: 1, y_m: 2}
          - {id: n-2, room: bar, profile: ranging, sparse_hours: "22:00-06:00"}
          - {id: n-3, role: mobile, user: u-a}
        beacons:
          - {id: b-a, title: Tag, user: u-a, until: 2026-12-31, threshold_dbm: -61.5,
             identity: {uuid: 7b44b47b-52a1-5381-90c2-f09b6838c5d4, major: 1, minor: 1}}
          - {id: b-r, user: u-b,
             identity: {uuid: 7b44b47b-52a1-5381-90c2-f09b6838c5d4, major: 2, rolling: true}}
          - {id: b-m, identity: {uuid: 7b44b47b-52a1-5381-90c2-f09b6838c5d4, major: 256, major_mask: 65280}}
          - {id: b-u, identity: {namespace: 00112233445566778899, instance: aabbccddeeff}}
          - {id: b-n, identity: {name: "Tile*"}, room: hall}
          - {id: b-k, identity: {irk: mary-watch}}
          - {id: b-w, identity: {address: "00:11:22:33:44:55"}, station: bench}
        groups:
          - {id: machines, name: Machines, rule: 7b44b47b-52a1-5381-90c2-f09b6838c5d4 256&65280,
             notify: [enter, leave], allow: true}
          - {id: tiles, name: Tiles, rule: "name:Tile*"}
        cards:
          - {id: rower-en, title: Rowing, subtitle: By the window, text: "Feet first.\nThen pull.",
             picture: rower.png, link: "https://example.org/rowing?a=1", language: en, station: rower}
          - {id: a, title: Her tag, beacon: b-a}
          - {id: seven, group: machines, minor: 7}
        device-types:
          - {id: camera, name: Camera, description: "Look where\nit hangs.", icon: camera,
             colour: "#b34700", notify: [seen]}
          - {id: lock}
        device-rules:
          - {id: cam, name: A camera, type: camera, confidence: 0.8, company: "0x004c",
             company_data: "0215", name_prefix: Cam, name_contains: am, service: "180d",
             vendor: "c0ffee", appearance: 12}
          - {id: bolt, type: lock, name_prefix: Lock}
        presence: {site: {enter_s: 5, lost_s: 20, leave_s: 60.5}}
        station_floor_dbm: -70
        publish_unregistered: true
        profile: sparse
        sparse_hours: "12:30-13:00"
        burst: true
        detect: true
        max_range_m: {ranging: 12, sparse: 50}
        allow: [{identity: {uuid: 7b44b47b-52a1-5381-90c2-f09b6838c5d4}}]
        locating: {method: spot, quickness: quick, shadow: nearest}
        attendance: {merge_gap_s: 300, longest_session_s: 7200}
        doubts: {two_places: false, inactive_after_s: 120}
        privacy: {requires_consent: true, attendance_days: 4000}

        """

    @Test func `what is written reads as it was, and is written so again`() throws {
        let document = try SiteFile(text: Self.site, named: "site").document
        let text = SiteFileWriter(document).tree.file
        let again = try SiteFile(text: text, named: "written").document
        #expect(again == document)
        #expect(SiteFileWriter(again).tree.file == text)
        // The end of the day in Berlin.
        #expect(text.contains(#""until": "2026-12-31T23:00:00Z""#))
        for key in ["allow", "doubts", "max_range_m", "attendance_days", "threshold_dbm", "shadow"]
        {
            #expect(text.contains(key), "\(key)")
        }
    }

    @Test(arguments: hostile)
    func `a hostile name survives it`(name: String) throws {
        var document = try SiteFile(text: Self.site, named: "site").document
        document.name = name
        document.rooms[0].name = name
        document.users[0].name = name
        document.beacons[0].title = name
        let text = SiteFileWriter(document).tree.file
        let again = try SiteFile(text: text, named: "written").document
        #expect(Array(again.users[0].name.utf8) == Array(name.utf8))
        #expect(again == document)
    }

    @Test func `the members of rows are those that are written`() throws {
        let tree = SiteFileWriter(try SiteFile(text: Self.site, named: "site").document).tree
        for kind in SiteCollection.all {
            var written: Set<String> = []
            for case .section(let members) in tree[kind.name]?.items ?? [] {
                written.formUnion(members.map(\.key))
            }
            #expect(written == Set(kind.members.map(\.name)), "\(kind)")
        }
    }

    @Test func `what is stored is read as the file writes it`() throws {
        let site = try EditedSite()
        let written = SiteFileWriter(try SiteFile(text: Self.site, named: "site").document).tree
        #expect(try SiteRows(site.store).file()?.tree == written)
        for kind in SiteCollection.all {
            let rows = try #require(written[kind.name]?.items)
            #expect(try SiteRows(site.store).all(kind) == rows)
            for row in rows {
                #expect(try site.row(kind, row["id"]?.string ?? "") == row)
            }
        }
    }

    @Test func `rows are changed one by one, by the rules of the file`() throws {
        let site = try EditedSite()
        let document = try site.document()
        try site.change(.stations, "rower", [("name", "Rower 1"), ("x_m", nil), ("y_m", nil)])
        try site.add(.users, "u-c", [("name", "Cleo")])
        try site.change(.beacons, "b-a", [("user", "u-c")])
        let changed = try site.document()
        #expect(changed.stations[0].name == "Rower 1" && changed.stations[0].x == nil)
        #expect(changed.users.map(\.slug) == ["u-a", "u-b", "u-c"])
        #expect(changed.beacons[0].user == "u-c")
        try site.edit(.swap("b-a", "b-r"))
        let swapped = try site.document()
        #expect(swapped.beacons[0].identity == document.beacons[1].identity)
        #expect(swapped.beacons[1].identity == document.beacons[0].identity)
        #expect(swapped.beacons[0].user == "u-c")
        #expect(try SiteFile(SiteFileWriter(swapped).tree).document == swapped)
    }

    @Test func `a row is meant by its id or its name, and so is what it names`() throws {
        let site = try EditedSite()
        let rows = SiteRows(site.store)
        for kind in SiteCollection.all {
            let row = try #require(try rows.all(kind).first)
            let (id, name) = (row["id"]?.string ?? "", row[kind.label]?.string ?? "")
            #expect(try rows.find(kind, id) == id)
            #expect(try rows.find(kind, name.uppercased()) == id, "\(name)")
            for (text, code) in [("no such thing", 3), ("", 3)] {
                let exit = #expect(throws: Exit.self) { try rows.find(kind, text) }
                #expect(exit?.code == Int32(code))
                #expect(exit?.text.hasPrefix("not_found: there is no \(kind.one)") == true)
            }
        }
        try site.add(.users, "u-c", [("name", "Cleo C.")])
        #expect(try site.change(.beacons, "b-a", [("user", "cleo c.")]) == "b-a")
        #expect(try site.document().beacons[0].user == "u-c")
        for key in ["user", "room", "station"] {
            let exit = #expect(throws: Exit.self) {
                try site.change(.beacons, "b-a", [(key, "nowhere")])
            }
            #expect(exit?.code == 3, "\(key)")
        }
    }

    @Test func `what cannot be is refused, says where, and changes nothing`() throws {
        let site = try EditedSite()
        let document = try site.document()
        #expect(site.refusal { try $0.add(.rooms, "hall", []) }?.code == .alreadyExists)
        #expect(site.refusal { try $0.edit(.retire(.rooms, "loft")) }?.code == .notFound)
        #expect(
            site.refusal { try $0.edit(.retire(.beacons, "b-w"), ifMatch: "\"x\"") }?.code
                == .preconditionFailed)
        let refused: [(SiteCollection, String, [(key: String, value: String?)], String)] = [
            (.stations, "rower", [("slots", "0")], "slots: "),
            (.stations, "rower", [("colour", "red")], "colour"),
            (.beacons, "b-a", [("until", "tomorrow")], "until: "),
            (.beacons, "b-a", [("until", "2026-12-31T18:00:00.5Z")], "until: "),
            (.beacons, "b-a", [("user", nil)], "until: "),
            (.users, "u-b", [("name", String(repeating: "x", count: 121))], "name: "),
            (.beacons, "b-w", [("identity", document.beacons[0].identity.text)], "b-a"),
        ]
        for (kind, slug, members, word) in refused {
            let refusal = site.refusal { try $0.change(kind, slug, members) }
            #expect(refusal?.code == .schema, "\(kind.name) \(members) is let in")
            #expect(refusal?.text.contains(word) == true, "\(refusal?.text ?? "")")
        }
        let room = site.refusal { try $0.edit(.retire(.rooms, "hall")) }
        #expect(room?.code == .schema && room?.text.contains("it is the room of") == true)
        #expect(try site.document() == document)
    }

    @Test(arguments: [SiteTree.scalar("5"), .scalar("-7"), .scalar("true"), .list([.text("hall")])])
    func `an id is a string, and so is what names one`(value: SiteTree) throws {
        let site = try EditedSite()
        let cases: [(kind: SiteCollection, key: String, row: SiteTree)] = [
            (.rooms, "id", .section([("id", value)])),
            (.users, "id", .section([("id", value)])),
            (.stations, "id", .section([("id", value), ("room", .text("hall"))])),
            (.nodes, "id", .section([("id", value), ("room", .text("hall"))])),
            (
                .beacons, "id",
                .section([("id", value), ("identity", .text("mac-665544332211"))])
            ),
            (.stations, "room", .section([("id", .text("new")), ("room", value)])),
            (.nodes, "room", .section([("id", .text("new")), ("room", value)])),
            (
                .beacons, "user",
                .section([
                    ("id", .text("new")), ("identity", .text("mac-665544332211")), ("user", value),
                ])
            ),
        ]
        for (kind, key, row) in cases {
            let refusal = site.refusal { try $0.edit(.add(kind, row)) }
            #expect(refusal?.code == .schema)
            let member = try #require(kind.members.first { $0.name == key })
            #expect(
                refusal?.text.hasPrefix("\(key): expected \(member.kind.expectation), got") == true,
                "\(refusal?.text ?? "")")
        }
    }

    @Test func `a person may write an id that looks like a number`() throws {
        let site = try EditedSite("site: {id: 1}\nrooms: [{id: 5}]\nusers: [{id: 7}]\n")
        let document = try site.document()
        #expect(document.rooms[0].slug == "5" && document.users[0].slug == "7")
        try site.edit(.patch(.rooms, "5", .section([("name", .text("Five"))])))
        #expect(try site.document().rooms[0].name == "Five")
    }

    @Test func `a tag is another one when anything changes`() throws {
        let site = try EditedSite()
        let before = RowEdit.tag(try #require(try site.row(.rooms, "hall")))
        try site.edit(
            .patch(.rooms, "hall", .section([("name", .text("Lobby"))])), ifMatch: before)
        let after = RowEdit.tag(try #require(try site.row(.rooms, "hall")))
        #expect(before != after)
        let refusal = site.refusal {
            try $0.edit(
                .patch(.rooms, "hall", .section([("name", .text("Foyer"))])), ifMatch: before)
        }
        #expect(refusal?.code == .preconditionFailed)
    }
}
