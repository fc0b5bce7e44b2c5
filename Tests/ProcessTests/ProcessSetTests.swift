import Foundation
import TestSupport
import Testing

@testable import Operations
@testable import SiteModel
@testable import Wire

/// A workout by hand with a real coordinator, broker and database: over both ways, and after a kill.
@Suite(.ownThread) struct ProcessSetTests {
    private static let bench =
        #"{"id":"bench-press","name":"Bench press","measure":"reps","load":"weight"}"#

    private func key(_ number: Int) -> String {
        "00000000-0000-4000-8000-0000000000\(10 + number)"
    }

    private func site() throws -> RunningSite {
        let site = try RunningSite()
        try site.takeToken()
        try site.startCoordinator()
        #expect(try site.post("../exercises", Self.bench).status == 201)
        return site
    }

    private func told(_ reply: WebReply, _ name: String) -> [String: Any] {
        reply.json[name] as? [String: Any] ?? [:]
    }

    private func set(
        _ number: Int, _ kilograms: Double, at site: RunningSite, reps: Int = 8, more: String = ""
    ) throws -> WebReply {
        try site.post(
            "../workouts/current/sets",
            #"{"user":"\#(site.people[0].slug)","id":"\#(key(number))","exercise":"bench-press","#
                + #""reps":\#(reps),"weight_kg":\#(kilograms)\#(more)}"#)
    }

    @Test func `a workout over two stations with sets is told alike everywhere`() throws {
        let site = try site()
        defer { site.stop() }
        let user = site.people[0].slug
        let body = #"{"user":"\#(user)"}"#
        let begun = told(
            try site.post("../workouts", #"{"user":"\#(user)","station":"press"}"#), "workout")
        let id = try #require(begun["id"] as? Int)
        #expect(begun["state"] as? String == "active" && begun["rev"] as? Int == 1)
        let first = try set(1, 80, at: site)
        #expect(first.json["records"] as? [String] == [], "the first is the baseline")
        #expect(told(first, "set")["station"] as? String == "press")
        let wish = "../users/\(user)/notices"
        #expect(try site.post(wish, #"{"records":true}"#, method: "PUT").status == 200)
        #expect(try site.post(wish, "", method: "GET").json["records"] as? Bool == true)
        let rest = try #require(first.json["rest_until_ms"] as? Int64)
        #expect(rest - (told(first, "set")["at_ms"] as? Int64 ?? 0) == 90_000)
        #expect(try set(1, 80, at: site).body == first.body, "the same, for ever")
        #expect(try set(1, 81, at: site).json["code"] as? String == "idempotency_mismatch")
        #expect(try set(2, 80.0005, at: site).json["code"] as? String == "schema")
        let second = try set(2, 90, at: site, reps: 5, more: #","rir":1,"note":"heavy""#)
        #expect(second.json["records"] as? [String] == ["weight", "e1rm"])
        try site.wait("the record is told of") {
            try site.rows(
                """
                SELECT slug, subject, told_ms IS NOT NULL FROM notification
                    JOIN user ON user.id = user WHERE kind = 'record'
                """) == ["\(user) bench-press 1"]
        }
        let moved = try site.post(
            "../workouts/\(id)/move", #"{"user":"\#(user)","station":"row"}"#)
        #expect(told(moved, "workout")["station"] as? String == "row")
        let changed = try site.ask(
            .changeSet,
            Array(#"{"user":"\#(user)","set":{"id":"\#(key(2))","weight_kg":85},"rev":1}"#.utf8))
        guard case .set(let set) = changed.outcome else {
            Issue.record("\(changed)")
            return
        }
        #expect(set.weightG == 85_000 && set.rev == 2 && set.records == [.weight])
        #expect(
            told(try site.post("../workouts/\(id)/complete", body), "workout")["sets"] as? Int == 2)
        let topic = site.topics[.workout, user]
        try site.wait("the end is told") {
            let payload = site.latest(topic, as: WorkoutPayload.self)
            return payload?.state == .completed && payload?.sets == 2
                && payload?.volumeG == 8 * 80_000 + 5 * 85_000
                && payload?.stations.map(\.station) == ["press", "row"]
        }
        let read = told(try site.post("../workouts/\(id)", "", method: "GET"), "workout")
        #expect(read["volume_kg"] as? Double == 1065 && read["duration_ms"] as? Int != nil)
        #expect(
            (read["sets"] as? [[String: Any]])?.map { $0["id"] as? String } == [key(1), key(2)])
        #expect((read["stations"] as? [Any])?.count == 2)
        let list = try site.post(
            "../workouts?user=\(user)&state=completed&limit=1", "", method: "GET")
        #expect((list.json["workouts"] as? [Any])?.count == 1 && list.json["next"] is NSNull)
        let bests = try site.post("../records?user=\(user)", "", method: "GET")
        let kinds = (bests.json["records"] as? [[String: Any]])?.compactMap {
            $0["kind"] as? String
        }
        #expect(kinds == ["weight", "reps", "reps", "e1rm", "volume"])
        let weeks = try site.post("../workouts/stats?user=\(user)", "", method: "GET")
        let week = (weeks.json["exercises"] as? [[String: Any]])?.first
        #expect(week?["sets"] as? Int == 2 && week?["records"] as? Int == 1)
        #expect(week?["volume_kg"] as? Double == 1065)
        #expect(
            try site.post("../workouts?state=open", "", method: "GET").json["workouts"] as? [Int]
                == [])
    }

    @Test func `a workout is logged from the command line, a set in one short line`() throws {
        let site = try site()
        defer { site.stop() }
        let person = site.people[0]
        func run(_ words: [String], as name: String? = nil) throws -> RunningProgram {
            try site.run(
                "beaconmesh",
                ["workout"] + words + ["--user", name ?? person.name, "--database", site.database])
        }
        let started = try run(["start", "--station", "press"])
        #expect(started.status == 0 && started.output.contains("is active"), "\(started.errors)")
        #expect(try run(["start"]).status == 4)
        let set = try run(["set", "bench-press", "8x80@2"])
        #expect(set.output.hasPrefix("bench-press 8x80kg@2  rest until "), "\(set.errors)")
        let better = try run(["set", "bench-press", "9x80", "--note", "=1+1"])
        #expect(better.output.contains("best so far: reps"))
        #expect(try run(["set", "bench-press", "8x"]).status == 64)
        #expect(try run(["set", "bench-press", "60s"]).status == 5, "it counts repetitions")
        #expect(try run(["set", "bench-pres", "8x80"]).status == 3)
        let json = try run(["set", "bench-press", "5x60", "--kind", "warm-up", "--json"])
        #expect(json.output.contains(#""records":[]"#))
        let done = try run(["done"])
        #expect(done.output.contains("is completed: 3 sets, 1360 kg."), "\(done.output)")
        let list = try run(["list"])
        #expect(list.output.contains("completed") && list.output.contains("press"))
        let id = try site.rows("SELECT id FROM workout")[0]
        let shown = try run(["show", id])
        #expect(shown.output.contains("bench-press 5x60kg (warm-up)"), "\(shown.output)")
        let week = try run(["stats"]).output.split(separator: "\n").last
        #expect(week?.contains("bench-press") == true)
        #expect(try run(["list"], as: "nobody").status == 3)
    }

    @Test func `a set that is sent again after a kill and years is the same set`() throws {
        let site = try site()
        defer { site.stop() }
        let user = site.people[0].slug
        #expect(try site.post("../workouts", #"{"user":"\#(user)"}"#).status == 200)
        let first = try set(1, 80, at: site)
        #expect(first.status == 200)
        site.coordinator?.kill()
        try site.startCoordinator()
        #expect(try set(1, 80, at: site).body == first.body)
        let body = #"{"user":"\#(user)"}"#
        #expect(try site.post("../workouts/current/complete", body).status == 200)
        _ = try site.terminate(site.coordinator)
        // It ended long ago: nothing of it is in memory any more.
        for column in ["started_ms", "ended_ms"] {
            try site.execute("UPDATE workout SET \(column) = \(column) - 100000000000")
        }
        try site.execute("UPDATE workout_set SET at_ms = at_ms - 100000000000")
        try site.startCoordinator()
        #expect(try site.post("../workouts", body).status == 200)
        let again = try set(1, 80, at: site)
        #expect(told(again, "set")["id"] as? String == key(1) && again.json["rev"] as? Int == 1)
        #expect(try site.rows("SELECT count(*) FROM workout_set") == ["1"])
        let better = try set(2, 85, at: site)
        #expect(
            Set(better.json["records"] as? [String] ?? []) == ["weight", "e1rm", "volume"],
            "old ones count, looked up in the database")
    }
}
