import Foundation
import Testing

/// Who leaves is out, at a running coordinator.
@Suite(.ownThread) struct ProcessDepartureTests {
    @Test func `who is retired is out within a second, and nobody comes in as who follows them`()
        throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let eve = #"{"id":"u-eve","name":"Eve"}"#
        #expect(try owner.status("POST", "/api/v1/users", eve) == 201)
        let member = try owner.invited("eve", "member", user: "u-eve")
        let made = try owner.ask(
            "POST", "/api/v1/tokens", #"{"name":"watch","role":"member","user":"u-eve"}"#)
        let secret = try #require(made.reply.json["token"] as? String)
        let watch = WebClient(site, token: secret)
        let stream = try OpenStream(site, token: secret)
        try site.wait("the stream begins") { stream.text.contains("event: snapshot") }
        #expect(try member.status("GET", "/api/v1/session") == 200)
        let start = ContinuousClock.now
        #expect(try owner.status("DELETE", "/api/v1/users/u-eve") == 204)
        try site.wait("the stream ends") { stream.isOver }
        print("from retiring somebody to the end of what they read: \(ContinuousClock.now - start)")
        #expect(try member.status("GET", "/api/v1/session") == 401)
        #expect(try watch.status("GET", "/api/v1/session") == 401)
        var again = WebClient(site)
        #expect(try again.signIn("eve", WebClient.password) == 401)
        let account = "/api/v1/accounts/eve"
        #expect(try owner.ask("PATCH", account, #"{"disabled":false}"#).reply.code == "bad_state")

        let other = #"{"id":"u-eve","name":"Somebody Else"}"#
        #expect(try owner.status("POST", "/api/v1/users", other) == 201)
        #expect(try watch.status("GET", "/api/v1/users") == 401)
        #expect(try owner.status("PATCH", account, #"{"disabled":false}"#) == 200)
        #expect(try again.signIn("eve", WebClient.password) == 401, "they have no password yet")
    }

    @Test func `another role and another invitation end the sessions, and the old password`()
        throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        var grace = try owner.invited("grace", "trainer")
        let account = "/api/v1/accounts/grace"
        #expect(try owner.status("PATCH", account, #"{"role":"auditor"}"#) == 200)
        #expect(try grace.status("GET", "/api/v1/session") == 401)
        #expect(try grace.signIn("grace", WebClient.password) == 201)
        let renewed = try owner.ask("POST", account + "/invitation", "{}")
        let secret = try #require(renewed.reply.json["invitation"] as? String)
        #expect(try grace.status("GET", "/api/v1/session") == 401)
        #expect(try grace.signIn("grace", WebClient.password) == 401, "it ended with the sessions")
        grace.cookie = nil
        let body = "{\"invitation\":\"\(secret)\",\"password\":\"\(WebClient.password)\"}"
        #expect(try grace.enter("/api/v1/session/invitation", body) == 201)
        #expect(try grace.status("GET", "/api/v1/session") == 200)
    }
}
