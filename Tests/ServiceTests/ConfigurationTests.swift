@testable import Registry
import Testing

@testable import CoordinatorService
@testable import SiteModel

/// What an operator writes becomes what the coordinator and the database are given, or is refused
/// line by line.
struct ConfigurationTests {
    let minimal = "sites: [{id: gym, database: gym.sqlite}]\n"
    let open = "http: {anonymous_reading: true}\n"

    func faults(ofCoordinator text: String) -> [String] {
        do {
            _ = try CoordinatorConfiguration(text: text, named: "c.yaml")
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    func faults(ofSite text: String) -> [String] {
        do {
            _ = try SiteFile(text: text, named: "site.yaml")
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    static func example(_ name: String) -> String {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(root)/deploy/examples/\(name)"
    }

    @Test func `a coordinator needs to be told only its site`() throws {
        let configuration = try CoordinatorConfiguration(text: minimal, named: "/etc/b/c.yaml")
        #expect(configuration.coordinator == "main")
        #expect(configuration.broker.host == "127.0.0.1")
        #expect(configuration.broker.port == 1883)
        #expect(configuration.broker.version == .five)
        #expect(configuration.http.host == "127.0.0.1")
        #expect(configuration.http.tokenFile == "/etc/b/token")
        #expect(!configuration.http.isReadingAnonymous)
        #expect(configuration.sites.map(\.id) == ["gym"])
        #expect(configuration.sites.map(\.database) == ["/etc/b/gym.sqlite"])
        #expect(configuration.sites.map(\.backups) == ["/etc/b/backups"])
        #expect(configuration.sites.allSatisfy { $0.isBackedUp && $0.onDamage == .stop })
        #expect(configuration.record == nil)
        #expect(configuration.log == .info)
    }

    @Test func `the example of a coordinator says what it seems to say`() throws {
        let configuration = try CoordinatorConfiguration(reading: Self.example("coordinator.yaml"))
        #expect(configuration.broker.username == "coordinator")
        #expect(configuration.broker.passwordFile == "/etc/beaconmesh/broker-password")
        #expect(configuration.http.tokenFile == "/var/lib/beaconmesh/token")
        #expect(configuration.sites.map(\.id) == ["iron-works"])
        #expect(configuration.sites.map(\.backups) == ["/var/lib/beaconmesh/backups"])
    }

    @Test(arguments: [("5", "five"), ("\"5\"", "five"), ("3.1.1", "threeOneOne")])
    func `the protocol is 5 or 3·1·1`(text: String, version: String) throws {
        let configuration = try CoordinatorConfiguration(
            text: minimal + open + "broker: {protocol: \(text)}", named: "c.yaml")
        #expect("\(configuration.broker.version)" == version)
    }

    @Test func `all faults of a coordinator are told at once`() {
        #expect(
            faults(
                ofCoordinator: """
                    coordinator: Main
                    broker:
                      prot: 1884
                      password_file: x
                      protocol: 4
                    http:
                      host: 0.0.0.0
                      port: 65536
                    sites:
                      - id: core
                    log: loud
                    """)
                == [
                    "c.yaml:1: coordinator: expected 1 to 64 of a-z, 0-9 and -, got \"Main\"",
                    "c.yaml:3: broker.prot: unknown key, did you mean \"port\"?",
                    "c.yaml:4: broker.password_file: is of no use without username",
                    "c.yaml:5: broker.protocol: expected one of 5, 3.1.1, got \"4\"",
                    "c.yaml:6: http.token_file: missing, required where http.host is not loopback",
                    "c.yaml:8: http.port: expected a whole number from 0 to 65535, got \"65536\"",
                    "c.yaml:10: sites[0].database: missing, expected a path",
                    "c.yaml:10: sites[0].id: \"core\" cannot be a site, topics use it",
                    "c.yaml:11: log: expected one of trace, debug, info, notice, warning, error,"
                        + " critical, got \"loud\"",
                ])
    }

    @Test func `backups may lie elsewhere or be switched off, damage may be restored`() throws {
        let text = """
            sites:
              - id: gym
                database: gym.sqlite
                backups: {enabled: false, folder: ../usb}
                on_damage: restore
            """
        let site = try CoordinatorConfiguration(text: text, named: "/etc/b/c.yaml").sites[0]
        #expect(!site.isBackedUp && site.backups == "/etc/b/../usb" && site.onDamage == .restore)
        let wrong = text.replacing("restore", with: "repair").replacing("enabled", with: "on")
        #expect(
            faults(ofCoordinator: wrong) == [
                "c.yaml:4: sites[0].backups.on: unknown key, expected enabled, folder",
                "c.yaml:5: sites[0].on_damage: expected one of stop, restore, got \"repair\"",
            ])
    }

    @Test func `the example of a site becomes a document`() throws {
        let site = try SiteFile(reading: Self.example("site.yaml")).document
        #expect(site.slug == "iron-works")
        #expect(site.timeZone == "Europe/Berlin")
        #expect(!site.isDemo)
        #expect(site.rooms.map(\.slug) == ["hall", "weights", "studio"])
        #expect(site.stations.map(\.slots) == [1, 1, 1, 1, 4])
        #expect(site.nodes.map(\.room) == ["hall", "hall", "weights", "weights", "studio"])
        #expect(site.nodes.map(\.station) == ["treadmill", "rower", "bench", "rack", nil])
        #expect(site.nodes.first?.x == 2)
        #expect(site.users.map(\.name) == ["Ada", "Grace", "Mary"])
        let uuid = Identity.Bytes16(high: 0x7B44_B47B_52A1_5381, low: 0x90C2_F09B_6838_C5D4)
        #expect(
            site.beacons.map(\.identity) == [
                .iBeacon(uuid: uuid, major: 1, minor: 1), .iBeacon(uuid: uuid, major: 1, minor: 2),
                .iBeaconRolling(uuid: uuid, major: 9), .address(0xC4A7_F10B_22E8),
            ])
        #expect(site.beacons.map(\.user) == ["u-k7m2qa", "u-3fvx7d", "u-qw5n6t", nil])
        let practice = NodePractice(rangingRange: 20, sparseRange: 20)
        #expect(site.policy == Policy(practice: practice))
    }

    @Test func `timings and floors are taken as they are given`() throws {
        let site = try SiteFile(
            text: """
                site: {id: a}
                rooms: [{id: r}]
                presence: {room: {enter_s: 0.5, lost_s: 1.25, leave_s: 86400}}
                station_floor_dbm: -60.5
                publish_unregistered: true
                """, named: "site.yaml"
        ).document
        #expect(
            site.policy.room
                == Policy.Timing(
                    enter: .milliseconds(500), lost: .milliseconds(1250), leave: .seconds(86400)))
        #expect(site.policy.site == Policy().site)
        #expect(site.policy.stationFloor == RSSI(dBm: -60.5))
        #expect(site.policy.publishesUnregistered)
        #expect(site.name == "a")
        #expect(site.rooms.map(\.name) == ["r"])
    }

