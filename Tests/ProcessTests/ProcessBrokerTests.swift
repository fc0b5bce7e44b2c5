import Foundation
import GRDB
import Testing

@testable import Wire

/// A broker that is not there, goes away, or remembers what it should not.
@Suite(.ownThread) struct ProcessBrokerTests {
    @Test func `both daemons wait for a broker, say so, and are ready once it is there`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        site.broker.stop()
        try site.startCoordinator(isReady: false)
        try site.startNodes(isReady: false)
        let daemons = [try #require(site.coordinator)] + site.nodes.values
        let complaint = "no broker at 127.0.0.1:\(site.broker.port): "
        for daemon in daemons {
            try site.wait("\(daemon.name) says so") { daemon.errors.contains(complaint) }
            #expect(daemon.errors.contains("next attempt in"))
        }
        #expect(try site.metric("mesh_mqtt_connected") == 0)
        try site.broker.start()
        try site.watchAgain()
        for daemon in daemons {
            try site.wait("\(daemon.name) is ready") { daemon.errors.contains(": ready\n") }
        }
        site.air = ["n-row": [0: -50]]
        try site.wait("somebody is in") { site.attendance(0)?.state == .checkedIn }
    }

    @Test func `a broker that comes back empty is told everything again`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes()
        site.air = ["n-press": [0: -50, 1: -60], "n-row": [2: -55]]
        for person in 0..<3 {
            try site.wait("everybody is in") { site.attendance(person)?.state == .checkedIn }
        }
        try site.wait("they are at their stations") {
            site.presence(0)?.station == "press" && site.presence(2)?.station == "row"
        }
        try site.ask(.startWorkout, user: 0, station: "press")
        // It is looked every two seconds what is near them.
        try site.wait("all are told what is near them") {
            site.watcher.latest.keys.count { $0.hasSuffix("/near") } == 3
        }
        let before = try site.retained()

        site.broker.stop()
        try site.broker.start()
        try site.watchAgain()
        try site.wait("everything is there again") {
            before.keys.allSatisfy { site.watcher.latest[$0] != nil }
        }
        try site.wait("everybody is where they were") {
            site.presence(0)?.station == "press" && site.presence(2)?.station == "row"
        }
        let after = try site.retained()
        #expect(after.keys.sorted() == before.keys.sorted())
        let isSteady = { (topic: String) in
            ["/info", "/attendance", "/workout", "/config/desired", "/status", "/config/active"]
                .contains { topic.hasSuffix($0) }
        }
        for topic in before.keys.sorted() where isSteady(topic) {
            #expect(after[topic] == before[topic], "\(topic)")
        }
        #expect(try site.rows("SELECT state FROM v_session") == ["open", "open", "open"])
        // A second request shows that we are heard again.
        try site.ask(.completeWorkout, user: 0)
    }

    @Test func `what is decided while the broker is away is stored and told later`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        // Another program holds the database, so that the decision waits until the broker is gone.
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        let other = try DatabaseQueue(path: site.database, configuration: configuration)
        let request = RequestPayload(
            id: "late", args: .init(user: site.people[0].slug, station: "press"))
        try other.inDatabase { db in
            try db.execute(sql: "BEGIN IMMEDIATE")
            try site.watcher.publish(
                site.topics[.request, "tests", "workout-start"], request.json)
            try site.wait("a fact waits") { try site.metric("mesh_facts_waiting") > 0 }
            site.broker.stop()
            try site.wait("the broker is missed") { try site.metric("mesh_mqtt_connected") == 0 }
            #expect(try site.rows("SELECT count(*) FROM v_workout") == ["0"])
            try db.execute(sql: "ROLLBACK")
        }
        try other.close()
        try site.wait("it is stored") { try site.rows("SELECT state FROM v_workout") == ["active"] }
        try site.wait("none waits") { try site.metric("mesh_facts_waiting") == 0 }
        try site.broker.start()
        try site.watchAgain()
        let topic = site.topics[.workout, site.people[0].slug]
        try site.wait("it is told") {
            site.latest(topic, as: WorkoutPayload.self)?.state == .active
        }
        let answer = try site.ask(.startWorkout, user: 0, station: "press", id: "late")
        guard case .workout(let workout) = answer.outcome else {
            Issue.record("refused: \(answer.outcome)")
            return
        }
        #expect(workout.state == .active)
        #expect(try site.rows("SELECT count(*) FROM v_workout") == ["1"])
    }

    @Test func `what the site no longer says is cleared, and nothing of others`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let strays = [
            "room/sauna/info", "room/sauna/state", "station/bath/state", "beacon/b-old/info",
            "user/u-gone/presence", "user/\(site.people[0].slug)/month",
            "node/n-old/config/desired",
        ].map { site.topics.root + $0 }
        let others = [
            site.topics[.nodeStatus, "n-old"], "mesh/v1/elsewhere/room/sauna/info",
            "mesh/v1/core/second/status",
        ]
        for topic in strays + others {
            try site.watcher.publish(topic, Array("{\"a\":1}".utf8), isRetained: true)
        }
        try site.startCoordinator()
        for topic in strays {
            try site.wait("\(topic) is cleared") { site.watcher.latest[topic] == nil }
        }
        let kept = try site.retained()
        #expect(strays.filter { kept[$0] != nil } == [])
        #expect(others.filter { kept[$0] == nil } == [])
        #expect(kept[site.topics[.roomInfo, "hall"]] != nil)
    }
}
