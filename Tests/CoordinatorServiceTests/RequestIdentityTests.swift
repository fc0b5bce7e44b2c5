import Accounts
import BrokerAccess
import Foundation
import Permissions
import Reporting
import SitePipeline
import Synchronization
import Testing

@testable import CoordinatorService
@testable import Records
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore
@testable import SiteService
@testable import Wire

/// The loop asks who a client is before anything else sees a request.
struct RequestIdentityTests {
    private static let kiosk = BrokerIdentity(name: "door", kind: .kiosk)
    private static let member = BrokerIdentity(name: "ann-phone", kind: .member, person: "u-ann")

    private static func enrol(_ identities: [BrokerIdentity], in store: Store) throws {
        let asker = Asker(name: "boss", via: .cli, at: ScriptedSite.start)
        for identity in identities {
            let new = NewBrokerIdentity(identity, hash: BrokerPassword.hash(of: "secret"))
            _ = try BrokerIdentities(store).enrol(new, by: asker)
        }
    }

    private func codes(_ site: ScriptedSite, _ client: String) throws -> [String] {
        try site.answers(to: client).map { answer in
            if case .error(let code, _) = answer.outcome { code } else { "ok" }
        }
    }

    private func refused(_ site: ScriptedSite) -> String? {
        site.status.metrics.split(separator: "\n").last {
            $0.hasPrefix("mesh_requests_refused_total")
        }.map(String.init)
    }

    @Test func `a request of nobody who is enrolled is refused, counted, and not recorded`() throws
    {
        let site = try ScriptedSite(records: true) {
            try Self.enrol([Self.kiosk, Self.member], in: $0)
        }
        site.connect()
        try site.turn { site.loop.pipeline.isSettled }
        for client in ["tests", "board", "ann-phone"] {
            site.receive("req/\(client)/attendance-check-in", site.request("x", of: "u-ben"))
            #expect(try codes(site, client) == ["forbidden"], "\(client)")
        }
        site.receive("req/door/workout-start", site.request("x", of: "u-ben"))
        #expect(try codes(site, "door") == ["forbidden"])
        try site.turn { refused(site) == "mesh_requests_refused_total 4" }
        site.receive("req/door/attendance-check-in", site.request("y", of: "u-ben"))
        site.receive(
            "req/ann-phone/attendance-check-in", RequestPayload(id: "z", args: .init()).json)
        try site.turn { try codes(site, "door") == ["forbidden", "ok"] }
        try site.turn { try codes(site, "ann-phone") == ["forbidden", "ok"] }
        #expect(try WhoRow.all(in: site.store).count == 2)
        #expect(refused(site) == "mesh_requests_refused_total 4")
        site.loop.recording?.end([], at: site.script.now)
        let text = try String(contentsOfFile: site.recording, encoding: .utf8)
        let requests = text.split(separator: "\n").filter {
            $0.contains("req") && $0.contains("args")
        }
        #expect(requests.count == 2, "\(requests)")
        // Who was meant stands in it, so that a replay decides the same.
        #expect(requests.last?.contains("u-ann") == true)
    }

    @Test func `what is no request is answered and stored nowhere, whoever sends it`() throws {
        let site = try ScriptedSite { try Self.enrol([Self.kiosk], in: $0) }
        site.connect()
        try site.turn { site.loop.pipeline.isSettled }
        for client in ["door", "tests"] {
            for (operation, json) in [
                ("attendance-check-in", #"{"id":"x"}"#),
                ("workout-fly", #"{"id":"x","args":{}}"#),
                ("attendance-lock", #"{"id":"x"}"#),
                ("attendance-lock", #"{"id":"x","args":{"force":false,"force":true}}"#),
            ] {
                site.receive("req/\(client)/\(operation)", Array(json.utf8))
            }
            #expect(
                try codes(site, client) == ["schema", "schema", "schema", "schema"], "\(client)")
        }
        site.receive("req/door/attendance-check-in", Array("{}".utf8))
        try site.pass(seconds: 2)
        #expect(try codes(site, "door").count == 4)
        #expect(try WhoRow.all(in: site.store).isEmpty)
        // Its id is free.
        site.receive("req/door/attendance-check-in", site.request("x", of: "u-ann"))
        try site.turn { try codes(site, "door").last == "ok" }
    }

    @Test func `where nobody was enrolled a site works as before`() throws {
        let site = try ScriptedSite()
        site.connect()
        site.receive("req/phone/attendance-check-in", site.request("a", of: "u-ann"))
        try site.turn { try !site.answers(to: "phone").isEmpty }
        #expect(try codes(site, "phone") == ["ok"])
        #expect(refused(site) == "mesh_requests_refused_total 0")
    }

    private func write(
        _ site: ScriptedSite, _ work: @escaping @Sendable (Store) throws -> Void
    ) throws {
        let isReplied = Atomic(false)
        let write = LoopMailbox.Write { store in
            try work(store)
            return ""
        } reply: { _ in
            isReplied.store(true, ordering: .relaxed)
        }
        #expect(site.mailbox.put(write))
        try site.turn { isReplied.load(ordering: .relaxed) }
    }

    /// Who revokes and is told so must be able to rely on it.
    @Test func `what was enrolled or revoked is in force when that is answered`() throws {
        let site = try ScriptedSite()
        site.connect()
        try site.turn { site.loop.pipeline.isSettled }
        try write(site) { try Self.enrol([Self.kiosk], in: $0) }
        site.receive("req/phone/attendance-check-in", site.request("a", of: "u-ann"))
        #expect(try codes(site, "phone") == ["forbidden"])
        site.receive("req/door/attendance-check-in", site.request("a", of: "u-ann"))
        try site.turn { try codes(site, "door") == ["ok"] }
        try write(site) {
            try BrokerIdentities($0).revoke(
                "door", by: Asker(name: "boss", via: .cli, at: ScriptedSite.start))
        }
        site.receive("req/door/attendance-check-out", site.request("b", of: "u-ann"))
        #expect(try codes(site, "door") == ["ok", "forbidden"])
    }

    @Test func `a phone asks for nothing once the account of its person is disabled`() throws {
        let site = try ScriptedSite { try Self.enrol([Self.member], in: $0) }
        site.connect()
        try site.turn { site.loop.pipeline.isSettled }
        func ask(_ operation: String, _ id: String) {
            site.receive("req/ann-phone/\(operation)", RequestPayload(id: id, args: .init()).json)
        }
        ask("attendance-check-in", "a")
        try site.turn { try codes(site, "ann-phone") == ["ok"] }
        try write(site) { store in
            for call in [
                AccountCall.invite(
                    name: "ann", role: .manager, user: "u-ann",
                    invitation: [UInt8](repeating: 7, count: 32),
                    expires: ScriptedSite.start + .seconds(99)),
                .disable(name: "ann"),
            ] {
                try Accounts(store).perform(call, by: "boss", via: .cli, at: ScriptedSite.start)
            }
        }
        ask("attendance-check-out", "b")
        site.receive(
            "req/ann-phone/attendance-lock",
            Array(#"{"id":"c","args":{"through":"2026-03-31","reason":"paid"}}"#.utf8))
        #expect(try codes(site, "ann-phone") == ["ok", "forbidden", "forbidden"])
        try write(site) {
            try Accounts($0).perform(
                .enable(name: "ann"), by: "boss", via: .cli, at: ScriptedSite.start)
        }
        ask("attendance-check-out", "d")
        try site.turn { try codes(site, "ann-phone").last == "ok" }
    }
}
