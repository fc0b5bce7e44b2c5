import Foundation
import TestSupport
import Testing

@testable import Records
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore
@testable import Registry

/// Importing a document by slug: a readable difference, one revision, rows for ever.
struct ImportTests {
    private let scratch: Scratch
    private let store: Store
    private var gym = SiteDocument.gym

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    private func texts(_ changes: [Change]) -> [String] { changes.map(\.description) }

    @Test func `a site that was made from an older revision replaces nothing`() throws {
        let store = try scratch.store()
        defer { store.close() }
        let site = SiteImport(store)
        let document = try #require(try site.document())
        let revision: Int64 = 1
        var first = document
        first.name = "First"
        var second = document
        second.name = "Second"
        let after = start + .seconds(60)
        #expect(
            try site.importDocument(first, at: after, by: "a", instead: revision).revision
                == revision + 1)
        let late = try site.importDocument(second, at: after, by: "b", instead: revision)
        #expect(late.revision == -1 && late.changes.isEmpty)
        #expect(try site.document()?.name == "First")
    }

    @Test func `the first import adds everything`() throws {
        let other = try Scratch()
        let store = try Store(path: other.path)
        let changes = try SiteImport(store).plan(importing: .gym, at: start)
        #expect(try store.load() == nil)
        #expect(changes.allSatisfy { $0.kind == .added })
        #expect(
            Array(texts(changes).prefix(4)) == [
                "site gym added: name “The Gym”, time zone “Europe/Berlin”, demo no",
                "room hall added: name “Hall”", "room yard added: name “Yard”",
                "station rack added: name “Rack”, room hall, slots 2, x_m 1.5, y_m 2",
            ])
        let result = try SiteImport(store).importDocument(.gym, at: start)
        #expect(result.revision == 1)
        #expect(result.changes == changes)
        #expect(try store.texts("SELECT changes FROM revision").first?.contains("b-3") == true)
    }

    @Test func `what is imported is loaded`() throws {
        let (plan, names, saved) = try #require(try store.load())
        #expect(saved == Saved())
        #expect(plan.revision == 1)
        #expect(plan.rooms == [Room(id: hall), Room(id: yard)])
        #expect(plan.stations.map(\.slots) == [2, 1, 1])
        #expect(
            plan.nodes == [
                Node(id: NodeID(1), room: hall, station: nil),
                Node(
                    id: NodeID(2), room: hall, station: rack, position: Position(x: 0, y: 0.25)),
            ])
        #expect(plan.beacons.map(\.identity) == gym.beacons.map(\.identity))
        #expect(
            plan.bindings
                == (1...3).map {
                    Binding(beacon: BeaconID($0), user: UserID($0), from: start, to: nil)
                })
        #expect(plan.policy == Policy())
        #expect(names.site == "gym")
        #expect(names.users.id("u-bob") == bob)
        #expect(names.beacons.entry(BeaconID(3))?.name == "Watch")
    }

    @Test func `importing the same again is no revision`() throws {
        let again = try SiteImport(store).importDocument(gym, at: at(60))
        #expect(again.revision == 1)
        #expect(again.changes == [])
        #expect(try store.texts("SELECT count(*) FROM revision") == ["1"])
    }

    @Test mutating func `changes are told by slug and field`() throws {
        gym.name = "Gym 2"
        gym.policy.stationFloor = RSSI(dBm: -70)
        gym.policy.room.leave = .seconds(20)
        gym.rooms.append(.init(slug: "sauna", name: "Sauna"))
        gym.stations[0].slots = 3
        (gym.stations[0].x, gym.stations[0].y) = (nil, nil)
        gym.nodes[0].station = "bench"
        gym.users[0].name = "Anne"
        gym.users.removeLast()
        gym.beacons[2].user = nil
        let expected = [
            "site gym changed: name “The Gym” → “Gym 2”",
            "policy gym changed: room leave 30.0 s → 20.0 s, station floor -75.0 dBm → -70.0 dBm",
            "room sauna added: name “Sauna”",
            "station rack changed: slots 2 → 3, x_m 1.5 → none, y_m 2 → none",
            "node n-hall changed: station none → bench",
            "user u-ann changed: name “Ann” → “Anne”", "user u-cid retired",
            "beacon b-3 changed: user u-cid → none",
        ]
        #expect(texts(try SiteImport(store).plan(importing: gym, at: at(60))) == expected)
        #expect(try store.revision() == 1)
        let result = try SiteImport(store).importDocument(gym, at: at(60))
        #expect(texts(result.changes) == expected)
        #expect(result.revision == 2)
        #expect(try store.revision() == 2)
        #expect(try store.load()?.plan.policy == gym.policy)
        #expect(try SiteImport(store).plan(importing: gym, at: at(61)) == [])
    }

    @Test mutating func `each changed row has its line in the audit, a file one for all`() throws {
        gym.users[0].name = "Anne"
        gym.rooms.append(.init(slug: "sauna", name: "Sauna"))
        gym.users.removeLast()
        gym.beacons[2].user = nil
        try SiteImport(store).importDocument(
            gym, at: at(60), by: "account:ada", via: .rest, instead: 1)
        gym.rooms[0].name = "Main hall"
        try SiteImport(store).importDocument(gym, at: at(61), by: "root")
        let sauna = try #require(try store.load()?.names.rooms.id("sauna")).row
        #expect(
            try AuditTrail(store).entries(most: 100).map {
                "\($0.actor ?? "") \($0.action) \($0.entity) \($0.entityID) \($0.after ?? "")"
            }.suffix(5) == [
                #"account:ada add room \#(sauna) {"id": "sauna", "revision": 2}"#,
                #"account:ada change user 1 {"id": "u-ann", "revision": 2}"#,
                #"account:ada retire user 3 {"id": "u-cid", "revision": 2}"#,
                #"account:ada change beacon 3 {"id": "b-3", "revision": 2}"#,
                #"root import revision 3 {"changes":1}"#,
            ])
        gym.rooms += (1...17).map { .init(slug: "r-\($0)", name: "Room \($0)") }
        try SiteImport(store).importDocument(gym, at: at(62), by: "root", instead: 3)
        let last = try #require(try AuditTrail(store).entries(most: 100).last)
        #expect(last.action == "change" && last.after == #"{"changes":17}"#)
    }

    /// A collection that is declared needs nothing else to be checked, stored and read.
    @Test(arguments: SiteCollection.all.filter(\.isContent))
    func `each member that content declares is stored and read back`(
        _ collection: SiteCollection
    ) throws {
        let row = SiteTree.section(
            try collection.members.compactMap { member in
                let example: String
                switch (member.kind, member.name) {
                case (.reference("device-types"), _):
                    let type = try SiteTree(json: #"{"id":"x","name":"X"}"#)
                    try RowEditor(store).perform(
                        .add(.deviceTypes, type), by: Asker(name: "ada", via: .cli, at: at(30)))
                    example = #""x""#
                // They name rows of others, of which there are none.
                case (.reference, _): return nil
                case (.map, _): example = #"{"de":"x"}"#
                case (_, "rule"): example = #""eu-00112233445566778899""#
                case (_, "link"): example = #""https://example.org/""#
                case (_, "language"): example = #""de""#
                case (_, "colour"): example = ##""#b34700""##
                case (_, "company"): example = #""0x004c""#
                case (_, "company_data"): example = #""0215""#
                case (_, "service"): example = #""180d""#
                case (_, "vendor"): example = #""c0ffee""#
                default: example = member.kind.example
                }
                return (member.name, try SiteTree(json: example))
            })
        try RowEditor(store).perform(
            .add(collection, row), by: Asker(name: "ada", via: .cli, at: at(60)))
        #expect(try store.read { try RowTable(collection).rows($0) } == [row])
    }

    @Test(arguments: [#"{"a":"x","a":"y"}"#, "5", #"["de"]"#])
    mutating func `damaged content is damage, and says where`(names: String) throws {
        let row = SiteTree.section([
            ("id", .text("row")), ("name", .text("Row")), ("measure", .text("reps")),
            ("load", .text("none")), ("increment_kg", .number(1)), ("rest_s", .scalar("90")),
        ])
        gym.content["exercises"] = [row]
        try SiteImport(store).importDocument(gym, at: at(60))
        try scratch.execute("UPDATE exercise SET names = '\(names)'")
        #expect(
            throws: StoreError.corrupt(path: scratch.path, detail: "bad exercise.names in row 1")
        ) { try SiteImport(store).document() }
    }

    /// A key of the policy that is not compared could never be changed by an import.
    @Test func `every key of the policy is compared`() {
        let keys = Mirror(reflecting: Policy()).children.reduce(0) { count, child in
            count
                + (child.value is Policy.Timing
                    ? Mirror(reflecting: child.value).children.count : 1)
        }
        #expect(Policy().fields.count == keys)
    }

    @Test mutating func `what was retired comes back with its row`() throws {
        let all = gym
        gym.stations.removeAll { $0.slug == "rack" }
        gym.nodes.removeLast()
        gym.users.removeFirst()
        gym.beacons.removeFirst()
        try SiteImport(store).importDocument(gym, at: at(60))
        let less = try #require(try store.load())
        #expect(less.plan.stations.map(\.id) == [bench, StationID(3)])
        #expect(less.plan.users.map(\.id) == [bob, cid])
        #expect(less.plan.bindings.map(\.beacon) == [BeaconID(2), BeaconID(3)])
        #expect(less.names.stations.slug(rack) == "rack", "history still needs its name")
        gym.users.append(.init(slug: "u-dee", name: "Dee"))
        try SiteImport(store).importDocument(gym, at: at(70))
        let back = try SiteImport(store).importDocument(all, at: at(80))
        #expect(
            texts(back.changes).contains("user u-ann added: name “Ann”"))
        let plan = try #require(try store.load()).plan
        #expect(plan.users.map(\.id) == [ann, bob, cid])
        #expect(plan.stations.map(\.id) == [rack, bench, StationID(3)])
        #expect(
            plan.bindings.filter { $0.beacon == BeaconID(1) } == [
                Binding(beacon: BeaconID(1), user: ann, from: start, to: at(60)),
                Binding(beacon: BeaconID(1), user: ann, from: at(80), to: nil),
            ])
    }

    @Test mutating func `a beacon changes hands at the moment of the import`() throws {
        gym.beacons[0].user = "u-bob"
        try SiteImport(store).importDocument(gym, at: at(60))
        gym.beacons[0].user = "u-cid"
        try SiteImport(store).importDocument(gym, at: at(60))
        gym.beacons[0].user = "u-ann"
        try SiteImport(store).importDocument(gym, at: at(50))
        gym.beacons[0].title = "Scarlet"
        try SiteImport(store).importDocument(gym, at: at(90))
        #expect(
            try store.load()?.plan.bindings.filter { $0.beacon == BeaconID(1) } == [
                Binding(beacon: BeaconID(1), user: ann, from: start, to: at(60)),
                Binding(beacon: BeaconID(1), user: ann, from: at(60), to: nil),
            ])
    }

    @Test mutating func `two beacons swap identities, a new one takes a retired one's`() throws {
        gym.beacons[0].identity = SiteDocument.gym.beacons[1].identity
        gym.beacons[1].identity = SiteDocument.gym.beacons[0].identity
        try SiteImport(store).importDocument(gym, at: at(60))
        #expect(try store.load()?.plan.beacons.map(\.identity) == gym.beacons.map(\.identity))
        gym.beacons[0].slug = "b-9"
        try SiteImport(store).importDocument(gym, at: at(70))
        let beacons = try #require(try store.load()).plan.beacons
        #expect(beacons.map(\.id) == [BeaconID(2), BeaconID(3), BeaconID(4)])
    }

    @Test mutating func `every kind of identity survives`() throws {
        let identities: [Identity] = [
            .iBeacon(uuid: .init(high: .max, low: 0), major: 0, minor: 65535),
            .iBeaconRolling(uuid: .init(high: 1, low: 2), major: 65535),
            .anyDigit(uuid: .init(high: 1, low: 2), major: 3, minor: 4),
            .altBeacon(head: .init(high: 3, low: .max), tail: .max),
            .eddystoneUID(.init(high: 5, low: 6)), .address(0xFFFF_FFFF_FFFF),
            .region(uuid: .init(high: 7, low: 8), major: .any, minor: .init(1, mask: 3)),
            .eddystoneNamespace(.init(high: 9, low: 0)), .eddystoneEID(.digits(10)),
            .irk(.label(try #require(ShortText("watch".utf8)))),
            .name(try #require(ShortText("Tag *".utf8))),
        ]
        gym.beacons = identities.enumerated().map {
            .init(
                slug: "i-\($0.offset)", title: "Tag", identity: $0.element, user: nil,
                threshold: $0.offset == 1 ? RSSI(dBm: -55.5) : nil)
        }
        gym.policy.allowed = identities
        try SiteImport(store).importDocument(gym, at: at(60))
        let plan = try #require(try store.load()).plan
        #expect(plan.beacons.map(\.identity) == identities)
        #expect(plan.beacons.compactMap(\.threshold) == [RSSI(dBm: -55.5)])
        #expect(plan.beacons[1].threshold != nil)
        #expect(plan.policy.allowed == identities)
        #expect(try SiteImport(store).plan(importing: gym, at: at(61)) == [])
        gym.beacons[1].threshold = nil
        #expect(
            texts(try SiteImport(store).importDocument(gym, at: at(62)).changes)
                == ["beacon i-1 changed: threshold_dbm -55.5 → none"])
    }

    @Test mutating func `rules that contradict each other are faults`() throws {
        let all = Identity.region(uuid: .init(high: 1, low: 2), major: .any, minor: .any)
        let part = Identity.region(uuid: .init(high: 1, low: 2), major: .any, minor: .init(1))
        gym.beacons = [
            .init(slug: "all", title: "All", identity: all, user: nil),
            .init(slug: "part", title: "Part", identity: part, user: nil),
        ]
        gym.policy.allowed = [all, all, part]
        let error = #expect(throws: StoreError.self) {
            try SiteImport(store).importDocument(gym, at: at(60))
        }
        #expect(
            error
                == .document([
                    "allow[1].identity: is allowed already",
                    "allow[2].identity: is allowed already",
                    "beacons[1].identity: could never be heard: beacon \"all\" comes first and takes"
                        + " all of it",
                ]))
    }

    @Test mutating func `hostile names are stored verbatim and shown escaped`() throws {
        let names = [
            "<img src=x onerror=alert(1)>", "'; DROP TABLE user; --", "%s\\n", "e\u{301}",
        ]
        gym.users += names.enumerated().map { .init(slug: "h-\($0.offset)", name: $0.element) }
        let changes = try SiteImport(store).importDocument(gym, at: at(60)).changes
        let stored = try #require(try store.load()).names.users.entries.suffix(names.count)
        #expect(stored.map { Array($0.name.utf8) } == names.map { Array($0.utf8) })
        #expect(
            texts(changes)[1...2] == [
                "user h-1 added: name “'; DROP TABLE user; --”",
                "user h-2 added: name “%s\\\\n”",
            ])
        gym.users[6].name = "é"
        #expect(
            try SiteImport(store).importDocument(gym, at: at(70)).changes.map(\.slug) == ["h-3"],
            "another spelling of é is another name")
    }

    @Test mutating func `all faults of a document are told at once, and nothing is written`() throws
    {
        gym.rooms.append(.init(slug: "Hall 2", name: "a\0b"))
        gym.rooms.append(.init(slug: "hall", name: ""))
        gym.stations[1].slots = 0
        gym.stations[2].room = "attic"
        gym.stations[0].x = .nan
        gym.policy.siteFloor = RSSI(dBm: -.infinity)
        gym.users[1].name = "\u{1B}[2J"
        gym.users[2].name = "\u{202E}evil"
        gym.nodes[1].room = "yard"
        gym.nodes[0].station = "none"
        gym.beacons[0].user = "u-eve"
        gym.beacons[1].identity = gym.beacons[0].identity
        gym.policy.site.enter = .seconds(0.4)
        gym.slug = "gym-2"
        let faults = [
            #"beacons[0].user: there is no user "u-eve""#,
            #"beacons[1].identity: beacon "b-1" has it already"#,
            #"nodes[0].station: there is no station "none""#,
            #"nodes[1].room: station "rack" is in room "hall""#,
            #"presence.site.enter_s: expected a number of seconds from 0.5 to 86400, got "0.4""#,
            #"rooms[2].id: expected a string, 1 to 64 of a-z, 0-9 and -, got "Hall 2""#,
            #"rooms[2].name: expected text of 1 to 120 characters"#
                + #" (in quotes if it looks like a number), got "a\0b""#,
            #"rooms[3].id: "hall" is given twice"#,
            #"rooms[3].name: expected text of 1 to 120 characters"#
                + #" (in quotes if it looks like a number), got """#,
            #"site_floor_dbm: expected a number from -127 to 20, got "-inf""#,
            #"stations[0].x_m: expected a number from -10000 to 10000, got "nan""#,
            #"stations[1].slots: expected a whole number from 1 to 64, got "0""#,
            #"stations[2].room: there is no room "attic""#,
            #"users[1].name: expected text of 1 to 120 characters"#
                + #" (in quotes if it looks like a number), got "\u{1B}[2J""#,
            "users[2].name: has U+202E, which changes the direction of writing",
            "site “gym-2”: this is the database of site “gym”",
        ]
        #expect(throws: StoreError.document(faults)) {
            _ = try SiteImport(store).plan(importing: gym, at: at(60))
        }
        #expect(throws: StoreError.document(faults)) {
            try SiteImport(store).importDocument(gym, at: at(60))
        }
        #expect(try store.revision() == 1)
    }

    @Test func `a site cannot be called core`() throws {
        var core = SiteDocument.gym
        core.slug = "core"
        let other = try Scratch()
        #expect(throws: StoreError.document([#"site.id: "core" cannot be a site, topics use it"#]))
        {
            try SiteImport(Store(path: other.path)).importDocument(core, at: start)
        }
    }
}
