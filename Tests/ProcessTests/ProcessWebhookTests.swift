import Foundation
import Testing

@testable import Platform
@testable import Wire

/// Webhooks as their receivers see them: real processes on both sides.
@Suite(.ownThread) struct ProcessWebhookTests {
    private struct Hook: Decodable {
        var id: Int64
        var secret: String?
        var waiting: Int
        var delivered: Int
        var failed: Int
        var last_answer: String?
    }

    /// Adds a webhook at `/name`; its secret, which its receiver gets.
    @discardableResult
    private func add(
        _ name: String, to port: Int, _ site: RunningSite, _ more: [String] = []
    ) throws -> String {
        let program = try site.run(
            "beaconmesh",
            ["webhook", "add", "http://127.0.0.1:\(port)/\(name)", "--database", site.database]
                + ["--json"] + more)
        #expect(program.status == 0, "\(program.errors)")
        let made = try JSONSerialization.jsonObject(with: Data(program.output.utf8))
        return try #require((made as? [String: Any])?["secret"] as? String)
    }

    private func list(_ site: RunningSite) throws -> [Hook] {
        let program = try site.run(
            "beaconmesh", ["webhook", "list", "--database", site.database, "--json"])
        #expect(!program.output.contains("secret"))
        return try JSONDecoder().decode([String: [Hook]].self, from: Data(program.output.utf8))[
            "webhooks"] ?? []
    }

    private func states(_ site: RunningSite) throws -> [String] {
        try site.rows("SELECT state FROM delivery ORDER BY notification, webhook")
    }

    @Test func `a receiver that was down and then failed gets everything, signed, in order`() throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        let port = try FreePort.find(preferring: 0)
        let secret = try add("door", to: port, site, ["--kinds", "arrival,departure"])
        try site.startCoordinator()
        try site.ask(.checkIn, user: 0)
        try site.ask(.checkOut, user: 0)
        try site.wait("nobody was there") {
            try site.rows("SELECT attempts FROM delivery WHERE notification = 1") != ["0"]
        }
        try site.wait("both wait") { try states(site) == ["waiting", "waiting"] }
        #expect(try list(site).first?.waiting == 2)
        #expect(try list(site).first?.last_answer?.contains("\(port)") == true)

        let receiver = try WebhookReceiver(
            port: port, in: site.directory, secrets: ["door": secret], answers: ["door": "503"])
        defer { receiver.stop() }
        // That it came is not enough: the receiver answers only after it has noted it.
        try site.wait("it failed") { try list(site).first?.last_answer == "503" }
        try receiver.answer("204", at: "door")
        try site.wait("all arrived") { try states(site) == ["delivered", "delivered"] }

        let arrivals = try receiver.arrivals(at: "door")
        #expect(arrivals.allSatisfy { $0.genuine && $0.type == "application/json" })
        let ids = arrivals.map(\.id)
        #expect(Set(ids) == ["gym-n1-1", "gym-n1-2"])
        #expect(ids == ids.sorted())
        #expect(ids.filter { $0 == "gym-n1-1" }.count >= 2, "the failed attempt and a good one")
        let told = try receiver.notifications(at: "door")
        #expect(told.map(\.id) == ids)
        #expect(told.last?.kind == .departure)
        #expect(told.last?.user == site.people[0].slug)
        for arrival in arrivals {
            for person in site.people { #expect(!arrival.body.contains(person.name)) }
        }
        // Who subscribes hears the same, under the same ids.
        let topic = site.topics[.notification, site.people[0].slug]
        try site.wait("it is told on MQTT") {
            site.watcher.messages.filter { $0.topic == topic }.count >= 2
        }
        let heard = site.watcher.messages.filter { $0.topic == topic }
            .compactMap { try? NotificationPayload(json: $0.payload.span) }
        #expect(heard.map(\.id) == ["gym-n1-1", "gym-n1-2"])
        #expect(try site.retained()[topic] == nil)
        #expect(try site.metric("mesh_notifications_total{kind=\"arrival\"}") == 1)
        #expect(try site.metric("mesh_webhook_deliveries_total{outcome=\"delivered\"}") == 2)
        #expect(try site.metric("mesh_webhook_deliveries_total{outcome=\"retried\"}") >= 2)
        // Neither the address nor the secret is in what other users of the machine may see.
        #expect(!(site.coordinator?.errors.contains(secret) ?? true))
    }

