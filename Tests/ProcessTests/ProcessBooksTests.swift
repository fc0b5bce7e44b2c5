import Foundation
import GRDB
import Simulation
import Testing

/// The books by hand, beside a coordinator that runs.
@Suite(.ownThread) struct ProcessBooksTests {
    private struct Correction: Decodable {
        var id: Int64
        var state: String
        var session: Int64?
    }

    private func json<Value: Decodable>(
        _ type: Value.Type, _ site: RunningSite, _ arguments: [String]
    ) throws -> Value {
        let program = try site.run(
            "beaconmesh", arguments + ["--database", site.database, "--json"])
        #expect(program.status == 0, "\(arguments): \(program.errors)")
        return try JSONDecoder().decode(type, from: Data(program.output.utf8))
    }

    private func status(_ site: RunningSite, _ arguments: [String], says text: String) throws
        -> Int32
    {
        let program = try site.run("beaconmesh", arguments + ["--database", site.database])
        #expect(
            text.isEmpty ? program.errors.isEmpty : program.errors.contains(text),
            "\(arguments): \(program.errors)")
        return try #require(program.status)
    }

    /// A site where the first person came and went.
    private func visited(_ start: (RunningSite) throws -> Void) throws -> RunningSite {
        var text = SiteText()
        text.leave = 2
        let site = try RunningSite(text)
        try start(site)
        try site.startNodes()
        site.air = ["n-press": [0: -50]]
        try site.wait("they are at the press") { site.presence(0)?.station == "press" }
        try site.wait("they are in") { site.attendance(0)?.state == .checkedIn }
        site.air = [:]
        try site.wait("they are out") { site.attendance(0)?.state == .checkedOut }
        // Their stays end by timers of their own, later than anything names a room of them.
        try site.wait("they are nowhere") {
            try site.rows("SELECT 1 FROM stay WHERE to_ms IS NULL").isEmpty
        }
        return site
    }

    private func visited() throws -> RunningSite { try visited { try $0.startCoordinator() } }

    private func isoText(_ milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds / 1000)).formatted(.iso8601)
    }

    @Test func `an approved correction is in force within three seconds`() throws {
        let site = try visited()
        defer { site.stop() }
        let session = try #require(site.attendance(0))
        let begun = try #require(session.checkInMs)
        let asked = try json(
            Correction.self, site,
            [
                "attendance", "correct", "\(try #require(session.session))", "--from",
                isoText(begun - 600_000), "--reason", "tag forgotten",
            ])
        #expect(asked.state == "pending")
        let waiting = try json([Correction].self, site, ["attendance", "corrections"])
        #expect(waiting.map(\.id) == [asked.id])
        let approved = try json(
            Correction.self, site, ["attendance", "approve", "\(asked.id)", "--reason", "seen"])
        #expect(approved.state == "approved")
        let start = (begun - 600_000) / 1000 * 1000
        try site.wait("the topic says so", within: 3) { site.attendance(0)?.checkInMs == start }
        #expect(
            try site.rows("SELECT check_in_ms, in_cause FROM v_session") == ["\(start) corrected"])
        #expect(site.coordinator?.isRunning == true)

        let verified = try site.run("beaconmesh", ["audit", "verify", "--database", site.database])
        #expect(verified.status == 0 && verified.output.contains("3 rows"), "\(verified.output)")
        #expect(verified.output.contains("not proven: sessions that were neither locked"))
        let queue = try DatabaseQueue(path: site.database)
        try queue.writeWithoutTransaction {
            try $0.execute(sql: "UPDATE correction SET decision_reason = 'other'")
        }
        #expect(
            try status(site, ["audit", "verify"], says: "correction 1 is not as it was written")
                == 1)
        try queue.writeWithoutTransaction {
            try $0.execute(sql: "DROP TRIGGER audit_unchanged; UPDATE audit_log SET at_ms = 1")
        }
        try queue.close()
        #expect(try status(site, ["audit", "verify"], says: "row 1 was changed") == 1)
    }

    @Test func `refusals have their codes and their exit codes, and write nothing`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let slug = site.people[0].slug
        let add = ["attendance", "correct", "--add", slug]
        let reason = ["--reason", "x"]
        let before = try site.rows("SELECT count(*) FROM correction")
        let times = ["--from", "2025-03-01 08:00", "--to", "2025-03-01 09:00"]
        #expect(try status(site, add + times, says: "reason_required") == 5)
        #expect(
            try status(
                site, ["attendance", "correct", "9", "--remove"] + reason, says: "not_found") == 3)
        #expect(
            try status(
                site, add + ["--from", "2025-03-01 09:00", "--to", "2025-03-01 08:00"] + reason,
                says: "bad_time") == 5)
        #expect(
            try status(
                site, add + ["--from", "yesterday", "--to", "2025-03-01 08:00"] + reason,
                says: "bad_request") == 64)
        #expect(try status(site, ["attendance", "approve", "7"] + reason, says: "not_found") == 3)
        #expect(
            try status(
                site, ["attendance", "lock", "--through", "2025-02-30"] + reason,
                says: "expected a date") == 64)
        #expect(try status(site, ["erase", slug], says: "--yes") == 64)
        #expect(try status(site, ["erase", "u-nobody", "--yes"], says: "not_found") == 3)
        #expect(try status(site, ["export", "u-nobody"], says: "not_found") == 3)
        #expect(try site.rows("SELECT count(*) FROM correction") == before)
        #expect(
            try status(
                site, ["attendance", "lock", "--through", "2025-03-31", "--force"] + reason,
                says: "")
                == 0)
        #expect(try status(site, add + times + reason, says: "locked_period") == 5)
        let later = ["--from", "2025-04-01 08:00", "--to", "2025-04-01 09:00"]
        #expect(try status(site, add + later + reason, says: "") == 0)
        #expect(try status(site, ["attendance", "approve", "1"] + reason, says: "") == 0)
        #expect(try status(site, ["attendance", "approve", "1"] + reason, says: "bad_state") == 5)
    }

    @Test func `erased is who is on no topic and in no file, and who was is exported before`()
        throws
    {
        let site = try visited()
        defer { site.stop() }
        let person = site.people[0]
        let folder = site.file("copy")
        let exported = try site.run(
            "beaconmesh", ["export", person.slug, "--database", site.database, "--out", folder])
        #expect(exported.status == 0, "\(exported.errors)")
        let sessions = try String(
            contentsOfFile: folder + "/attendance_session.csv", encoding: .utf8)
        #expect(sessions.split(separator: "\r\n").count == 2)
        let document = try JSONSerialization.jsonObject(
            with: Data(contentsOf: URL(fileURLWithPath: folder + "/\(person.slug).json")))
        #expect((document as? [String: Any])?["user"] as? String == person.slug)

        #expect(try site.retained().keys.contains { $0.contains(person.slug) })
        struct Erasure: Decodable { var user: String, sessions_kept: Int }
        let erasure = try json(Erasure.self, site, ["erase", person.slug, "--yes"])
        #expect(erasure.sessions_kept == 1)
        try expectErased(person, from: site)
    }

    private func expectErased(_ person: Person, from site: RunningSite) throws {
        let telling = [person.slug, person.name, person.beaconSlug]
        try site.wait("the coordinator has cleared its topics", within: 5) {
            try site.retained().allSatisfy { topic, payload in
                let text = topic + String(decoding: payload, as: UTF8.self)
                return telling.allSatisfy { !text.contains($0) }
            }
        }
        #expect(site.coordinator?.isRunning == true, "\(site.coordinator?.errors ?? "")")
        for end in ["", "-wal", "-shm"] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: site.database + end))
            for text in telling {
                #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text) in the file “\(end)”")
            }
        }
        let again = try site.run(
            "beaconmesh", ["import", site.file("site.yaml"), "--database", site.database])
        #expect(again.status == 78 && again.errors.contains("was erased"), "\(again.errors)")
        #expect(try status(site, ["audit", "verify"], says: "") == 0)
    }

    @Test func `an owner has all that is held of somebody on the page, and erases them there`()
        throws
    {
        var owner: WebClient?
        let site = try visited { owner = try $0.claimed() }
        defer { site.stop() }
        let client = try #require(owner)
        let (person, other) = (site.people[0], site.people[1])
        let path = "/api/v1/users/\(person.slug)"
        let file = try client.ask("GET", path + "/export")
        #expect(file.headers["Content-Disposition"]?.contains("\(person.slug).json") == true)
        let tables = try #require(file.reply.json["tables"] as? [String: [Any]])
        #expect(tables["attendance_session"]?.count == 1)
        let noted = "SELECT count(*) FROM audit_log WHERE action = 'export'"
        #expect(try site.rows(noted) == ["1"])

        // A member has their own, and nobody else's; they erase nobody.
        let token = try client.ask(
            "POST", "/api/v1/tokens",
            "{\"name\":\"theirs\",\"role\":\"member\",\"user\":\"\(other.slug)\"}"
        ).reply
        let member = WebClient(site, token: try #require(token.json["token"] as? String))
        let own = "/api/v1/users/\(other.slug)"
        #expect(try member.ask("GET", own + "/export").reply.json["user"] as? String == other.slug)
        #expect(try member.ask("GET", path + "/export").reply.status == 403)
        #expect(try member.ask("POST", own + "/erase", "{\"reason\":\"no\"}").reply.status == 403)
        #expect(try site.rows(noted) == ["2"])
        #expect(try client.ask("GET", "/api/v1/users/u-nobody/export").reply.status == 404)
        #expect(try site.rows(noted) == ["2"])

        let reason = "{\"reason\":\"they asked\"}"
        #expect(try client.ask("POST", path + "/erase", "{}").reply.status == 400)
        #expect(try client.ask("POST", path + "/erase", reason, key: "k-1").reply.status == 204)
        // Sent again after a lost answer it is answered alike; asked anew there is nobody.
        #expect(try client.ask("POST", path + "/erase", reason, key: "k-1").reply.status == 204)
        #expect(try client.ask("POST", path + "/erase", reason).reply.status == 404)
        try site.wait("nothing is owed any more") {
            try site.rows("SELECT user FROM erasure_debt").isEmpty
        }
        #expect(try site.rows("SELECT count(*) FROM attendance_session WHERE user = 1") == ["1"])
        try expectErased(person, from: site)
    }

    @Test func `what is too old goes by itself, and leaves a proof`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.wait("the first night's work is done") {
            try site.rows("SELECT count(*) FROM retention_run WHERE table_name = 'audit_value'")
                == ["1"]
        }
        struct Proof: Decodable { var table: String, deleted: Int }
        let planned = try json([Proof].self, site, ["retain", "--dry-run"])
        #expect(planned.contains { $0.table == "stay" && $0.deleted == 0 })
    }
}
