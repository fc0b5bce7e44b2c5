import Foundation
import Testing

@testable import Platform
@testable import SiteModel

/// What managers keep, over HTTP as by the verbs: shifts, leave, calendars, webhooks, what is awaited.
@Suite(.ownThread) struct ProcessRosterTests {
    private func lines(_ site: RunningSite, _ verb: [String]) throws -> String {
        let run = try site.run("beaconmesh", verb + ["--json", "--database", site.database])
        #expect(run.status == 0, "\(run.errors)")
        let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        return try text(value)
    }

    private func text(_ value: Any?) throws -> String {
        String(
            decoding: try JSONSerialization.data(
                withJSONObject: try #require(value), options: .sortedKeys), as: UTF8.self)
    }

    @Test func `shifts, leave and calendars over HTTP are those of the verbs`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let (own, other) = (site.site.people[0].slug, site.site.people[1].slug)
        let shift = #"{"id":"early","start":"06:00","end":"14:00","break_min":30}"#
        let made = try owner.ask("POST", "/api/v1/shifts", shift, key: "k").reply
        #expect(made.status == 201 && made.json["break_min"] as? Int == 30)
        #expect(try owner.ask("POST", "/api/v1/shifts", shift, key: "k").reply.status == 201)
        #expect(try owner.ask("POST", "/api/v1/shifts", shift).reply.code == "overlap")
        let assigned = try owner.ask(
            "POST", "/api/v1/shifts/early/assignments",
            "{\"users\":[\"\(own)\",\"\(other)\"],\"from\":\"2026-03-30\",\"weekdays\":[1,2]}"
        ).reply
        #expect((assigned.json["assignments"] as? [Int])?.count == 2)
        let leave =
            "{\"user\":\"\(own)\",\"from\":\"2026-04-06\",\"to\":\"2026-04-08\",\"kind\":\"holiday\"}"
        #expect(try owner.status("POST", "/api/v1/leave", leave) == 204)
        #expect(try owner.status("DELETE", "/api/v1/leave/\(own)/2026-04-07") == 204)
        #expect(try owner.status("DELETE", "/api/v1/leave/\(own)/2026-04-07") == 404)
        let feed = try owner.ask("POST", "/api/v1/feeds", "{\"user\":\"\(own)\"}").reply
        let path = try #require(feed.json["path"] as? String)
        let calendar = try WebClient(site).ask("GET", path).reply
        #expect(String(decoding: calendar.body, as: UTF8.self).hasPrefix("BEGIN:VCALENDAR"))

        let whole = try owner.ask("GET", "/api/v1/shifts").reply.json
        #expect(try text(whole) == lines(site, ["shift", "list"]))
        let days = "?from=2026-04-01&to=2026-04-30"
        let listed = try owner.ask("GET", "/api/v1/leave" + days).reply.json
        #expect(
            try text(listed)
                == lines(site, ["leave", "list", "--from", "2026-04-01", "--to", "2026-04-30"]))
        #expect(try text(listed).contains("2026-04-06") && !text(listed).contains("2026-04-07"))
        let feeds = try owner.ask("GET", "/api/v1/feeds").reply.json
        #expect(try text(feeds) == lines(site, ["feed", "list"]))
        #expect(try !text(feeds).contains(path.suffix(20)), "the secret is not kept")

        // A member sees what is theirs, and may ask for no other.
        let member = try owner.invited("mia", "member", user: other)
        let theirs = try text(try member.ask("GET", "/api/v1/shifts").reply.json)
        #expect(theirs.contains(other) && !theirs.contains(own))
        #expect(try member.status("GET", "/api/v1/leave\(days)&user=\(own)") == 403)
        #expect(try !text(member.ask("GET", "/api/v1/leave" + days).reply.json).contains(own))
        #expect(try !text(member.ask("GET", "/api/v1/feeds").reply.json).contains(own))
        #expect(try member.status("POST", "/api/v1/shifts", shift) == 403)
        #expect(try member.status("POST", "/api/v1/shifts", shift) == 403)
        try site.wait("the audit says who was refused") {
            try site.rows(
                "SELECT entity_id FROM audit_log WHERE action = 'refuse' ORDER BY id")
                == ["POST /api/v1/shifts"]
        }
        #expect(
            try site.rows("SELECT value FROM audit_value WHERE value LIKE '{\"times%'")
                == [#"{"times":"2"}"#])

        #expect(
            try owner.status("POST", "/api/v1/assignments/1/end", #"{"last":"2026-05-01"}"#) == 204)
        #expect(
            try owner.status("POST", "/api/v1/shifts/early/end", #"{"last":"2026-06-01"}"#) == 204)
        #expect(
            try owner.status("POST", "/api/v1/shifts/early/end", #"{"last":"2026-06-01"}"#) == 404)
        #expect(try owner.status("DELETE", "/api/v1/feeds/1") == 204)
        #expect(try WebClient(site).status("GET", path) == 404)
    }

    @Test func `what cannot be of shifts and leave is refused by its code`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let own = site.site.people[0].slug
        let bodies: [(String, String, String)] = [
            ("shifts", #"{"id":"a","start":"25:00","end":"14:00"}"#, "schema"),
            ("shifts", #"{"id":"a","start":"06:00:30","end":"14:00"}"#, "schema"),
            ("shifts", #"{"id":"A b","start":"06:00","end":"14:00"}"#, "schema"),
            ("shifts", #"{"id":"a","start":"06:00","end":"14:00","break_min":-1}"#, "schema"),
            (
                "shifts", #"{"id":"a","start":"06:00","end":"14:00","late_grace_min":800}"#,
                "schema"
            ),
            ("shifts", #"{"id":"a","start":"06:00"}"#, "schema"),
            (
                "shifts/none/assignments", "{\"users\":[\"\(own)\"],\"from\":\"2026-03-30\"}",
                "not_found"
            ),
            ("leave", "{\"user\":\"\(own)\",\"from\":\"2026-02-30\"}", "schema"),
            (
                "leave", "{\"user\":\"\(own)\",\"from\":\"2026-03-30\",\"to\":\"2026-03-29\"}",
                "bad_request"
            ),
            ("leave", #"{"user":"u-no","from":"2026-03-30"}"#, "not_found"),
            ("feeds", #"{"user":"u-no"}"#, "not_found"),
            ("feeds", #"{"kind":"everything"}"#, "schema"), ("feeds", "", "schema"),
            ("shifts/early/assignments", #"{"users":[],"from":"2026-03-30"}"#, "bad_request"),
            ("assignments/99/end", #"{"last":"2026-05-01"}"#, "not_found"),
            ("assignments/x/end", #"{"last":"2026-05-01"}"#, "not_found"),
            ("webhooks", #"{"url":"ftp://a.example/"}"#, "bad_request"),
            ("webhooks", #"{"url":"http://a.example/"}"#, "bad_request"),
            ("webhooks", #"{"url":"https://a.example/","kinds":["test"]}"#, "schema"),
            ("calibration/rollback", #"{"revision":7}"#, "not_found"),
            ("calibration/forget", #"{"room":"loft"}"#, "not_found"),
        ]
        for (path, body, code) in bodies {
            let reply = try owner.ask("POST", "/api/v1/" + path, body).reply
            #expect(reply.code == code, "\(path) \(body): \(reply.status) \(reply.json)")
        }
        for table in ["shift", "shift_assignment", "leave_day", "feed", "webhook"] {
            #expect(try site.rows("SELECT count(*) FROM \(table)") == ["0"], "\(table)")
        }
        #expect(
            try owner.ask("GET", "/api/v1/leave?from=2026-01-01&to=2027-06-01").reply.code
                == "bad_request")
    }

    @Test func `a webhook is told of nobody's activity whose maker may not read it`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let token = try owner.ask("POST", "/api/v1/tokens", #"{"name":"m","role":"manager"}"#).reply
        let manager = WebClient(site, token: try #require(token.json["token"] as? String))
        for kind in ["step-goal", "move-reminder"] {
            let body = "{\"url\":\"https://a.example/\(kind)\",\"kinds\":[\"arrival\",\"\(kind)\"]}"
            let refused = try manager.ask("POST", "/api/v1/webhooks", body).reply
            #expect(refused.status == 403 && refused.code == "forbidden", "\(refused.json)")
            #expect(try owner.ask("POST", "/api/v1/webhooks", body).reply.status == 201)
        }
        let usual = try manager.ask("POST", "/api/v1/webhooks", #"{"url":"https://a.example/"}"#)
        #expect(usual.reply.status == 201, "\(usual.reply.json)")
    }

    @Test func `webhooks and rules of notifications over HTTP are those of the verbs`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let port = try FreePort.find(preferring: 0)
        let receiver = try WebhookReceiver(port: port, in: site.directory)
        defer { receiver.stop() }
        let url = "http://127.0.0.1:\(port)/gym"
        let body = "{\"url\":\"\(url)\",\"kinds\":[\"arrival\"],\"always\":true}"
        let made = try owner.ask("POST", "/api/v1/webhooks", body, key: "k").reply
        let secret = try #require(made.json["secret"] as? String)
        #expect(made.status == 201 && secret.count == 64)
        #expect(try owner.ask("POST", "/api/v1/webhooks", body).reply.code == "overlap")
        #expect(
            try owner.ask("POST", "/api/v1/webhooks", body, key: "k").reply.code == "bad_state",
            "the secret is shown once")
        try receiver.expect(secret: secret, at: "gym")
        try site.wait("the receiver takes a trial") {
            try owner.ask("POST", "/api/v1/webhooks/1/test", "{}").reply.json["delivered"] as? Bool
                ?? false
        }
        #expect(try receiver.arrivals(at: "gym").last?.genuine == true)
        let listed = String(
            decoding: try owner.ask("GET", "/api/v1/webhooks").reply.body, as: UTF8.self)
        #expect(listed.contains(url) && !listed.contains(secret))
        let rules = #"{"quiet":"22:00-07:00","urgent":["no-check-in"],"forgotten_hours":12}"#
        #expect(try owner.status("PUT", "/api/v1/notifications", rules) == 200)
        let shown = try lines(site, ["notifications", "show"])
        #expect(shown == #"{"forgotten_hours":12,"quiet":"22:00-07:00","urgent":["no-check-in"]}"#)
        #expect(
            try owner.ask("PUT", "/api/v1/notifications", #"{"quiet":"22-7"}"#).reply.code
                == "schema")
        #expect(try owner.status("DELETE", "/api/v1/webhooks/1") == 204)
        #expect(try owner.status("DELETE", "/api/v1/webhooks/1") == 404)
        #expect(
            try site.rows(
                "SELECT DISTINCT via FROM audit_log WHERE entity IN ('webhook', 'notice_rule')")
                == ["rest"])
    }

    @Test func `a node is excused over HTTP, and what is taught is told and put back`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let node = site.site.nodes[0].0
        let path = "/api/v1/attendance/waiting"
        let waiting = try owner.ask("GET", path).reply
        #expect(String(decoding: waiting.body, as: UTF8.self).contains(node))
        let excused = try owner.ask("POST", path + "/\(node)/excuse", #"{"reason":"lost"}"#).reply
        #expect(excused.json["reason"] as? String == "lost")
        #expect(
            try site.rows("SELECT ended_ms IS NULL FROM node_excuse") == ["1"])
        #expect(try owner.status("DELETE", path + "/\(node)/excuse") == 200)
        #expect(
            try site.rows("SELECT ended_ms IS NULL FROM node_excuse") == ["0"])
        #expect(try owner.status("POST", path + "/n-no/excuse", #"{"reason":"lost"}"#) == 404)
        let taught = try owner.ask("GET", "/api/v1/calibration").reply
        #expect((taught.json["models"] as? [Any])?.isEmpty == true)
        #expect(
            try owner.ask("POST", "/api/v1/calibration/discard", "{}").reply.json["seconds"] as? Int
                == 0)
        let room = "{\"room\":\"\(site.site.rooms[0])\"}"
        #expect(
            try owner.ask("POST", "/api/v1/calibration/forget", room).reply.json["seconds"] as? Int
                == 0)
    }

    @Test func `a whole site file is put in place of the old one unless somebody was quicker`()
        throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let path = "/api/v1/site.yaml"
        let first = try owner.ask("GET", path)
        let tag = try #require(first.headers["Etag"] ?? first.headers["ETag"])
        let text = String(decoding: first.reply.body, as: UTF8.self)
        let name = site.site.people[0].name
        let changed = text.replacing(name, with: "Somebody Else")
        func put(_ body: String, _ tag: String?, type: String = "application/yaml") throws
            -> WebReply
        {
            var headers = ["Content-Type": type]
            headers["If-Match"] = tag
            return try owner.ask("PUT", path, body, headers: headers).reply
        }
        #expect(try put(changed, tag).status == 204)
        #expect(try site.rows("SELECT count(*) FROM user WHERE name = 'Somebody Else'") == ["1"])
        #expect(try put(text, tag).code == "precondition_failed")
        #expect(try put(text, nil, type: "text/plain").code == "unsupported_type")
        let now = String(decoding: try owner.ask("GET", path).reply.body, as: UTF8.self)
        #expect(now == changed, "byte for byte")
        for wrong in ["", "site: {id: other}\n", "[", changed + "colour: red\n"] {
            let reply = try put(wrong, nil)
            #expect(reply.code == "schema", "\(wrong.suffix(20)): \(reply.json)")
        }
        let after = String(decoding: try owner.ask("GET", path).reply.body, as: UTF8.self)
        #expect(after == changed)
    }

    @Test func `the verb asks another machine's coordinator with a token, and never in the clear`()
        throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let made = try owner.ask(
            "POST", "/api/v1/tokens",
            #"{"name":"hr","role":"integration","scopes":["people:read"]}"#)
        let secret = try #require(made.reply.json["token"] as? String)
        let file = try site.write(secret + "\n", to: "hr.token")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let server = try #require(site.dashboard)
        func ask(_ words: [String], server: String = server) throws -> RunningProgram {
            try site.run(
                "beaconmesh", ["api", "--server", server, "--token-file", file] + words)
        }
        let people = try ask(["GET", "/api/v1/users?limit=1"])
        #expect(people.status == 0 && people.output.contains(site.site.people[0].slug))
        #expect(try ask(["PATCH", "/api/v1/users/x", "{\"name\":\"a\\\"b\"}"]).status == 5)
        #expect(try ask(["GET", "/api/v1/users/none"]).status == 3)
        let head = try ask(["--include", "GET", "/api/v1/session"])
        #expect(head.output.contains("200 OK") && head.output.contains("token:hr"))
        let clear = try ask(["GET", "/api/v1/users"], server: "http://gym.example")
        #expect(clear.status == 64)
        #expect(try ask(["GET", "/"], server: "http://127.0.0.1:1").status == 69)
        #expect(try owner.status("DELETE", "/api/v1/tokens/hr") == 204)
        #expect(try ask(["GET", "/api/v1/users"]).status == 77)
    }
}