    @Test(
        arguments: [
            ("max_range_m: 35", NodePractice(rangingRange: 35, sparseRange: 35)),
            (
                "max_range_m: {ranging: 15, sparse: 50}",
                NodePractice(rangingRange: 15, sparseRange: 50)
            ),
            (
                "profile: sparse\nmax_range_m: {sparse: 50}\nburst: true",
                NodePractice(profile: .sparse, sparseRange: 50, bursts: true)
            ),
            ("profile: ranging\nburst: false", nil),
        ] as [(String, NodePractice?)])
    func `what nodes are to do is taken as it is given`(
        lines: String, practice: NodePractice?
    ) throws {
        let text = "site: {id: a}\nrooms: [{id: r}]\n\(lines)\n"
        #expect(try SiteFile(text: text, named: "site.yaml").document.policy.practice == practice)
    }

    @Test(arguments: [
        ("max_range_m: 0", "max_range_m"), ("max_range_m: 1001", "max_range_m"),
        ("max_range_m: {ranging: far}", "max_range_m.ranging"), ("profile: turbo", "profile"),
        ("burst: maybe", "burst"),
    ])
    func `what no node can do is refused by its key`(lines: String, key: String) {
        let found = faults(ofSite: "site: {id: a}\nrooms: [{id: r}]\n\(lines)\n")
        #expect(found.count == 1 && found.allSatisfy { $0.contains(": \(key): ") }, "\(found)")
    }

    @Test(
        arguments: [
            ("locating: {method: spot}", LocatingPolicy(method: .spot)),
            ("locating: {quickness: calm}", LocatingPolicy(quickness: 0)),
            (
                "locating: {quickness: quick, shadow: zone-level}",
                LocatingPolicy(quickness: 1, shadow: .zoneLevel)
            ),
            (
                "locating: {method: nearest, quickness: 0.25, shadow: auto}",
                LocatingPolicy(method: .nearest, quickness: 0.25, shadow: .auto)
            ),
            ("locating: {}", LocatingPolicy()), ("", nil),
        ] as [(String, LocatingPolicy?)])
    func `how people are located is taken as it is given`(
        lines: String, locating: LocatingPolicy?
    ) throws {
        let text = "site: {id: a}\nrooms: [{id: r}]\n\(lines)\n"
        #expect(try SiteFile(text: text, named: "site.yaml").document.policy.locating == locating)
    }

