import Foundation
import Testing

@testable import SiteModel
@testable import Wire

/// Steps of a person, at a real coordinator.
@Suite(.ownThread) struct ProcessActivityTests {
    private static let hour: Int64 = 3_600_000

    private func site() throws -> RunningSite {
        var text = SiteText()
        // An hour ago must be today.
        if Int(Date().timeIntervalSince1970) % 86_400 < 3600 { text.zone = "Etc/GMT-12" }
        let site = try RunningSite(text)
        try site.takeToken()
        try site.startCoordinator()
        return site
    }

    private func sample(
        _ id: String, _ from: Int64, _ to: Int64, _ steps: Int, _ more: String = ""
    ) -> String {
        #"{"id":"\#(id)","source":"phone","from_ms":\#(from),"to_ms":\#(to),"steps":\#(steps)\#(more)}"#
    }

    @Test func `a phone sends steps, and its person alone sees them`() throws {
        let site = try site()
        defer { site.stop() }
        let (user, other) = (site.people[0].slug, site.people[1].slug)
        let (member, stranger) = (
            try site.token("member", of: user), try site.token("member", of: other)
        )
        let manager = try site.token("manager", of: other)
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        func send(_ samples: [String], _ token: String, _ more: String = "") throws -> WebReply {
            try site.post(
                "../activity/samples", "{\"samples\":[\(samples.joined(separator: ","))]\(more)}",
                token: token)
        }
        func codes(_ reply: WebReply) -> [String] {
            (reply.json["results"] as? [[String: Any]] ?? []).map { $0["code"] as? String ?? "ok" }
        }
        func total(_ query: String, _ token: String) throws -> [String: Any]? {
            try site.post("../activity?" + query, "", token: token, method: "GET")
                .json["total"] as? [String: Any]
        }
        let first = sample("a", now - 900_000, now - 600_000, 400)
        let sent = try send(
            [
                first,
                sample("b", now - 600_000, now - 300_000, 600, #","distance_m":412.5,"kcal":20"#),
                sample("c", now - 700_000, now - 500_000, 1), sample("d", now, now + 61_000, 1),
                sample("e", now - 60_000, now, 601), sample("f", now, now - 1, 1),
                #"{"id":"g","source":"phone","steps":5}"#,
                #"{"id":"h","source":"a\u0000","from_ms":1,"to_ms":2,"steps":5}"#,
                #"{"id":"","source":"phone","from_ms":1,"to_ms":2,"steps":5}"#,
            ], member)
        #expect(sent.status == 200, "\(sent.json)")
        #expect(
            codes(sent) == [
                "ok", "ok", "overlap", "bad_time", "schema", "bad_time", "schema", "schema",
                "schema",
            ])
        #expect(
            codes(try send([first, sample("a", now - 900_000, now - 600_000, 401)], member)) == [
                "ok", "idempotency_mismatch",
            ])
        let details = (sent.json["results"] as? [[String: Any]])?.map { $0["detail"] as? String }
        #expect(details?[6] == "from_ms is missing" && details?[0] == nil, "\(sent.json)")
        let asked = try site.post(
            "../activity/samples?user=\(user)", #"{"samples":[]}"#, token: member)
        #expect(asked.status == 400 && asked.json["code"] as? String == "bad_request")
        // By their own token, by the owner's, and by nobody else's.
        let shown = try total("range=week", member)
        #expect(shown?["steps"] as? Int == 1000, "\(String(describing: shown))")
        #expect(shown?["distance_m"] as? Double == 400 * 0.74 + 412.5)
        #expect(shown?["kcal"] is NSNull, "a weight is needed")
        #expect(try total("user=\(user)&range=week", "letmein")?["steps"] as? Int == 1000)
        for stranger in [stranger, manager] {
            for (path, method) in [
                ("?user=\(user)", "GET"), ("?user=\(user)", "DELETE"),
                ("/settings?user=\(user)", "GET"),
                ("/export?user=\(user)", "GET"),
            ] {
                let reply = try site.post("../activity" + path, "", token: stranger, method: method)
                #expect(reply.status == 403, "\(method) \(path): \(reply.json)")
            }
            #expect(try send([first], stranger, #","user":"\#(user)""#).status == 403)
            // Nor in a body that is long.
            let long = #","user":"\#(user)""# + String(repeating: " ", count: 100_000)
            #expect(try send([first], stranger, long).status == 403)
        }
        for (date, status) in [
            ("1971-01-01", 200), ("9998-12-31", 200), ("1970-12-31", 400), ("9999-12-31", 400),
            ("2026-02-30", 400), ("today", 400),
        ] {
            let reply = try site.post(
                "../activity?range=month&date=\(date)", "", token: member, method: "GET")
            #expect(reply.status == status, "\(date): \(reply.json)")
        }
        // What is set replaces all, and the estimates follow it.
        func set(_ body: String) throws -> WebReply {
            try site.post("../activity/settings", body, token: member, method: "PUT")
        }
        let settings = try set(
            #"{"goal":1,"units":"mi","weight_kg":80,"stride_m":1,"primary_source":"phone","#
                + #""reminder":{"at":"18:00","weekdays":[7,1]}}"#)
        #expect(settings.status == 200, "\(settings.json)")
        #expect((settings.json["reminder"] as? [String: Any])?["weekdays"] as? [Int] == [1, 7])
        #expect((settings.json["goals"] as? [[String: Any]])?.count == 1)
        let told = try total("range=week", member)
        #expect(told?["distance_m"] as? Double == 812.5)
        #expect(told?["kcal"] as? Double == 38.24)
        for body in [
            #"{"goal":0}"#, #"{"goal":1.5}"#, #"{"units":"furlong"}"#, #"{"weight_kg":5}"#,
            #"{"reminder":{"at":"24:00","weekdays":[1]}}"#,
            #"{"reminder":{"at":"08:00","weekdays":[]}}"#,
            #"{"reminder":{"at":"08:00","weekdays":[1,1]}}"#, #"{"from_date":"2026-02-30"}"#,
            #"{"more":1}"#, #"{"primary_source":"a\u0000"}"#,
        ] {
            #expect(try set(body).json["code"] as? String == "schema", "\(body)")
        }
        // As CSV, in which no name of a source is a formula.
        _ = try send(
            [first.replacing("\"a\"", with: "\"z\"").replacing("\"phone\"", with: "\"=1+1\"")],
            member)
        let csv = String(
            decoding: try site.post("../activity/export", "", token: member, method: "GET").body,
            as: UTF8.self)
        #expect(csv.hasPrefix("date,steps,distance_m,kcal,moving_s,source,goal\r\n"), "\(csv)")
        #expect(csv.contains(",phone,1\r\n") && !csv.contains(",=1+1"), "\(csv)")
        // The goal was reached, on each of the days that this touches, and is told once a day.
        try site.wait("the goal is told") { !site.told(.goal).isEmpty }
        _ = try send([sample("y", now - 300_000, now - 240_000, 100)], member)
        let hits = try site.rows("SELECT date FROM goal_hit ORDER BY date")
        try site.wait("and no more") { site.told(.goal).count == hits.count }
        #expect(site.told(.goal).sorted() == hits)
        // A reminder of this minute comes at once, by the clocks of the site.
        let there = Date() + (site.site.zone == "UTC" ? 0 : 12 * 3600)
        let clock = there.formatted(.iso8601.time(includingFractionalSeconds: false)).prefix(5)
        let reminded = try set(
            #"{"goal":1,"reminder":{"at":"\#(clock)","weekdays":[1,2,3,4,5,6,7]}}"#)
        #expect(reminded.status == 200, "\(reminded.json)")
        try site.wait("the reminder is told") { site.told(.reminder).count == 1 }
        // Steps that are made up come and go by the verb.
        func demo(_ more: [String]) throws -> [String] {
            let run = try site.run(
                "beaconmesh", ["demo", "seed", "--database", site.database] + more)
            #expect(run.status == 0, "\(run.errors)")
            return try site.rows("SELECT count(*) FROM activity_source WHERE demo = 1")
        }
        #expect(try demo(["--days", "2"]) == ["\(site.people.count)"])
        #expect(try demo(["--remove"]) == ["0"])
        // A reset takes all samples, and the same may come again.
        #expect(try site.post("../activity", "", token: member, method: "DELETE").status == 204)
        #expect(try total("range=week", member)?["steps"] as? Int == 0)
        #expect(codes(try send([first], member)) == ["ok"])
        let erased = try site.run(
            "beaconmesh", ["erase", user, "--yes", "--database", site.database])
        #expect(erased.status == 0, "\(erased.errors) \(erased.output)")
        try site.wait("nothing of it is left") {
            (try? site.rows(
                """
                SELECT (SELECT count(*) FROM activity_sample) + (SELECT count(*) FROM activity_source)
                    + (SELECT count(*) FROM activity_setting) + (SELECT count(*) FROM activity_goal)
                """)) == ["0"]
        }
    }

    @Test func `a phone has a token of its own, which opens nothing else`() throws {
        let site = try site()
        defer { site.stop() }
        let (user, other) = (site.people[0].slug, site.people[1].slug)
        let member = try site.token("member", of: user)
        let stranger = try site.token("member", of: other)
        func phones(_ token: String, _ body: String = "{}") throws -> WebReply {
            try site.post("../activity/phones", body, token: token)
        }
        let made = try phones(member)
        let (name, phone) = (
            try #require(made.json["name"] as? String, "\(made.json)"),
            try #require(made.json["token"] as? String)
        )
        #expect(made.status == 201 && name == "phone-\(user)-1")
        func get(_ path: String, _ token: String) throws -> WebReply {
            try site.post("../" + path, "", token: token, method: "GET")
        }
        let listed = try get("activity/phones", member).json["phones"] as? [[String: Any]]
        #expect(listed?.map { $0["name"] as? String } == [name] && listed?[0]["used_ms"] is NSNull)
        // Moments as text, as Shortcuts write them, and the body of an app.
        let sent = try site.post(
            "../activity/samples",
            #"{"samples":[{"id":"s","source":"iphone","from":"2026-01-05T14:03:00+02:00","#
                + #""to":"2026-01-05T13:03:00Z","steps":812},{"id":"t","source":"iphone","from":"today","#
                + #""to":"2026-01-05T13:03:00Z","steps":1}]}"#, token: phone)
        let results = sent.json["results"] as? [[String: Any]]
        #expect(
            results?[0]["code"] == nil && results?[1]["code"] as? String == "schema", "\(sent.json)"
        )
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        let times = [now - 900_000, now - 600_000].map {
            Date(timeIntervalSince1970: Double($0) / 1000).formatted(.iso8601)
        }
        let record = "{\"count\":77,\"start_time\":\"\(times[0])\",\"end_time\":\"\(times[1])\"}"
        let app = try site.post(
            "../activity/app",
            "{\"timestamp\":\"t\",\"steps\":[\(record)],\"exercise\":[{\"type\":\"79\","
                + "\"start_time\":\"\(times[0])\",\"end_time\":\"\(times[1])\"}]}", token: phone)
        #expect(app.status == 200 && app.json["stored"] as? Int == 2, "\(app.json)")
        // With a key it is done once, and nothing else is done with that.
        let body = "{\"timestamp\":\"t\",\"steps\":[\(record)]}"
        let once = try site.post("../activity/app", body, token: phone, key: "k")
        #expect(once.status == 200)
        #expect(
            try site.post("../activity/app", body, token: phone, key: "k").json["stored"] as? Int
                == once.json["stored"] as? Int)
        #expect(
            try site.post("../activity/app", "{\"a\":1}", token: phone, key: "k").json["code"]
                as? String == "idempotency_mismatch")
        let none = try site.post("../activity/app", "{\"a\":1}", token: phone)
        #expect(none.json["app"] is NSNull && none.json["stored"] as? Int == 0)
        #expect(
            try site.post("../activity/app", "no JSON", token: phone).json["code"] as? String
                == "schema")
        #expect(try get("activity?range=week", phone).status == 200)
        for path in [
            "activity?user=\(other)", "workouts", "users/\(user)", "attendance/sessions", "tokens",
        ] {
            #expect(try get(path, phone).status == 403, "\(path)")
        }
        #expect(try site.post("../activity/app?user=\(other)", "{}", token: phone).status == 403)
        #expect(try site.post("check-in", "{}", token: phone).status == 403)
        #expect(try phones(phone).status == 403, "a phone makes no other")
        #expect(try site.post("../activity", "", token: phone, method: "DELETE").status == 403)
        #expect(
            try site.post("../activity/settings", "{}", token: phone, method: "PUT").status == 403)
        // Ended by its person, and by nobody else.
        func end(_ token: String, _ more: String = "") throws -> Int {
            try site.post("../activity/phones/\(name)\(more)", "", token: token, method: "DELETE")
                .status
        }
        #expect(try end(phone) == 403)
        #expect(try end(stranger) == 404)
        #expect(try end(stranger, "?user=\(user)") == 403)
        #expect(try end(member) == 204)
        #expect(try get("activity", phone).status == 401)
        for _ in 0..<8 { #expect(try phones(member).status == 201) }
        #expect(try phones(member).json["code"] as? String == "rate_limited")
        // Of those who make tokens for others, too.
        #expect(
            try site.post(
                "../tokens", #"{"name":"x","role":"integration","scopes":["activity"]}"#
            ).status == 400)
        #expect(
            try site.post(
                "../tokens",
                #"{"name":"y","role":"member","user":"\#(user)","scopes":["live:read"]}"#
            ).status == 400)
    }

    @Test func `phones that are added at the same time have names of their own`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let user = site.site.people[0].slug
        let requests = try (0..<6).map { _ in
            try owner.request("POST", "/api/v1/activity/phones", "{\"user\":\"\(user)\"}")
        }
        let made = try site.answers(to: requests).map(\.reply)
        #expect(made.map(\.status) == Array(repeating: 201, count: 6), "\(made.map(\.json))")
        #expect(Set(made.compactMap { $0.json["name"] as? String }).count == 6)
    }

    @Test func `a flood of samples is bounded, and nothing of what was answered is lost`() throws {
        let site = try site()
        defer { site.stop() }
        let user = site.people[0].slug
        let member = try site.token("member", of: user)
        let begin = Int64(Date().timeIntervalSince1970 * 1000) - 100 * 24 * Self.hour
        var stored = 0
        var refused = 0
        for batch in 0..<25 {
            let samples = (0..<1000).map { number in
                let from = begin + Int64(batch * 1000 + number) * 60_000
                return sample("\(batch)-\(number)", from, from + 60_000, 50)
            }
            let reply = try site.post(
                "../activity/samples", "{\"samples\":[\(samples.joined(separator: ","))]}",
                token: member)
            if reply.status == 200 {
                let results = try #require(reply.json["results"] as? [[String: Any]])
                #expect(results.allSatisfy { $0["code"] == nil })
                stored += results.count
            } else {
                #expect(reply.status == 429 && reply.json["code"] as? String == "rate_limited")
                refused += 1
            }
        }
        #expect(stored == 20_000 && refused == 5)
        #expect(try site.rows("SELECT count(*) FROM activity_sample") == ["\(stored)"])
        let much = try site.post(
            "../activity/samples",
            "{\"samples\":[\((0..<1001).map { sample("\($0)", 0, 1, 0) }.joined(separator: ","))]}",
            token: member)
        #expect(much.json["code"] as? String == "schema")
    }
}

extension RunningSite {
    /// The days that notifications of a kind are about.
    fileprivate func told(_ kind: NotificationPayload.Kind) -> [String] {
        watcher.messages.filter { $0.topic.contains("/notify/") }
            .compactMap { try? NotificationPayload(json: $0.payload.span) }
            .filter { $0.kind == kind }.compactMap(\.subject)
    }
}
