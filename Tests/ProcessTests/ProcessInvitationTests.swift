import Foundation
import Testing

@testable import SiteModel

/// Links that let somebody in once, from whoever makes them to whoever opens them.
@Suite(.ownThread) struct ProcessInvitationTests {
    @Test func `an invitation says whose it is to its holder, and guessing is slowed down`() throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let made = try owner.ask("POST", "/api/v1/accounts", #"{"name":"grace","role":"trainer"}"#)
        let secret = made.reply.json["invitation"] as? String ?? ""
        let (path, body) = ("/api/v1/session/invitee", "{\"invitation\":\"\(secret)\"}")
        var phone = WebClient(site)
        let told = try phone.ask("POST", path, body).reply
        #expect(told.status == 200)
        let invitee = told.json as? [String: String]
        #expect(invitee == ["name": "grace", "role": "trainer", "site": "Gym"])
        func accepting(_ body: String) -> String {
            String(body.dropLast()) + ",\"password\":\"\(WebClient.password)\"}"
        }
        #expect(try phone.enter("/api/v1/session/invitation", accepting(body)) == 201)
        let other = WebClient(site)
        #expect(try other.ask("POST", path, body).reply.code == "not_found", "it was used")
        let guess = "{\"invitation\":\"\(String(repeating: "x", count: 43))\"}"
        var (refused, pause) = (0, 0)
        try site.wait("guessing has to wait for long") {
            let answer = try other.ask("POST", path, guess)
            if answer.reply.status == 404 { refused += 1 }
            pause = Int(answer.headers["Retry-After"] ?? "") ?? 0
            return pause >= 4
        }
        #expect((4...8).contains(refused))
        let late = try other.ask("POST", "/api/v1/session/invitation", accepting(guess))
        #expect(late.reply.code == "rate_limited", "looking and accepting count together")
    }

    @Test func `a password is held against name and patterns, and may be mended`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let made = try owner.ask(
            "POST", "/api/v1/accounts", #"{"name":"grace.hopper","role":"trainer"}"#)
        let secret = made.reply.json["invitation"] as? String ?? ""
        var phone = WebClient(site)
        func accepting(_ password: String) throws -> WebReply {
            try phone.ask(
                "POST", "/api/v1/session/invitation",
                "{\"invitation\":\"\(secret)\",\"password\":\"\(password)\"}"
            ).reply
        }
        // More of them than guesses are free: who holds the invitation does not guess.
        for password in [
            "grace.hopper", "GraceHopper1", "1234567890", "qwertyuiop", "password12",
            "abcabcabcabd", "passwordpassword",
        ] {
            let refused = try accepting(password)
            #expect(refused.status == 400 && refused.code == "bad_request", "\(password)")
        }
        let body = "{\"invitation\":\"\(secret)\",\"password\":\"\(WebClient.password)\"}"
        #expect(try phone.enter("/api/v1/session/invitation", body) == 201)
    }

    @Test func `an owner gets the whole address where a configuration says it`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        func said(_ http: String, _ more: String...) throws -> String {
            let file = try site.write(
                """
                broker: {host: 127.0.0.1, port: 1}
                http: {\(http), token_file: token}
                sites: [{id: gym, database: "\(site.database)"}]

                """, to: "core.yaml")
            let recovered = try site.run(
                "beaconmesh", ["account", "recover", "ada", "--config", file] + more)
            #expect(recovered.status == 0, "\(recovered)")
            return recovered.output
        }
        let link = /\nhttp:\/\/127\.0\.0\.1:8099\/signin#invite=[A-Za-z0-9_-]{43}\n/
        #expect(try said("host: 127.0.0.1, port: 8099").firstMatch(of: link) != nil)
        let everywhere = try said("host: 0.0.0.0, port: 8099, host_names: [gym.local]")
        #expect(everywhere.contains("\nhttp://gym.local:8099/signin#invite="))
        #expect(everywhere.firstMatch(of: link) != nil)
        for unknown in [
            "host: 127.0.0.1, port: 0",
            "host: 127.0.0.1, port: 8099, trusted_proxies: [127.0.0.1]",
        ] {
            let told = try said(unknown)
            #expect(told.contains("below the address of the dashboard:\n/signin#invite="))
        }
        #expect(try said("host: 127.0.0.1, port: 8099", "--json").contains("\"urls\": [\"http:"))
    }

    @Test func `who makes an account of nobody is told what it will not show`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        func invite(_ more: String...) throws -> String {
            try site.run(
                "beaconmesh",
                ["account", "invite"] + more + ["--database", site.database]
            ).output
        }
        let slug = site.site.people[0].slug
        #expect(try invite("mia", "--role", "member").contains("rooms and stations only"))
        #expect(try !invite("ben", "--role", "member", "--user", slug).contains("note:"))
        #expect(try !invite("ann", "--role", "trainer").contains("note:"))
    }
}
