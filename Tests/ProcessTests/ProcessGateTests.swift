import Foundation
import FoundationNetworking
import Glibc
import Testing

/// No right is had by a side door, and nothing that is asked at once gets in the way of itself.
@Suite(.serialized, .ownThread) struct ProcessGateTests {
    private func integration(_ owner: WebClient, _ scopes: String...) throws -> WebClient {
        let name = scopes.joined(separator: ".").replacing(":", with: "-")
        let words = scopes.joined(separator: "\",\"")
        let body = "{\"name\":\"\(name)\",\"role\":\"integration\",\"scopes\":[\"\(words)\"]}"
        let made = try owner.ask("POST", "/api/v1/tokens", body).reply
        return WebClient(owner.site, token: try #require(made.json["token"] as? String))
    }

    @Test func `a file changes only what its asker may change`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let path = "/api/v1/site.yaml"
        let people = try integration(owner, "people:write")
        let text = String(decoding: try owner.ask("GET", path).reply.body, as: UTF8.self)
        func put(_ text: String, _ client: WebClient) throws -> WebReply {
            try client.ask("PUT", path, text, headers: ["Content-Type": "application/yaml"]).reply
        }
        let renamed = text.replacing(site.site.people[0].name, with: "Somebody Else")
        #expect(try put(renamed, people).status == 204)
        let more = "  - id: annexe\n    name: Annexe\n"
        let wrong = [
            ("rooms", renamed.replacing("rooms:\n", with: "rooms:\n" + more)),
            ("settings", renamed.replacing("Gym", with: "Iron")),
        ]
        for (what, text) in wrong {
            let reply = try put(text, people)
            #expect(reply.status == 403 && reply.code == "forbidden", "\(what): \(reply.json)")
            let detail = reply.json["detail"] as? String ?? ""
            #expect(detail.contains(what) && detail.contains("places.write"), "\(detail)")
        }
        let now = String(decoding: try owner.ask("GET", path).reply.body, as: UTF8.self)
        #expect(now == renamed, "byte for byte")
        #expect(try put(wrong[0].1, owner).status == 204)
    }

