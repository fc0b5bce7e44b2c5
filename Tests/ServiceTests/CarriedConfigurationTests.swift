@testable import Registry
import Testing

@testable import CoordinatorService
@testable import SiteModel
@testable import SitePipeline

/// Scanners of other makers in a coordinator's file; nodes that people carry in a site's.
struct CarriedConfigurationTests {
    private func faults(ofCoordinator text: String) -> [String] {
        do {
            _ = try CoordinatorConfiguration(text: text, named: "c.yaml")
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    private func faults(ofSite text: String) -> [String] {
        do {
            _ = try SiteFile(text: text, named: "site.yaml")
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    @Test func `networks of others are told by their names`() throws {
        let text = """
            sites:
              - id: gym
                database: gym.sqlite
                foreign:
                  - {kind: espresense, nodes: {Living Room: n-1, "12": n-2}, beacons: {"irk:00ff": b-1}}
                  - {kind: theengs, root: a/home}
            http: {anonymous_reading: true}
            """
        let configuration = try CoordinatorConfiguration(text: text, named: "c.yaml")
        #expect(
            configuration.sites[0].foreign == [
                ForeignNetwork(
                    kind: .espresense, nodes: ["Living Room": "n-1", "12": "n-2"],
                    beacons: ["irk:00ff": "b-1"]),
                ForeignNetwork(kind: .theengs, root: "a/home"),
            ])
        #expect(configuration.sites[0].foreign[0].root == "espresense")
    }

    @Test func `what is wrong with a network is said with its line`() {
        let text = """
            sites:
              - id: gym
                database: gym.sqlite
                foreign:
                  - {kind: bluefi}
                  - {kind: espresense, root: "a/#", nodes: {x: N1, y: n-1, z: n-1}}
                  - {kind: theengs}
                  - {kind: theengs, root: home, node: {}}
            http: {anonymous_reading: true}
            """
        let faults = faults(ofCoordinator: text)
        #expect(faults.count == 6, "\(faults)")
        for part in [
            "5: sites[0].foreign[0].kind: expected one of espresense, theengs",
            "6: sites[0].foreign[1].root: expected the beginning of a topic",
            "6: sites[0].foreign[1].nodes: y and z cannot both be n-1",
            "6: sites[0].foreign[1].nodes.x: expected 1 to 64",
            "8: sites[0].foreign[3].node: unknown key, did you mean \"nodes\"?",
            "names theengs at home twice",
        ] {
            #expect(faults.contains { $0.contains(part) }, "\(part) in \(faults)")
        }
    }

    @Test func `people may carry nodes past fixed beacons`() throws {
        let text = """
            site: {id: gym}
            rooms: [{id: hall}, {id: yard}]
            stations: [{id: bench, room: hall}]
            users: [{id: u-ann}]
            nodes: [{id: n-ann, role: mobile, user: u-ann}, {id: n-hall, room: hall, role: fixed}]
            beacons:
              - {id: b-bench, identity: mac-000000000001, station: bench}
              - {id: b-yard, identity: mac-000000000002, room: yard}
              - {id: b-ann, identity: mac-000000000003, user: u-ann}
            """
        let document = try SiteFile(text: text, named: "site.yaml").document
        #expect(document.nodes.map(\.carrier) == ["u-ann", nil])
        #expect(document.nodes.map(\.room) == ["hall", "hall"])
        #expect(document.beacons.map(\.station) == ["bench", nil, nil])
        #expect(document.beacons.map(\.room) == [nil, "yard", nil])
    }

    @Test(arguments: [
        ("nodes: [{id: n, role: mobile}]", "nodes[0].user: missing"),
        ("nodes: [{id: n, role: mobile, user: u-bob}]", "there is no user"),
        ("nodes: [{id: n, role: mobile, user: u-ann, station: bench}]", "at no station"),
        ("nodes: [{id: n, role: mobile, user: u-ann, x_m: 1, y_m: 1}]", "has no position"),
        ("nodes: [{id: n, room: hall, user: u-ann}]", "only a node with role: mobile"),
        ("nodes: [{id: n, role: flying, room: hall}]", "expected one of fixed, mobile"),
        ("beacons: [{id: b, identity: mac-000000000001, room: attic}]", "there is no room"),
        (
            "beacons: [{id: b, identity: mac-000000000001, room: hall, user: u-ann}]",
            "carried or fixed"
        ),
        (
            "beacons: [{id: b, identity: mac-000000000001, room: yard, station: bench}]",
            "is in room"
        ),
    ])
    func `a contradiction about who carries what is refused`(line: String, fault: String) {
        let text = """
            site: {id: gym}
            rooms: [{id: hall}, {id: yard}]
            stations: [{id: bench, room: hall}]
            users: [{id: u-ann}]
            \(line)
            """
        let faults = faults(ofSite: text)
        #expect(faults.count == 1, "\(faults)")
        #expect(faults.contains { $0.contains(fault) }, "\(faults)")
    }
}
