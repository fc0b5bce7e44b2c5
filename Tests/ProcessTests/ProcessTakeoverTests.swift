import Foundation
import Testing

@testable import Broker

/// Nobody ends another's connection to the broker by taking its client id.
@Suite(.ownThread) struct ProcessTakeoverTests {
    private func log(_ own: EnrolledSite) -> String { own.site.coordinator?.errors ?? "" }

    @Test func `who calls itself the coordinator throws nobody off`() throws {
        let own = try EnrolledSite()
        defer { own.site.stop() }
        try own.startBroker()
        try own.site.startCoordinator()
        for (id, verb) in [("coordinator", "check-in"), ("core-main", "check-out")] {
            let phone = try own.client("ann-phone", id: id)
            #expect(try phone.isIn(own.site))
            #expect(try own.ask(verb, of: 0, as: "door").status == 0)
            phone.work()
            #expect(!phone.isLost, "the door has a name of its own")
        }
        #expect(!log(own).contains("no broker"), "\(log(own))")
    }

    @Test func `tools sign in beside the coordinator, and throw it off as little`() throws {
        let own = try EnrolledSite()
        defer { own.site.stop() }
        try own.startBroker()
        try own.site.startCoordinator()
        let looked = try own.site.run(
            "beaconmesh", ["doctor", "--config", own.site.file("coordinator.yaml")])
        #expect(looked.output.contains("broker"), "\(looked.output)\(looked.errors)")
        let recorded = try own.site.run(
            "beaconmesh",
            [
                "record", "--config", own.site.file("coordinator.yaml"), "--seconds", "1", "--out",
                own.site.file("recording"),
            ])
        #expect(recorded.status == 0, "\(recorded.errors)")
        let tried = try own.doctor(["coordinator", "door"], json: true)
        #expect(tried.status == 0, "\(tried.output)\(tried.errors)")
        #expect(try ids(in: tried) == ["coordinator denied", "door denied"])
        #expect(!log(own).contains("no broker"), "\(log(own))")
    }

    @Test func `a broker that takes any client id is a fault`() throws {
        let own = try EnrolledSite()
        defer { own.site.stop() }
        let file = own.folder + "/beaconmesh.conf"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let open = text.replacing("use_username_as_clientid true\n", with: "")
        #expect(open.count < text.count)
        try Data(open.utf8).write(to: URL(fileURLWithPath: file))
        try own.startBroker()
        for names in [["board"], ["coordinator", "board"]] {
            let tried = try own.doctor(names, json: true)
            #expect(tried.status == 1, "\(tried.errors)")
            #expect(try ids(in: tried) == names.map { "\($0) allowed" })
        }
    }

    @Test func `who has the coordinator's password and uses it again and again is an alert`()
        throws
    {
        let own = try EnrolledSite()
        defer { own.site.stop() }
        try own.startBroker()
        try own.site.startCoordinator()
        try own.site.wait("it is said", within: 60) {
            if log(own).contains("alert duplicate-id: ") { return true }
            if try own.site.metric("mesh_mqtt_connected") == 1 {
                #expect(try own.client("coordinator").isIn(own.site))
            }
            return false
        }
        #expect(log(own).contains("another client signs in as coordinator"))
        #expect(try own.site.metric("mesh_alerts{alert=\"duplicate-id\"}") == 1)
    }

    /// Who may take a client id, in the order of the trials.
    private func ids(in tried: RunningProgram) throws -> [String] {
        struct Line: Decodable { var identity, right, seen: String }
        return try JSONDecoder().decode([Line].self, from: Data(tried.output.utf8))
            .filter { $0.right == "client id" }.map { "\($0.identity) \($0.seen)" }
    }
}