    @Test func `who retires an owner, manager or auditor needs the right to end their account`()
        throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let (users, path) = ("/api/v1/users", "/api/v1/site.yaml")
        for user in ["u-olga", "u-max", "u-tom", "u-mia", "u-ben"] {
            let body = "{\"id\":\"\(user)\",\"name\":\"Name of \(user)\"}"
            #expect(try owner.status("POST", users, body) == 201)
        }
        let other = try owner.invited("olga", "owner", user: "u-olga")
        let manager = try owner.invited("max", "manager", user: "u-max")
        let made = try owner.ask(
            "POST", "/api/v1/tokens", #"{"name":"books","role":"auditor","user":"u-tom"}"#)
        let auditor = WebClient(site, token: try #require(made.reply.json["token"] as? String))
        _ = try owner.invited("mia", "trainer", user: "u-mia")
        let before = String(decoding: try owner.ask("GET", path).reply.body, as: UTF8.self)
        func file(without user: String) -> String {
            before.split(separator: "\n").filter { !$0.contains("\"\(user)\"") }
                .joined(separator: "\n") + "\n"
        }
        func put(_ text: String, _ client: WebClient) throws -> WebReply {
            try client.ask("PUT", path, text, headers: ["Content-Type": "application/yaml"]).reply
        }
        let people = try integration(owner, "people:write")
        for asker in [manager, people] {
            for user in ["u-olga", "u-max", "u-tom"] {
                #expect(file(without: user) != before)
                let answers = [
                    try asker.ask("DELETE", "\(users)/\(user)").reply,
                    try put(file(without: user), asker),
                ]
                for reply in answers {
                    #expect(reply.status == 403 && reply.code == "forbidden", "\(reply.json)")
                    let detail = reply.json["detail"] as? String ?? ""
                    #expect(detail.contains(user) && detail.contains("need accounts"), "\(detail)")
                }
            }
        }
        let now = String(decoding: try owner.ask("GET", path).reply.body, as: UTF8.self)
        #expect(now == before, "byte for byte")
        for client in [other, manager, auditor] {
            #expect(try client.status("GET", "/api/v1/session") == 200, "nothing is changed")
        }
        #expect(try put(file(without: "u-ben"), manager).status == 204, "they have no account")
        #expect(try manager.status("DELETE", "\(users)/u-mia") == 204, "a trainer")
        #expect(try owner.status("PATCH", "/api/v1/accounts/max", #"{"disabled":true}"#) == 200)
        #expect(try people.status("DELETE", "\(users)/u-max") == 204, "it lets nobody in")
        for user in ["u-olga", "u-tom"] {
            #expect(try owner.status("DELETE", "\(users)/\(user)") == 204)
        }
        #expect(try other.status("GET", "/api/v1/session") == 401)
    }

    @Test func `an answer to a write tells no more than its asker may read`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let (slug, name) = (site.site.people[0].slug, site.site.people[0].name)
        let people = try integration(owner, "people:write")
        let patched = try people.ask("PATCH", "/api/v1/users/\(slug)", "{}").reply
        #expect(patched.status == 200)
        #expect(Set(patched.json.keys) == ["id"], "\(patched.json)")
        let renamed = try people.ask("PATCH", "/api/v1/users/\(slug)", "{\"name\":\"\(name)\"}")
        #expect(renamed.reply.json["name"] as? String == name, "what they wrote")
        let full = try owner.ask("PATCH", "/api/v1/users/\(slug)", "{}").reply
        #expect(full.json["name"] as? String == name)

        let node =
            "{\"id\":\"n-own\",\"name\":\"A phone\",\"role\":\"mobile\",\"user\":\"\(slug)\"}"
        let places = try integration(owner, "places:write")
        let refused = try places.ask("POST", "/api/v1/nodes", node).reply
        #expect(refused.status == 403, "who carries a node is about people: \(refused.json)")
        #expect(try owner.status("GET", "/api/v1/nodes/n-own") == 404)
        #expect(try owner.status("POST", "/api/v1/nodes", node) == 201)
        let carried = try places.ask("PATCH", "/api/v1/nodes/n-own", "{}").reply
        #expect(carried.status == 200 && Set(carried.json.keys) == ["id"], "\(carried.json)")

        let checkIn = try owner.ask(
            "POST", "/api/v1/attendance/check-in", "{\"user\":\"\(slug)\"}")
        let session = try #require(checkIn.reply.json["id"] as? Int, "\(checkIn.reply.json)")
        let body = "{\"change\":\"reviewed\",\"session\":\(session),\"reason\":\"looked at it\"}"
        let attendance = try integration(owner, "attendance:write")
        let asked = try attendance.ask("POST", "/api/v1/attendance/corrections", body).reply
        #expect(asked.status == 200, "\(asked.json)")
        #expect(
            Set(asked.json.keys) == ["id", "change", "session", "state"], "\(asked.json)")
    }

    @Test func `a program for wages sees and writes nothing of what people train`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let slug = site.site.people[0].slug
        let begun = try owner.ask("POST", "/api/v1/workouts", "{\"user\":\"\(slug)\"}").reply
        let workout = try #require((begun.json["workout"] as? [String: Any])?["id"] as? Int)
        let reads = [
            "workouts?user=\(slug)", "workouts/\(workout)", "records?user=\(slug)",
            "workouts/export?user=\(slug)", "workouts/\(workout)/notes",
        ]
        let end = "/api/v1/workouts/\(workout)/complete"
        let wages = try integration(owner, "attendance:read", "attendance:write")
        let reader = try integration(owner, "workouts:read")
        let writer = try integration(owner, "workouts:write")
        for path in reads {
            #expect(try wages.status("GET", "/api/v1/\(path)") == 403, "\(path)")
            #expect(try writer.status("GET", "/api/v1/\(path)") == 403, "\(path)")
            #expect(try reader.status("GET", "/api/v1/\(path)") == 200, "\(path)")
        }
        #expect(try wages.status("POST", end, "{}") == 403)
        #expect(try reader.status("POST", end, "{}") == 403)
        #expect(try writer.status("POST", end, "{}") == 200)
        let again = "/api/v1/workouts/current/reopen"
        #expect(try writer.status("POST", again, "{\"user\":\"\(slug)\"}") == 200, "the newest")
        #expect(try wages.status("GET", "/api/v1/attendance/sessions") == 200)
        #expect(try writer.status("GET", "/api/v1/attendance/sessions") == 403)
    }

    @Test func `nodes stop telling of others when the time for it is over`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        func policy() throws -> [String: Any] {
            try owner.ask("GET", "/api/v1/policy").reply.json
        }
        func put(_ until: Int64?) throws -> WebReply {
            let more = until.map { ",\"publish_unregistered_until_ms\":\($0)" } ?? ""
            return try owner.ask(
                "PUT", "/api/v1/policy", "{\"publish_unregistered\":true\(more)}"
            ).reply
        }
        #expect(try put(-1).status == 400)
        #expect(try put(nil).json["publish_unregistered"] as? Bool == true)
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        let made = try put(now + 5000)
        #expect(made.status == 200, "\(made.json)")
        #expect(try policy()["publish_unregistered_until_ms"] as? Int64 == now + 5000)
        // Who turns it off need not know of the time.
        let off = "{\"publish_unregistered\":false,\"publish_unregistered_until_ms\":\(now + 5000)}"
        let ended = try owner.ask("PUT", "/api/v1/policy", off).reply
        #expect(ended.status == 200 && ended.json["publish_unregistered_until_ms"] == nil)
        #expect(try put(now + 5000).status == 200)
        try site.wait("it ends") { try policy()["publish_unregistered"] as? Bool == false }
        #expect(Int64(Date().timeIntervalSince1970 * 1000) >= now + 5000)
        #expect(try policy()["publish_unregistered_until_ms"] == nil)
        // Without a time it stays, though it is looked at every two seconds.
        #expect(try put(nil).status == 200)
        Thread.sleep(forTimeInterval: 3)
        #expect(try policy()["publish_unregistered"] as? Bool == true)
    }

    @Test func `changes of different rows wait for each other`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let requests = try (0..<40).map { index in
            let slug = site.site.people[index % site.site.people.count].slug
            return try owner.request(
                "PATCH", "/api/v1/users/\(slug)", "{\"name\":\"Number \(index)\"}")
        }
        let statuses = try site.answers(to: requests).map(\.reply.status)
        #expect(Set(statuses) == [200], "\(statuses)")
    }

    @Test func `a key whose first request is at work is answered as that is`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let body = #"{"id":"annexe","name":"Annexe"}"#
        let requests = try (0..<12).map { _ in
            try owner.request("POST", "/api/v1/rooms", body, key: "one")
        }
        let answers = try site.answers(to: requests)
        #expect(Set(answers.map(\.reply.status)) == [201])
        #expect(Set(answers.map(\.reply.body)).count == 1)
        let replayed = answers.filter { $0.headers["Idempotency-Replayed"] == "true" }
        #expect(replayed.count == answers.count - 1)
    }

    @Test func `of two that use one key at once one is done, and the other is told so`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let people = site.site.people.prefix(2).map(\.slug)
        for round in 0..<8 {
            let verb = round.isMultiple(of: 2) ? "check-in" : "check-out"
            let requests = try people.map {
                try owner.request(
                    "POST", "/api/v1/attendance/\(verb)", "{\"user\":\"\($0)\"}", key: "k-\(round)")
            }
            let answers = try site.answers(to: requests).map(\.reply)
            let codes = answers.map { $0.code ?? "done" }
            #expect(codes.filter { $0 == "idempotency_mismatch" }.count == 1, "\(codes)")
            // The other one has its own answer: a session of theirs, or why there is none.
            for (person, answer) in zip(people, answers) where answer.status == 200 {
                #expect(answer.json["user"] as? String == person)
            }
        }
    }

    /// The answer of what was done was stored with it, so that nothing is in doubt.
    @Test func `a coordinator that dies leaves of each key all or nothing`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let slug = site.site.people[0].slug
        let asked = [
            ("/api/v1/rooms", #"{"id":"annexe","name":"Annexe"}"#),
            ("/api/v1/leave", "{\"user\":\"\(slug)\",\"from\":\"2026-08-03\"}"),
            ("/api/v1/attendance/check-in", "{\"user\":\"\(slug)\"}"),
        ]
        let first = try asked.map { try owner.ask("POST", $0.0, $0.1, key: "done\($0.0)").reply }
        func revision() throws -> String { try site.rows("SELECT revision FROM site")[0] }
        let old = try revision()
        func rooms() throws -> [URLRequest] {
            try (0..<24).map {
                try owner.request(
                    "POST", "/api/v1/rooms", "{\"id\":\"r-\($0)\",\"name\":\"R\"}", key: "r-\($0)")
            }
        }
        let process = try #require(site.coordinator).processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { Glibc.kill(process, SIGKILL) }
        let before = try site.answers(to: try rooms()).map(\.reply)
        try site.wait("it is dead") { site.coordinator?.isRunning == false }
        try site.startCoordinator()
        for (index, (path, body)) in asked.enumerated() {
            let again = try owner.ask("POST", path, body, key: "done\(path)")
            #expect(again.reply.status == first[index].status, "\(path): \(again.reply.json)")
            #expect(again.reply.body == first[index].body, "\(path)")
            #expect(again.headers["Idempotency-Replayed"] == "true", "\(path)")
        }
        let after = try site.answers(to: try rooms())
        #expect(Set(after.map(\.reply.status)) == [201])
        for (old, new) in zip(before, after) where old.status == 201 {
            #expect(old.body == new.reply.body && new.headers["Idempotency-Replayed"] == "true")
        }
        let made = try #require(Int(try revision()))
        #expect(made == (Int(old) ?? 0) + 24, "each was done once")
    }

    @Test func `keys of check-ins and workouts are those of all requests`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let slug = site.site.people[0].slug
        let path = "/api/v1/attendance/check-in"
        let body = "{\"user\":\"\(slug)\"}"
        let first = try owner.ask("POST", path, body, key: "in-1")
        #expect(first.reply.status == 200, "\(first.reply.json)")
        let metrics = String(decoding: try owner.ask("GET", "/metrics").reply.body, as: UTF8.self)
        for name in [
            "mesh_http_answer_seconds_count{kind=\"write\"}", "mesh_db_transaction_seconds_count",
            "mesh_loop_turn_seconds_count", "mesh_requests_waiting",
        ] {
            let line = metrics.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
            let value = line.split(separator: " ").last.flatMap { Int($0) }
            #expect(
                value.map { $0 > 0 } ?? false || name == "mesh_requests_waiting" && value == 0,
                "\(line)")
        }
        let again = try owner.ask("POST", path, body, key: "in-1")
        #expect(again.reply.body == first.reply.body)
        #expect(again.headers["Idempotency-Replayed"] == "true")
        let other = "{\"user\":\"\(site.site.people[1].slug)\"}"
        #expect(
            try owner.ask("POST", path, other, key: "in-1").reply.code == "idempotency_mismatch")
        let room = #"{"id":"annexe","name":"Annexe"}"#
        #expect(
            try owner.ask("POST", "/api/v1/rooms", room, key: "in-1").reply.code
                == "idempotency_mismatch")
        #expect(try owner.status("GET", "/api/v1/rooms/annexe") == 404)
    }
}
