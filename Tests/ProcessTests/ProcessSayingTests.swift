import Foundation
import Testing

@testable import SiteModel
@testable import CoordinatorService
@testable import NodeEngine
@testable import Wire

/// Checking in and out by what people say: over MQTT, over HTTP, from a terminal.
@Suite(.ownThread) struct ProcessSayingTests {
    /// A site whose web server takes a token.
    private func site() throws -> RunningSite {
        let site = try RunningSite()
        try site.takeToken()
        try site.startCoordinator()
        return site
    }

    private func session(_ answer: ResponsePayload) throws -> SessionPayload {
        guard case .session(let session) = answer.outcome else {
            throw RunningProgram.Fault(description: "refused: \(answer.outcome)")
        }
        return session
    }

    private func refusal(_ answer: ResponsePayload) -> String? {
        if case .error(let code, _) = answer.outcome { code } else { nil }
    }

    @Test func `over MQTT, in and out are said once each, and never toggle`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        let began = site.now - .seconds(60)
        let opened = try session(
            try site.ask(.checkIn, user: 0, at: began, reason: "tag at home"))
        #expect(opened.checkInMs == began.milliseconds)
        #expect(opened.checkOutMs == nil)
        #expect(opened.inCause == .manual)
        #expect(site.attendance(0)?.state == .checkedIn)
        #expect(refusal(try site.ask(.checkIn, user: 0)) == "already_in")
        let closed = try session(try site.ask(.checkOut, user: 0))
        #expect(closed.id == opened.id)
        #expect(closed.outCause == .manual)
        #expect(refusal(try site.ask(.checkOut, user: 0)) == "not_in")
        #expect(
            refusal(try site.ask(.checkIn, user: 1, at: site.now + .seconds(600))) == "bad_time")
        #expect(
            try site.rows("SELECT kind, by, reason FROM statement ORDER BY id")
                == ["check-in tests tag at home", "check-out tests -"])
        #expect(
            try site.rows("SELECT in_cause, out_cause FROM v_session") == ["manual manual"])
    }

    @Test func `over HTTP the same is asked, with a token, and answered when it is stored`() throws
    {
        let site = try site()
        defer { site.stop() }
        let user = site.people[0].slug
        let body = "{\"user\":\"\(user)\",\"reason\":\"kiosk\"}"
        let opened = try site.post("check-in", body, key: "key-1")
        #expect(opened.status == 200)
        #expect(opened.json["user"] as? String == user)
        #expect(opened.json["in_cause"] as? String == "manual")
        #expect(try site.rows("SELECT count(*) FROM attendance_session") == ["1"])
        // The same key is answered alike, and nothing is added.
        #expect(try site.post("check-in", body, key: "key-1").body == opened.body)
        #expect(try site.rows("SELECT count(*) FROM statement") == ["1"])
        let other = try site.post(
            "check-in", "{\"user\":\"\(site.people[1].slug)\"}", key: "key-1")
        #expect(other.status == 422 && other.code == "idempotency_mismatch")
        #expect(other.type == "application/problem+json")
        let again = try site.post("check-in", body)
        #expect(again.status == 409 && again.code == "already_in")
        #expect(try site.post("check-out", body).json["out_cause"] as? String == "manual")
        #expect(try site.post("check-out", body).code == "not_in")
        let nobody = try site.post("check-in", "{\"user\":\"u-nobody\"}")
        #expect(nobody.status == 404 && nobody.code == "not_found")
        let future = "{\"user\":\"\(user)\",\"at_ms\":\((site.now + .seconds(900)).milliseconds)}"
        #expect(try site.post("check-in", future).status == 422)
        // None of it went over MQTT.
        #expect(!site.watcher.messages.contains { $0.topic.contains("/res/") })
    }

    @Test func `a recording holds what came over HTTP, and replays to the same decisions`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.takeToken()
        let file = site.file("inputs.jsonl")
        try site.startCoordinator(["--record", file])
        let body = "{\"user\":\"\(site.people[0].slug)\"}"
        #expect(try site.post("check-in", body).status == 200)
        #expect(try site.post("check-out", body).status == 200)
        #expect(try site.terminate(site.coordinator) <= .seconds(3))
        let replay = try Replay(path: file)
        #expect(replay.recorded == replay.digest)
        #expect(replay.decisions > 4)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.split(separator: "\n").count { $0.contains("\"kind\":\"request\"") } == 2)
    }

    @Test func `over HTTP nothing is done for whoever may not, or asks in another way`() throws {
        let site = try site()
        defer { site.stop() }
        let body = "{\"user\":\"\(site.people[0].slug)\"}"
        #expect(try site.post("check-in", body, token: nil).status == 401)
        #expect(try site.post("check-in", body, token: "letmeout").status == 401)
        #expect(try site.post("check-in", body, type: "text/plain").status == 415)
        #expect(try site.post("check-in", body, method: "GET").status == 405)
        #expect(try site.post("check-in?x=1", body).status == 400)
        #expect(try site.post("check-in", body, key: "a b").status == 400)
        for bad in [
            "", "[]", "{}", "{\"user\":1}", "{\"user\":\"Ada Lovelace\"}", "{\"user\":\"u-1\"",
            "{\"user\":\"u-1\",\"at_ms\":\"now\"}", #"{"user":"u-1","reason":""}"#,
            #"{"user":"u-1","reason":"a\u0000"}"#, #"{"user":"u-1","reason":"\ud800"}"#,
            "{\"user\":\"u-1\",\"reason\":\"\(String(repeating: "x", count: 257))\"}",
            "{\"user\":\"u-1\",\"x\":\"\(String(repeating: "x", count: 8200))\"}",
        ] {
            let reply = try site.post("check-in", bad)
            #expect(reply.status == 400, "\(bad.prefix(40))")
            #expect(reply.code == "schema", "\(bad.prefix(40))")
        }
        #expect(try site.rows("SELECT count(*) FROM statement") == ["0"])
        #expect(try site.rows("SELECT count(*) FROM attendance_session") == ["0"])
    }

    @Test func `from a terminal it is asked of the running coordinator, with an exit status each`()
        throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        func say(_ verb: String, _ user: String, _ more: String...) throws -> RunningProgram {
            try site.run(
                "beaconmesh",
                ["attendance", verb, user, "--broker", "127.0.0.1:\(site.broker.port)"]
                    + ["--site", "gym"] + more)
        }
        let user = site.people[0].slug
        try site.startCoordinator()
        let opened = try say("check-in", user, "--reason", "tag at home", "--json")
        #expect(opened.status == 0, "\(opened.errors)")
        #expect(opened.output.contains("\"in_cause\":\"manual\""))
        let again = try say("check-in", user)
        #expect(again.status == 4)
        #expect(again.errors.contains("already_in"))
        #expect(try say("check-in", "u-nobody").status == 3)
        let unknown = try say("check-in", "Ada")
        #expect(unknown.status == 64)
        #expect(unknown.errors.contains("add --database or --config"), "\(unknown.errors)")
        #expect(
            try say("check-in", site.people[1].slug, "--at", "2031-01-01T00:00:00Z").status == 5)
        #expect(try say("check-in", site.people[1].slug, "--at", "yesterday").status == 64)
        // The zone of the site is UTC, whatever ours is.
        let stated = try say("check-in", site.people[2].slug, "--at", "2026-03-29 14:30", "--json")
        #expect(stated.status == 5)
        #expect(stated.errors.contains("bad_time"), "long ago: \(stated.errors)")
        let closed = try say("check-out", user, "--request", "once")
        #expect(closed.status == 0, "\(closed.errors)")
        #expect(closed.output.contains("session"))
        #expect(try site.rows("SELECT reason FROM statement ORDER BY id") == ["tag at home", "-"])

        // On the coordinator's machine its configuration says where, and the database who.
        let config = ["--config", site.file("coordinator.yaml")]
        let name = site.people[2].name
        let named = try site.run("beaconmesh", ["attendance", "check-in", name] + config)
        #expect(named.status == 0, "\(named.errors)")
        #expect(named.output.contains("of \(site.people[2].slug)"), "\(named.output)")
        #expect(named.output.hasSuffix("Times: UTC\n"), "\(named.output)")
        let beside = try say("check-out", name.uppercased(), "--database", site.database)
        #expect(beside.status == 0, "\(beside.errors)")
        let near = try site.run(
            "beaconmesh", ["attendance", "check-in", String(name.prefix(3))] + config)
        #expect(near.status == 3)
        #expect(near.errors.contains("did you mean"), "\(near.errors)")

        try #require(site.coordinator).kill()
        let waited = try say("check-in", user)
        #expect(waited.status == 69)
        #expect(waited.errors.contains("no coordinator"))
        // The broker keeps nothing of it: it is not done when the coordinator comes back.
        try site.startCoordinator()
        _ = try site.ask(.checkOut, user: 1)
        #expect(try site.rows("SELECT count(*) FROM statement") == ["4"])
    }
}
