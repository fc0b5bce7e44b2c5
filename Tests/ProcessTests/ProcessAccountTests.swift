import Foundation
import Testing

@testable import SiteModel

/// People and programs at the door of a running coordinator.
@Suite(.ownThread) struct ProcessAccountTests {
    private let password = WebClient.password

    private func site() throws -> (site: RunningSite, owner: WebClient) {
        let site = try RunningSite()
        return (site, try site.claimed())
    }

    @Test func `a site is claimed once, with the code of the log`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        let code = try site.claimCode()
        let first = WebClient(site)
        #expect(try first.ask("GET", "/api/v1/claim").reply.json["open"] as? Bool == true)
        let body = { (code: String, password: String) in
            "{\"code\":\"\(code)\",\"name\":\"ada\",\"password\":\"\(password)\"}"
        }
        let path = "/api/v1/claim"
        #expect(try first.ask("POST", path, body("AAAA-AAAA", password)).reply.status == 401)
        #expect(try first.ask("POST", path, body(code, "short")).reply.code == "bad_request")
        let answer = try first.ask("POST", path, body(code, password))
        #expect(answer.reply.status == 201)
        #expect(answer.reply.json["role"] as? String == "owner")
        let cookie = answer.headers["Set-Cookie"] ?? ""
        #expect(cookie.contains("; HttpOnly; SameSite=Strict") && !cookie.contains("Secure"))
        var second = WebClient(site)
        #expect(try second.enter(path, body(code, password)) == 409)
        #expect(try second.ask("GET", path).reply.json["open"] as? Bool == false)
        #expect(
            try site.rows("SELECT action FROM audit_log WHERE entity = 'account' ORDER BY id")
                == ["claim", "sign-in"])
        let secrets = try site.rows(
            "SELECT count(*) FROM audit_value WHERE value LIKE '%\(password)%'")
        #expect(secrets == ["0"])
    }

    @Test func `people sign in and out, and guessing is slowed down`() throws {
        let (site, first) = try site()
        defer { site.stop() }
        var owner = first
        let old = owner.cookie
        #expect(try owner.signIn("ada", password) == 201)
        #expect(owner.cookie != old, "a session that was known before is not gone on with")
        var fixed = owner
        fixed.cookie = old
        #expect(try fixed.status("GET", "/api/v1/session") == 401)
        fixed.cookie = "beaconmesh=forged"
        #expect(try fixed.status("GET", "/api/v1/session") == 401)
        var other = WebClient(site)
        #expect(try other.signIn("ada", password) == 201)
        #expect(try owner.status("DELETE", "/api/v1/session") == 204)
        #expect(try owner.status("GET", "/api/v1/session") == 401)
        #expect(try other.status("GET", "/api/v1/session") == 401, "everywhere")
        let wrong = #"{"name":"ada","password":"a wrong password"}"#
        var (refused, pause) = (0, 0)
        try site.wait("guessing has to wait for long") {
            let answer = try other.ask("POST", "/api/v1/session", wrong)
            if answer.reply.status == 401 { refused += 1 }
            pause = Int(answer.headers["Retry-After"] ?? "") ?? 0
            return pause >= 4
        }
        #expect((5...8).contains(refused))
        let late = try other.ask(
            "POST", "/api/v1/session", "{\"name\":\"ada\",\"password\":\"\(password)\"}")
        #expect(late.reply.code == "rate_limited", "also with the right one")
        #expect(Int(late.headers["Retry-After"] ?? "") ?? 0 >= 1)
    }

    @Test func `pages of others do nothing with a session`() throws {
        let (site, owner) = try site()
        defer { site.stop() }
        var foreign = owner
        let body = "{\"name\":\"x\",\"role\":\"owner\"}"
        foreign.origin = "http://evil.example"
        #expect(try foreign.status("POST", "/api/v1/accounts", body) == 403)
        foreign.origin = "null"
        #expect(try foreign.status("POST", "/api/v1/accounts", body) == 403)
        foreign.origin = ""
        #expect(try foreign.status("POST", "/api/v1/accounts", body) == 403)
        let rebound = try owner.ask("GET", "/api/v1/session", headers: ["Host": "evil.example"])
        #expect(rebound.reply.status == 403)
        let form = try owner.ask(
            "POST", "/api/v1/accounts", body, headers: ["Content-Type": "text/plain"])
        #expect(form.reply.code == "unsupported_type")
        #expect(try owner.ask("GET", "/api/v1/../../etc/passwd").reply.status == 404)
        let names = try site.rows("SELECT name FROM account")
        #expect(names == ["ada"])
    }

    @Test func `a member asks about themselves only`() throws {
        let (site, owner) = try site()
        defer { site.stop() }
        let (own, other) = (site.site.people[0].slug, site.site.people[1].slug)
        let member = try owner.invited("mia", "member", user: own)
        #expect(try member.status("GET", "/api/v1/accounts") == 403)
        #expect(try member.status("GET", "/api/v1/audit") == 403)
        #expect(try member.status("GET", "/metrics") == 403)
        let check = "/api/v1/attendance/check-in"
        #expect(try member.status("POST", check, "{\"user\":\"\(other)\"}") == 403)
        #expect(try member.status("POST", check, "{}") == 200)
        #expect(try owner.status("POST", check, "{\"user\":\"\(other)\"}") == 200)
        let sessions = "/api/v1/attendance/sessions"
        let seen = String(
            decoding: try member.ask("GET", sessions).reply.body, as: UTF8.self)
        #expect(seen.contains(own) && !seen.contains(other))
        #expect(try member.status("GET", sessions + "?user=\(other)") == 403)
        #expect(try member.status("GET", "/api/v1/reports/attendance-day?user=\(other)") == 403)
        for report in ["contacts", "twins"] {
            #expect(try member.status("GET", "/api/v1/reports/\(report)") == 403, "\(report)")
        }
        let present = try member.ask("GET", "/api/v1/reports/present").reply
        #expect(present.status == 200)
        #expect(!String(decoding: present.body, as: UTF8.self).contains(other))
        let foreign =
            try site.rows(
                "SELECT session_id FROM v_session WHERE user = '\(other)'"
            ).first ?? "2"
        let correction = "{\"change\":\"remove\",\"session\":\(foreign),\"reason\":\"x\"}"
        #expect(try member.status("POST", "/api/v1/attendance/corrections", correction) == 403)
        #expect(try member.status("GET", "/api/v1/users/\(other)/sharing") == 403)
        let snapshot = String(
            decoding: try member.ask("GET", "/api/v1/snapshot").reply.body, as: UTF8.self)
        #expect(snapshot.contains(own) && !snapshot.contains(other))
        #expect(
            try site.rows(
                "SELECT DISTINCT value FROM audit_value WHERE side = 'actor' ORDER BY 1"
            ).contains("account:ada"))
    }

    @Test func `a token opens what it says until it is revoked, also what it reads`() throws {
        let (site, owner) = try site()
        defer { site.stop() }
        let made = try owner.ask(
            "POST", "/api/v1/tokens", #"{"name":"wall","role":"screen"}"#, key: "k-1")
        let secret = try #require(made.reply.json["token"] as? String)
        let again = try owner.ask(
            "POST", "/api/v1/tokens", #"{"name":"wall","role":"screen"}"#, key: "k-1")
        #expect(again.reply.code == "bad_state", "the secret is shown once")
        let changed = try owner.ask(
            "POST", "/api/v1/tokens", #"{"name":"other","role":"screen"}"#, key: "k-1")
        #expect(changed.reply.status == 422 && changed.reply.code == "idempotency_mismatch")
        let wall = WebClient(site, token: secret)
        #expect(try wall.status("GET", "/api/v1/snapshot") == 200)
        #expect(try wall.status("GET", "/api/v1/attendance/sessions") == 403)
        let stream = try OpenStream(site, token: secret)
        try site.wait("the stream begins") { stream.text.contains("event: snapshot") }
        #expect(!stream.text.contains(site.site.people[0].slug))
        let start = ContinuousClock.now
        #expect(try owner.status("DELETE", "/api/v1/tokens/wall") == 204)
        try site.wait("the stream ends") { stream.isOver }
        print("from revoking a token to the end of what it read: \(ContinuousClock.now - start)")
        #expect(try wall.status("GET", "/api/v1/snapshot") == 401)
        let kept = try site.rows("SELECT count(*) FROM token WHERE hash = '\(secret)'")
        #expect(kept == ["0"])
    }

    @Test func `a row is changed over HTTP, found again and kept from whoever is late`() throws {
        let (site, owner) = try site()
        defer { site.stop() }
        let user = site.site.people[0].slug
        let path = "/api/v1/users/\(user)"
        let first = try owner.ask("GET", path)
        let tag = try #require(first.headers["Etag"] ?? first.headers["ETag"])
        let changed = try owner.ask(
            "PATCH", path, #"{"name":"Ada =1+1"}"#, headers: ["If-Match": tag])
        #expect(changed.reply.json["name"] as? String == "Ada =1+1")
        let late = try owner.ask(
            "PATCH", path, #"{"name":"Late"}"#, headers: ["If-Match": tag])
        #expect(late.reply.status == 412 && late.reply.code == "precondition_failed")
        let found = try owner.ask("GET", "/api/v1/users?q=ada%20%3D1&fields=name").reply
        #expect(String(decoding: found.body, as: UTF8.self).contains("Ada =1+1"))
        let wrong = [
            (#"{"name":7}"#, "schema"), (#"{"colour":"red"}"#, "schema"),
            (#"{"name":"a","name":"b"}"#, "schema"), ("[]", "schema"), ("{", "schema"),
            (#"{"id":"u-other"}"#, "schema"), (#"{"name":"\u0000"}"#, "schema"),
            (#"{"name":"\ud800"}"#, "schema"), (#"{"name":"\u202eadA"}"#, "schema"),
        ]
        for (body, code) in wrong {
            #expect(try owner.ask("PATCH", path, body).reply.code == code, "\(body)")
        }
        #expect(try owner.ask("GET", "/api/v1/users?limit=0").reply.code == "bad_request")
        #expect(try owner.ask("GET", "/api/v1/users?colour=red").reply.code == "bad_request")
        #expect(try owner.ask("GET", "/api/v1/users?fields=name,x").reply.code == "bad_request")
        for id in ["5", "-7", "true"] {
            let room = try owner.ask("POST", "/api/v1/rooms", "{\"id\":\(id),\"name\":\"x\"}").reply
            #expect(room.status == 400 && room.code == "schema", "\(id)")
            #expect(try owner.status("GET", "/api/v1/rooms/\(id)") == 404, "\(id)")
        }
        #expect(try owner.status("POST", "/api/v1/calibration/discard") != 415, "without a body")
        let exported = try owner.ask("GET", "/api/v1/site.yaml").reply.body
        try exported.write(to: URL(fileURLWithPath: site.file("again.yaml")))
        let imported = try site.run(
            "beaconmesh", ["import", site.file("again.yaml"), "--database", site.database])
        #expect(imported.output.contains("nothing to change"))
        #expect(
            try site.rows(
                "SELECT value FROM audit_value WHERE side = 'actor' ORDER BY audit DESC LIMIT 1")
                == ["account:ada"])
    }

    @Test func `a node that somebody carries is shown to them and to those who see people`() throws
    {
        let (site, owner) = try site()
        defer { site.stop() }
        let (own, other) = (site.site.people[0].slug, site.site.people[1].slug)
        let node = "{\"name\":\"A phone\",\"role\":\"mobile\",\"user\":\"\(own)\"}"
        #expect(try owner.status("PUT", "/api/v1/nodes/n-phone", node) == 200)
        let made = try owner.ask("POST", "/api/v1/tokens", #"{"name":"wall","role":"screen"}"#)
        let wall = WebClient(site, token: made.reply.json["token"] as? String)
        let (ann, ben) = (
            try owner.invited("ann", "member", user: own),
            try owner.invited("ben", "member", user: other)
        )
        for (client, sees) in [(owner, true), (ann, true), (ben, false), (wall, false)] {
            for path in ["/api/v1/nodes", "/api/v1/nodes?user=\(own)", "/api/v1/nodes?q=phone"] {
                let text = String(
                    decoding: try client.ask("GET", path).reply.body, as: UTF8.self)
                #expect(text.contains("n-phone") == sees, "\(path)")
            }
            #expect(try client.status("GET", "/api/v1/nodes/n-phone") == (sees ? 200 : 404))
            let snapshot = String(
                decoding: try client.ask("GET", "/api/v1/snapshot").reply.body, as: UTF8.self)
            if !sees { #expect(!snapshot.contains("A phone")) }
        }
    }

    @Test func `a workout is started, paused, resumed and completed over HTTP`() throws {
        let (site, owner) = try site()
        defer { site.stop() }
        let own = site.site.people[0].slug
        let member = try owner.invited("mia", "member", user: own)
        func ask(_ verb: String, _ body: String = "{}", key: String? = nil) throws -> WebReply {
            try member.ask("POST", "/api/v1/workouts/\(verb)", body, key: key).reply
        }
        func state(_ reply: WebReply) -> String? {
            (reply.json["workout"] as? [String: Any])?["state"] as? String
        }
        #expect(try ask("current/pause").code == "bad_state")
        let first = try ask("start", key: "k-1")
        #expect(first.status == 200 && state(first) == "active")
        #expect(try ask("start", key: "k-1").body == first.body, "an older release's path")
        #expect(try ask("start").code == "already_active")
        let id = try #require((first.json["workout"] as? [String: Any])?["id"] as? Int)
        #expect(try state(ask("\(id)/pause")) == "paused")
        #expect(try state(ask("current/resume")) == "active")
        #expect(try ask("\(id + 1)/pause").code == "not_found")
        func read(_ path: String) throws -> WebReply {
            try member.ask("GET", "/api/v1/workouts" + path, "").reply
        }
        #expect(try read("/\(id)").status == 200)
        #expect((try read("").json["workouts"] as? [Any])?.count == 1)
        let another = site.site.people[1].slug
        let theirs = try owner.ask("POST", "/api/v1/workouts", "{\"user\":\"\(another)\"}")
        let strange = try #require(
            (theirs.reply.json["workout"] as? [String: Any])?["id"] as? Int)
        #expect(try read("/\(strange)").code == "not_found", "nobody learns that it is there")
        #expect(try read("?user=\(another)").code == "forbidden")
        #expect(try ask("\(strange)/pause").code == "not_found")
        let trainer = try owner.invited("tom", "trainer", user: site.site.people[2].slug)
        #expect(
            try trainer.ask("GET", "/api/v1/workouts/\(strange)", "").reply.code
                == "consent_required")
        #expect(
            try trainer.ask("GET", "/api/v1/workouts", "").reply.json["workouts"] as? [Int] == [])
        for path in ["/\(strange)/pause", "/\(strange)/complete"] {
            #expect(
                try trainer.ask("POST", "/api/v1/workouts" + path, "{}").reply.code
                    == "consent_required")
        }
        let mine = "{\"user\":\"\(site.site.people[2].slug)\"}"
        #expect(try trainer.status("POST", "/api/v1/workouts", mine) == 200, "their own")
        #expect(try ask("\(id)/pause", "{\"user\":\"\(own)\",\"x\":1}").code == "schema")
        #expect(try state(ask("\(id)/complete")) == "completed")
        #expect(try ask("\(id)/complete").code == "already_completed")
        let other = "{\"user\":\"\(site.site.people[1].slug)\"}"
        #expect(try ask("start", other).status == 403)
        #expect(
            try site.rows("SELECT state FROM workout ORDER BY id")
                == ["completed", "active", "active"])
    }

    @Test func `a node is told over HTTP and by the verb, and obeys`() throws {
        let (site, owner) = try site()
        defer { site.stop() }
        let node = site.site.nodes[0].0
        try site.startNodes([node])
        let path = "/api/v1/nodes/\(node)/commands"
        #expect(try owner.status("POST", path, #"{"op":"burn"}"#) == 400)
        #expect(try owner.status("POST", "/api/v1/nodes/n-no/commands", #"{"op":"info"}"#) == 404)
        #expect(try owner.status("POST", path, #"{"op":"scan-stop"}"#) == 202)
        try site.wait("it stops") { site.nodes[node]?.errors.contains("stop") ?? false }
        let started = try site.run(
            "beaconmesh", ["node", "scan-start", node, "--database", site.database])
        #expect(started.status == 0)
        #expect(
            try site.rows(
                """
                SELECT action, slug FROM audit_log AS line JOIN node ON node.id = entity_id
                WHERE entity = 'node' ORDER BY line.id
                """) == ["scan-stop \(node)", "scan-start \(node)"])
        let unknown = try site.run(
            "beaconmesh", ["node", "restart", "n-no", "--database", site.database])
        #expect(unknown.status == 3)
        let away = try site.run(
            "beaconmesh",
            ["node", "identify", site.site.nodes[1].0, "--database", site.database])
        #expect(away.status == 75 && away.errors.contains("is not connected"), "\(away.errors)")
    }

    @Test func `two who change a row at once lose nothing`() throws {
        let (site, owner) = try site()
        defer { site.stop() }
        let users = site.site.people.prefix(2).map(\.slug)
        for round in 0..<5 {
            let asking = try users.indices.map { index in
                try RunningProgram(
                    "beaconmesh",
                    [
                        "api", "PATCH", "/api/v1/users/\(users[index])",
                        "{\"name\":\"name \(index)-\(round)\"}", "--database", site.database,
                    ], in: site.directory)
            }
            try site.wait("both are answered") { asking.allSatisfy { !$0.isRunning } }
            #expect(asking.map(\.status) == [0, 0])
        }
        let names = try site.rows("SELECT name FROM user WHERE name LIKE 'name %' ORDER BY name")
        #expect(names == ["name 0-4", "name 1-4"])
        #expect(try owner.status("GET", "/api/v1/site") == 200)
    }

    @Test func `an owner is recovered on the machine, and what is done there counts at once`()
        throws
    {
        let (site, owner) = try site()
        defer { site.stop() }
        let recovered = try site.run(
            "beaconmesh", ["account", "recover", "ada", "--database", site.database, "--json"])
        #expect(recovered.status == 0)
        #expect(try owner.status("GET", "/api/v1/session") == 401, "the old sessions end")
        let secret = recovered.output.firstMatch(of: /invite=([A-Za-z0-9_-]{43})/).map {
            String($0.1)
        }
        var back = WebClient(site)
        let body = "{\"invitation\":\"\(secret ?? "")\",\"password\":\"another phrase\"}"
        #expect(try back.enter("/api/v1/session/invitation", body) == 201)
        #expect(try back.signIn("ada", "another phrase") == 201)
        let last = try back.ask("PATCH", "/api/v1/accounts/ada", #"{"disabled":true}"#)
        #expect(last.reply.code == "bad_state", "there is always an owner")
        let disabled = try site.run(
            "beaconmesh",
            ["account", "change", "ada", "disabled=true", "--database", site.database])
        #expect(disabled.status == 5)
    }
}

/// An open event stream.
final class OpenStream: @unchecked Sendable {
    // All are only touched with the lock held.
    private let lock = NSLock()
    private var received = Data()
    private var isEnded = false
    private let process = Process()

    init(_ site: RunningSite, token: String) throws {
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments = [
            "-sN", "-H", "Authorization: Bearer \(token)",
            (site.dashboard ?? "") + "api/v1/stream",
        ]
        process.standardOutput = pipe
        try process.run()
        let reading = pipe.fileHandleForReading
        Thread.detachNewThread { [self] in
            while true {
                let data = reading.availableData
                lock.withLock {
                    received += data
                    isEnded = data.isEmpty
                }
                if data.isEmpty { return }
            }
        }
    }

    deinit { process.terminate() }

    var text: String { lock.withLock { String(decoding: received, as: UTF8.self) } }
    var isOver: Bool { lock.withLock { isEnded } }
}
