import Foundation
import Testing

@testable import SiteModel
@testable import Simulation

/// Scanners of other makers on a real broker, and a coordinator that was told what they are.
@Suite(.ownThread) struct ProcessForeignTests {
    private func site() throws -> RunningSite {
        let site = try RunningSite()
        site.coordinatorMore = """
            , foreign: [
              {kind: espresense, nodes: {kitchen: n-press}},
              {kind: theengs, root: omg, nodes: {OMG_annex: n-row}}]
            """
        return site
    }

    /// A person's tag as ESPresense calls it.
    private func name(_ person: Person) throws -> String {
        let parts = person.identity.text.split(separator: "-")
        guard case .iBeacon = person.identity, parts.count == 4 else {
            throw RunningProgram.Fault(description: "\(person.identity) is no iBeacon")
        }
        var uuid = String(parts[1])
        for place in [20, 16, 12, 8] {
            uuid.insert("-", at: uuid.index(uuid.startIndex, offsetBy: place))
        }
        return "iBeacon:\(uuid)-\(parts[2])-\(parts[3])"
    }

    /// Lets both networks report a person once a second, until a condition holds.
    private func report(
        _ person: Int, kitchen: Double, annex: Int, at site: RunningSite, _ what: String,
        until condition: () throws -> Bool
    ) throws {
        let id = try name(site.people[person])
        let parts = site.people[person].identity.text.split(separator: "-")
        var next = site.now
        try site.wait(what) {
            if site.now >= next {
                next = site.now + .seconds(1)
                try site.watcher.publish(
                    "espresense/devices/\(id)/kitchen",
                    Array(
                        """
                        {"mac":"5a1b2c3d4e5f","id":"\(id)","rssi@1m":-59,"rssi":\(kitchen),\
                        "rxAdj":0,"rssiVar":2.1,"distance":1.93,"var":0.04,"int":1004}
                        """.utf8))
                try site.watcher.publish(
                    "omg/OMG_annex/BTtoMQTT/5A1B2C3D4E5F",
                    Array(
                        """
                        {"id":"5A:1B:2C:3D:4E:5F","mac_type":1,"rssi":\(annex),"brand":"GENERIC",\
                        "model":"iBeacon","model_id":"IBEACON","mfid":"4c00","uuid":"\(parts[1])",\
                        "major":\(parts[2]),"minor":\(parts[3]),"txpower":-59,"distance":9.3}
                        """.utf8))
            }
            return try condition()
        }
    }

    @Test func `whoever only they hear is found, attends, and is replayed`() throws {
        let site = try site()
        defer { site.stop() }
        let file = site.file("inputs.jsonl")
        try site.startCoordinator(["--record", file])
        try report(0, kitchen: -57.25, annex: -88, at: site, "they are at the press, and in") {
            site.presence(0)?.station == "press" && site.attendance(0)?.state == .checkedIn
        }
        #expect(site.presence(0)?.room == "hall" && (site.presence(0)?.confidence ?? 0) >= 0.9)
        try report(0, kitchen: -90, annex: -54, at: site, "they are at the row") {
            site.presence(0)?.station == "row"
        }
        #expect(
            try site.rows("SELECT user, state FROM v_session") == ["\(site.people[0].slug) open"])

        for (topic, payload) in [
            ("espresense/devices/x/attic", #"{"rssi":-60}"#),
            ("espresense/devices/x/kitchen", #"{"rssi":"loud"}"#),
            ("omg/OMG_annex/BTtoMQTT/a/b/c", "{}"), ("omg/OMG_annex/BTtoMQTT/a", "\u{0}"),
        ] { try site.watcher.publish(topic, Array(payload.utf8)) }
        try site.wait("all of these are refused") {
            try ["unknown-node", "wrong-type", "foreign-topic", "not-json"].allSatisfy {
                try site.metric("mesh_messages_rejected_total{reason=\"\($0)\"}") >= 1
            }
        }
        let coordinator = try #require(site.coordinator)
        _ = try site.terminate(coordinator)
        let replay = try site.run("beaconmesh", ["replay", file])
        #expect(replay.status == 0, "\(replay.output) \(replay.errors)")
    }

    @Test func `a coordinator that was not told ignores them`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        var reports = 0
        try report(0, kitchen: -57, annex: -60, at: site, "five reports") {
            reports += 1
            return reports > 1000
        }
        // Not even subscribed to: it would be counted.
        #expect(try site.metric("mesh_messages_rejected_total{reason=\"foreign\"}") == 0)
        #expect(site.presence(0)?.room == nil)
    }
}