    @Test func `a crash between the post and the note of it delivers twice under one id`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let port = try FreePort.find(preferring: 0)
        let receiver = try WebhookReceiver(port: port, in: site.directory)
        defer { receiver.stop() }
        try receiver.expect(secret: try add("pay", to: port, site), at: "pay")
        try receiver.answer("hold", at: "pay")
        try site.startCoordinator()
        try site.ask(.checkIn, user: 0)
        try site.wait("it is posted") { try !receiver.arrivals(at: "pay").isEmpty }
        try #require(site.coordinator).kill()
        try receiver.answer("200", at: "pay")
        #expect(try states(site) == ["waiting"])
        try site.startCoordinator()
        try site.wait("it is delivered") { try states(site) == ["delivered"] }
        let arrivals = try receiver.arrivals(at: "pay")
        #expect(arrivals.count == 2)
        #expect(Set(arrivals.map(\.id)) == ["gym-n1-1"])
        #expect(Set(arrivals.map(\.body)).count == 1)
        #expect(arrivals.allSatisfy { $0.genuine })
        // The notification itself is made once.
        #expect(try site.rows("SELECT count(*) FROM notification") == ["1"])
    }

    @Test func `a slow receiver holds up neither another one nor the site`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let port = try FreePort.find(preferring: 0)
        let receiver = try WebhookReceiver(port: port, in: site.directory)
        defer { receiver.stop() }
        try receiver.expect(secret: try add("slow", to: port, site), at: "slow")
        try receiver.expect(secret: try add("fast", to: port, site), at: "fast")
        try receiver.answer("hold", at: "slow")
        try site.startCoordinator()
        for person in 0..<3 { try site.ask(.checkIn, user: person) }
        try site.wait("the fast one has all") { try receiver.arrivals(at: "fast").count == 3 }
        #expect(try receiver.arrivals(at: "slow").map(\.id) == ["gym-n1-1"])
        #expect(
            try receiver.notifications(at: "fast").map(\.user) == site.people.prefix(3).map(\.slug))
        try receiver.answer("204", at: "slow")
        try site.wait("the slow one has all") {
            try Set(states(site)) == ["delivered"] && states(site).count == 6
        }
        #expect(
            try receiver.arrivals(at: "slow").map(\.id) == ["gym-n1-1", "gym-n1-2", "gym-n1-3"])
    }

    @Test func `a webhook is tried out, listed and removed from a terminal`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let port = try FreePort.find(preferring: 0)
        let receiver = try WebhookReceiver(port: port, in: site.directory)
        defer { receiver.stop() }
        let database = ["--database", site.database]
        let secret = try add("try", to: port, site)
        try receiver.expect(secret: secret, at: "try")
        #expect(secret.count == 64)
        func test() throws -> RunningProgram {
            try site.run("beaconmesh", ["webhook", "test", "1"] + database)
        }
        try site.wait("the receiver is there") { try test().status == 0 }
        #expect(try receiver.notifications(at: "try").map(\.kind) == [.test])
        #expect(try receiver.arrivals(at: "try").allSatisfy { $0.genuine })
        try receiver.answer("404", at: "try")
        #expect(try test().status == 5)
        receiver.stop()
        let unheard = try test()
        #expect(unheard.status == 5 && unheard.output.contains("\(port)"), "at the machine")

        let url = "http://127.0.0.1:\(port)/try"
        #expect(try site.run("beaconmesh", ["webhook", "add", url] + database).status == 4)
        for (url, status) in [("http://example.org/", 64), ("nowhere", 64)] {
            #expect(
                try site.run("beaconmesh", ["webhook", "add", url] + database).status
                    == Int32(status))
        }
        let kinds = ["--kinds", "birthday"]
        #expect(
            try site.run("beaconmesh", ["webhook", "add", url] + database + kinds).status == 64)
        #expect(try list(site).count == 1)
        #expect(try site.run("beaconmesh", ["webhook", "remove", "1"] + database).status == 0)
        #expect(try site.run("beaconmesh", ["webhook", "remove", "1"] + database).status == 3)
        #expect(try test().status == 3)
        #expect(try list(site).isEmpty)
        #expect(try site.rows("SELECT count(*) FROM webhook WHERE secret <> ''") == ["0"])
    }

    @Test func `over HTTP nobody learns which ports of the machine are open`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let manager = try site.claimed().invited("max", "manager")
        let port = try FreePort.find(preferring: 0)
        let receiver = try WebhookReceiver(port: port, in: site.directory)
        defer { receiver.stop() }
        let hook = "{\"url\":\"http://127.0.0.1:\(port)/gym\"}"
        let made = try manager.ask("POST", "/api/v1/webhooks", hook).reply
        try receiver.expect(secret: try #require(made.json["secret"] as? String), at: "gym")
        func test() throws -> Data {
            try manager.ask("POST", "/api/v1/webhooks/1/test", "{}").reply.body
        }
        let taken = Data("{\"delivered\":true}\n".utf8)
        try site.wait("the receiver takes a trial") { try test() == taken }
        try receiver.answer("404", at: "gym")
        let refused = try test()
        receiver.stop()
        #expect(try test() == refused, "an open port looks like one that is not")
        try site.ask(.checkIn, user: 0)
        try site.wait("it was tried") {
            try site.rows("SELECT max(attempts) > 0 FROM delivery") == ["1"]
        }
        let listed = try manager.ask("GET", "/api/v1/webhooks").reply.json["webhooks"]
        let line = try #require((listed as? [[String: Any]])?.first)
        #expect((line["last_answer"] as? String)?.hasPrefix("not accepted") == true)
        #expect(try list(site).first?.last_answer?.contains("\(port)") == true, "at the machine")
    }

    @Test func `quiet hours are set and shown from a terminal`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        func rules(_ more: String...) throws -> RunningProgram {
            try site.run(
                "beaconmesh", ["notifications"] + more + ["--database", site.database, "--json"])
        }
        let usual = "{\"urgent\":[],\"forgotten_hours\":14}\n"
        #expect(try rules("show").output == usual)
        let set = try rules(
            "set", "--quiet", "22:00-07:00", "--urgent", "no-check-in", "--forgotten-hours", "10")
        let text =
            "{\"quiet\":\"22:00-07:00\",\"urgent\":[\"no-check-in\"],\"forgotten_hours\":10}\n"
        #expect(set.output == text)
        #expect(try rules("set", "--quiet", "22-7").status == 64)
        #expect(try rules("set", "--urgent", "birthday").status == 64)
        #expect(try rules("set", "--forgotten-hours", "0").status == 64)
        #expect(try rules("show").output == text)
        let changed = try rules("change", "--urgent", "")
        #expect(changed.output == text.replacing("\"no-check-in\"", with: ""), "the rest stays")
        #expect(try rules("set").output == usual, "what is left out has its default")
    }
}
