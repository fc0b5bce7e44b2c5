import Foundation
import Testing

@testable import SiteModel

/// Corrections and locks over HTTP.
@Suite(.ownThread) struct ProcessBooksRoutesTests {
    /// A site with a session of the first person, from two hours ago to one hour ago.
    private func site() throws -> (site: RunningSite, from: Timestamp, to: Timestamp) {
        let site = try RunningSite()
        try site.takeToken()
        try site.startCoordinator()
        let now = site.now
        let (from, to) = (now - .seconds(7200), now - .seconds(3600))
        try site.ask(.checkIn, user: 0, at: from)
        try site.ask(.checkOut, user: 0, at: to)
        return (site, from, to)
    }

    private func times(_ site: RunningSite) throws -> [String] {
        try site.rows("SELECT check_in_ms, check_out_ms, out_cause FROM v_session")
    }

    @Test func `a correction is asked for, seen, approved, and has its effect`() throws {
        let (site, from, to) = try site()
        defer { site.stop() }
        let id = try site.rows("SELECT session_id FROM v_session").first ?? "-"
        let later = to + .seconds(600)
        let asked = try site.post(
            "corrections",
            """
            {"change":"times","session":\(id),"from_ms":\(from.milliseconds),
            "to_ms":\(later.milliseconds),"reason":"left by the back door"}
            """)
        #expect(asked.status == 200)
        #expect(asked.json["state"] as? String == "pending")
        #expect(try times(site) == ["\(from.milliseconds) \(to.milliseconds) manual"])
        let list = try site.post("corrections?state=pending", "", method: "GET")
        #expect(String(decoding: list.body, as: UTF8.self).contains("left by the back door"))
        let row = asked.json["id"] as? Int ?? 0
        let decided = try site.post(
            "corrections/\(row)/decision", #"{"approve":true,"reason":"seen on the camera"}"#)
        #expect(decided.json["state"] as? String == "approved")
        try site.wait("it has its effect") {
            try times(site) == ["\(from.milliseconds) \(later.milliseconds) corrected"]
        }
        let again = try site.post(
            "corrections/\(row)/decision", #"{"approve":false,"reason":"no"}"#)
        #expect(again.status == 409 && again.code == "bad_state")
        #expect(
            try site.rows("SELECT DISTINCT via FROM audit_log WHERE entity = 'correction'") == [
                "rest"
            ])
    }

    @Test
    func `what cannot be asked of the books is refused with its code, and nothing is written`()
        throws
    {
        let (site, from, _) = try site()
        defer { site.stop() }
        let id = try site.rows("SELECT session_id FROM v_session").first ?? "-"
        let time = from.milliseconds
        let refused: [(String, String, Int, String)] = [
            ("corrections", "{}", 400, "schema"),
            ("corrections", #"{"change":"burn","session":1,"reason":"x"}"#, 400, "schema"),
            ("corrections", #"{"change":"remove","session":99,"reason":"x"}"#, 404, "not_found"),
            (
                "corrections", #"{"change":"remove","session":\#(id),"reason":" "}"#, 422,
                "reason_required"
            ),
            (
                "corrections",
                #"{"change":"remove","session":\#(id),"rev":99,"reason":"x"}"#, 409, "rev_conflict"
            ),
            (
                "corrections",
                #"{"change":"times","session":\#(id),"from_ms":\#(time),"to_ms":\#(time - 1),"reason":"x"}"#,
                422, "bad_time"
            ),
            ("corrections/99/decision", #"{"approve":true,"reason":"x"}"#, 404, "not_found"),
            ("corrections/x/decision", #"{"approve":true,"reason":"x"}"#, 404, "not_found"),
            ("locks", #"{"through":"2026-02-31","reason":"x"}"#, 400, "schema"),
            ("locks", #"{"through":"2026-02-28"}"#, 400, "schema"),
        ]
        for (path, body, status, code) in refused {
            let reply = try site.post(path, body)
            #expect(reply.status == status, "\(path) \(body): \(reply.json)")
            #expect(reply.code == code, "\(path) \(body)")
        }
        #expect(try site.post("corrections?mood=1", "", method: "GET").status == 400)
        #expect(try site.post("corrections", "{}", token: nil).status == 401)
        #expect(try site.rows("SELECT count(*) FROM correction") == ["0"])
        #expect(try site.rows("SELECT count(*) FROM period_lock") == ["0"])
        #expect(try site.rows("SELECT count(*) FROM audit_log WHERE via = 'rest'") == ["0"])
    }

    @Test func `a locked day takes no more corrections`() throws {
        let (site, _, _) = try site()
        defer { site.stop() }
        let locked = try site.post(
            "locks", #"{"through":"2020-12-31","reason":"paid","force":true}"#)
        #expect(locked.status == 200, "\(locked.json)")
        let old = try site.post(
            "corrections",
            """
            {"change":"add","user":"\(site.people[1].slug)","from_ms":1600000000000,
            "to_ms":1600003600000,"reason":"was there"}
            """)
        #expect(old.status == 423 && old.code == "locked_period")
        let again = try site.post("locks", #"{"through":"2020-12-31","reason":"paid"}"#)
        #expect(again.status == 200 && again.json["unchanged"] as? Bool == true, "\(again.json)")
        let earlier = try site.post(
            "locks", #"{"through":"2019-12-31","reason":"late node","force":true}"#)
        #expect(earlier.status == 423 && earlier.code == "locked_period")
        #expect(try site.rows("SELECT count(*) FROM period_lock") == ["1"])
        let lock = [
            "attendance", "lock", "--reason", "late node", "--database", site.database,
            "--through",
        ]
        let refused = try site.run("beaconmesh", lock + ["2019-12-31"])
        #expect(refused.status == 5 && refused.errors.contains("--unlock"), "\(refused.errors)")
        let same = try site.run("beaconmesh", lock + ["2020-12-31"])
        #expect(same.output == "locked through 2020-12-31 already, nothing was changed\n")
        let unlocked = try site.post(
            "locks", #"{"through":"2019-12-31","reason":"late node","unlock":true}"#)
        #expect(unlocked.status == 200 && unlocked.json["unchanged"] == nil, "\(unlocked.json)")
        #expect(
            try site.rows("SELECT through_date FROM period_lock ORDER BY id")
                == ["2020-12-31", "2019-12-31"])
    }
}
