import Foundation
import FoundationNetworking
import Testing

@testable import Wire

/// Who sees of somebody where they are and what they train, at each door, by what they let others see. The same table
/// stands in docs/rights.md.
@Suite(.ownThread) struct ProcessConsentTests {
    private enum Door: CaseIterable {
        /// Rows of training, by each path that has any.
        case training
        /// `user/{u}/workout` of the live page.
        case liveTraining
        /// Sets, notes and histories that are written for them.
        case writing
        /// `user/{u}/presence` of the live page, and their name.
        case livePlace
    }

    private static func expected(_ door: Door, _ role: String, place: Bool, training: Bool) -> Bool
    {
        switch (door, role) {
        case (_, "owner"), (_, "manager"): true
        case (.writing, "auditor"): false
        case (_, "auditor"): true
        case (.livePlace, "trainer"): true
        case (_, "trainer"): training
        case (.livePlace, "member"): place
        default: false
        }
    }

    @Test func `each door asks for the same agreement`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let (user, other) = (site.site.people[0].slug, site.site.people[1].slug)
        let begun = try owner.ask("POST", "/api/v1/workouts", "{\"user\":\"\(user)\"}").reply
        let workout = try #require((begun.json["workout"] as? [String: Any])?["id"] as? Int)
        try site.startNodes()
        let roles = ["owner", "manager", "auditor", "trainer", "member"]
        let clients = try roles.map { role in
            let made = try owner.ask(
                "POST", "/api/v1/tokens",
                "{\"name\":\"\(role)-x\",\"role\":\"\(role)\",\"user\":\"\(other)\"}"
            ).reply
            return WebClient(site, token: try #require(made.json["token"] as? String))
        }
        let reads = [
            "workouts?user=\(user)", "workouts/\(workout)", "workouts/\(workout)/notes",
            "records?user=\(user)", "workouts/stats?user=\(user)", "workouts/export?user=\(user)",
        ]
        try site.wait("they are told of") {
            let topics = try owner.ask("GET", "/api/v1/snapshot").reply.json["topics"]
            return (topics as? [String: Any])?.keys.contains { $0.hasSuffix("\(user)/presence") }
                ?? false
        }
        var asked = 0
        func isIn(_ reply: WebReply, _ place: String) -> Bool {
            asked += 1
            let isIn = (200..<300).contains(reply.status)
            if !isIn {
                // Of a row of others a member is not even told that it is there.
                let refusals = ["forbidden", "consent_required", "not_found"]
                let isRefused = refusals.contains(reply.code ?? "")
                #expect(isRefused, "\(place): \(reply.json)")
            }
            return isIn
        }
        #expect(try owner.status("POST", "/api/v1/exercises/starter", "{}") == 200)
        var sets = 0
        for (place, training) in [(false, false), (true, false), (false, true), (true, true)] {
            #expect(
                try owner.status(
                    "PUT", "/api/v1/users/\(user)/sharing",
                    "{\"shares\":\(place),\"training\":\(training)}") == 200)
            for (role, client) in zip(roles, clients) {
                func check(_ door: Door, _ isIn: Bool, _ what: String) {
                    let expected = Self.expected(door, role, place: place, training: training)
                    #expect(isIn == expected, "\(role), \(place), \(training): \(what)")
                }
                for path in reads {
                    let reply = try client.ask("GET", "/api/v1/\(path)").reply
                    check(.training, isIn(reply, path), path)
                }
                let topics = try client.ask("GET", "/api/v1/snapshot").reply.json["topics"]
                let seen = (topics as? [String: Any] ?? [:]).keys
                asked += 1
                check(
                    .liveTraining, seen.contains { $0.hasSuffix("\(user)/workout") }, "workout")
                check(
                    .livePlace, seen.contains { $0.hasSuffix("\(user)/presence") }, "presence")
                sets += 1
                let set = """
                    {"id":"00000000-0000-4000-8000-00000000\(1000 + sets)","exercise":"bench-press","reps":5,"weight_kg":50}
                    """
                for (path, body) in [
                    ("workouts/\(workout)/notes", "{\"text\":\"n\"}"),
                    ("workouts/import?user=\(user)", "{\"csv\":\"x\",\"dry_run\":true}"),
                    ("workouts/\(workout)/sets", set),
                ] {
                    let reply = try client.ask("POST", "/api/v1/\(path)", body).reply
                    // What is wrong with the file is said to those only who may.
                    let isTold = reply.code == "schema" || reply.code == "bad_request"
                    check(.writing, isTold || isIn(reply, path), path)
                }
            }
        }
        #expect(asked > 140, "\(asked)")
    }
}