    @Test(arguments: [
        ("locating: {method: vote}", "locating.method"),
        ("locating: {quickness: 1.5}", "locating.quickness"),
        ("locating: {quickness: fast}", "locating.quickness"),
        ("locating: {quickness: nan}", "locating.quickness"),
        ("locating: {quickness: [1]}", "locating.quickness"),
        ("locating: {shadow: none}", "locating.shadow"),
        ("locating: {speed: 1}", "locating.speed"),
    ])
    func `no way to locate is refused by its key`(lines: String, key: String) {
        let found = faults(ofSite: "site: {id: a}\nrooms: [{id: r}]\n\(lines)\n")
        #expect(found.count == 1 && found.allSatisfy { $0.contains(": \(key): ") }, "\(found)")
    }

    @Test func `what a site does not want doubted is taken as it is given`() throws {
        let text = "site: {id: a}\nrooms: [{id: r}]\n"
        #expect(try SiteFile(text: text, named: "site.yaml").document.policy.doubts == nil)
        let off = text + "doubts: {inactive: false, two_places: false, rate: true}\n"
        #expect(
            try SiteFile(text: off, named: "site.yaml").document.policy.doubts
                == DoubtPolicy(off: [.inactive, .twoPlaces], inactiveAfter: .seconds(3600)))
        for (lines, key) in [
            ("doubts: {inactive_after_s: 59}", "doubts.inactive_after_s"),
            ("doubts: {two-places: false}", "doubts.two-places"),
            ("doubts: {rate: often}", "doubts.rate"),
        ] {
            let found = faults(ofSite: text + lines + "\n")
            #expect(found.count == 1 && found.allSatisfy { $0.contains(": \(key): ") }, "\(found)")
        }
    }

    @Test func `timings outside the limits are refused`() {
        #expect(
            faults(
                ofSite: """
                    site: {id: a}
                    rooms: [{id: r}]
                    presence:
                      site: {enter_s: 0.4}
                      room: {lost_s: 40}
                      station: {leave_s: 86401}
                      building: {}
                    """)
                == [
                    "site.yaml:4: presence.site.enter_s: expected a number of seconds from 0.5 to"
                        + " 86400, got \"0.4\"",
                    "site.yaml:5: presence.room.leave_s: 30.0 is less than lost_s, 40.0; it counts"
                        + " all of the silence",
                    "site.yaml:6: presence.station.leave_s: expected a number of seconds from 0.5"
                        + " to 86400, got \"86401\"",
                    "site.yaml:7: presence.building: unknown key, expected site, room, station",
                ])
    }

    @Test func `references to nothing and things given twice have their lines`() {
        #expect(
            faults(
                ofSite: """
                    site: {id: core, time_zone: Europe/Berln}
                    rooms:
                      - {id: r}
                      - {id: r}
                      - {id: s}
                    stations:
                      - {id: t, room: x}
                      - {id: t, room: r}
                      - {id: v, slots: 0}
                    nodes:
                      - {id: n}
                      - {id: m, station: w}
                      - {id: o, station: t, room: s, x_m: 1}
                    users:
                      - {id: U}
                    beacons:
                      - {id: b, identity: mac-0102030405, user: u}
                      - {id: mac-010203040506, identity: mac-010203040506}
                      - {id: c, identity: mac-010203040506}
                      - {id: d}
                    """)
                == [
                    "site.yaml:1: site.id: \"core\" cannot be a site, topics use it",
                    "site.yaml:1: site.time_zone: no such time zone, expected one like"
                        + " Europe/Berlin",
                    "site.yaml:4: rooms[1].id: \"r\" is given twice",
                    "site.yaml:7: stations[0].room: there is no room \"x\"",
                    "site.yaml:8: stations[1].id: \"t\" is given twice",
                    "site.yaml:9: stations[2].room: missing, expected the id of a room",
                    "site.yaml:9: stations[2].slots: expected a whole number from 1 to 64, got"
                        + " \"0\"",
                    "site.yaml:11: nodes[0].room: missing, expected the id of a room, or a"
                        + " station",
                    "site.yaml:12: nodes[1].station: there is no station \"w\"",
                    "site.yaml:13: nodes[2].room: station \"t\" is in room \"r\"",
                    "site.yaml:13: nodes[2].y_m: missing, x_m is given",
                    "site.yaml:15: users[0].id: expected 1 to 64 of a-z, 0-9 and -, got \"U\"",
                    "site.yaml:17: beacons[0].identity: expected an address such as"
                        + " C4:A7:F1:0B:33:21 or mac-<12 hex>, ib-<32 hex>-<major>-<minor>,"
                        + " ib-<32 hex>-<major>, ab-<40 hex>, eu-<20 hex>-<12 hex>, or a section"
                        + " with uuid, namespace, address, name, irk or eid",
                    "site.yaml:17: beacons[0].user: there is no user \"u\"",
                    "site.yaml:18: beacons[1].id: is what an unregistered beacon is called,"
                        + " expected another name",
                    "site.yaml:19: beacons[2].identity: beacon \"mac-010203040506\" has it"
                        + " already",
                    "site.yaml:20: beacons[3].identity: missing, expected a word",
                ])
    }

    @Test(arguments: [
        "{uuid: 00000000000000000000000000000001, major: 1, minor: 2}",
        "{uuid: 00000000-0000-0000-0000-000000000001, major: 1, minor: 2}",
        "ib-00000000000000000000000000000001-1-2",
        "{uuid: 00000000000000000000000000000001, major: 1, rolling: true}",
    ])
    func `an iBeacon and its rolling name cannot both be registered`(identity: String) throws {
        let other = "{uuid: 00000000000000000000000000000001, major: 1, minor: 3}"
        let rolling = "ib-00000000000000000000000000000001-1"
        func site(_ first: String, _ second: String) -> String {
            """
            site: {id: a}
            rooms: [{id: r}]
            beacons:
              - {id: one, identity: \(first)}
              - {id: two, identity: \(second)}
            """
        }
        let told = ["site.yaml:5: beacons[1].identity: beacon \"one\" has it already"]
        #expect(faults(ofSite: site(rolling, identity)) == told)
        #expect(faults(ofSite: site(identity, rolling)) == told)
        #expect(faults(ofSite: site(identity, other)).isEmpty == !identity.contains("rolling"))
    }

    @Test(arguments: [
        "{uuid: xyz, major: 1, minor: 1}", "{uuid: 0102, major: 1, minor: 1}",
        "{major: 1, minor: 1}", "{uuid: 00000000000000000000000000000001, major: 65536, minor: 1}",
        "{uuid: 00000000000000000000000000000001, major: 1, minor: 1, rolling: true}",
        "{uuid: 00000000000000000000000000000001, rolling: true}",
        "{uuid: 00000000000000000000000000000001, major: 1, minor_mask: 255}",
        "{uuid: 00000000000000000000000000000001, major: 1, minor: 256, minor_mask: 255}",
        "{uuid: 00000000000000000000000000000001, major: 1, minor: 1, minor_mask: 0}",
        "{name: \"\"}", "{name: 1234567890123456789012345678901x}", "{name: T, irk: a}",
        "{irk: Mary}", "{eid: 0123456789012345678901234567x}", "{namespace: 00}",
        "{namespace: 00112233445566778899, instance: 1}", "{address: 1.2}", "[1]",
        "\"\"", "ib-00000000000000000000000000000001-01-2",
    ])
    func `a faulty identity is one fault`(identity: String) {
        let text = """
            site: {id: a}
            rooms: [{id: r}]
            beacons: [{id: b, identity: \(identity)}]
            """
        #expect(faults(ofSite: text).count == 1, "\(faults(ofSite: text))")
    }

    @Test func `hostile names are kept as they are`() throws {
        let site = try SiteFile(
            text: """
                site: {id: a, name: "<img src=x onerror=alert(1)>"}
                rooms: [{id: r, name: "'; DROP TABLE room; --"}]
                users: [{id: u, name: "e\\u200Dvil 🏋️"}]
                """, named: "site.yaml"
        ).document
        #expect(site.name == "<img src=x onerror=alert(1)>")
        #expect(site.rooms.map(\.name) == ["'; DROP TABLE room; --"])
        #expect(site.users.map(\.name) == ["e\u{200D}vil 🏋️"])
    }

    @Test func `an empty file is a list of what is missing`() {
        #expect(
            faults(ofSite: "") == [
                "site.yaml:1: rooms: expected a list of 1 to 256, got 0",
                "site.yaml:1: site.id: missing, expected 1 to 64 of a-z, 0-9 and -",
            ])
        #expect(faults(ofCoordinator: open) == ["c.yaml:1: sites: expected a list of 1, got 0"])
    }
}
