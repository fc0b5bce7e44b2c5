import Foundation
import Testing

@testable import SiteModel
@testable import Wire

/// What people share of their activity, at a real coordinator.
@Suite(.ownThread) struct ProcessSharedActivityTests {
    @Test func `trainers see of somebody what they share, and no more`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.takeToken()
        try site.startCoordinator()
        let (user, other) = (site.people[0].slug, site.people[1].slug)
        let member = try site.token("member", of: user)
        let trainer = try site.token("trainer", of: other)
        // Noon of yesterday, by the clocks of this site, which show UTC.
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        let noon = now - now % (24 * 3_600_000) - 12 * 3_600_000
        let date = Date(timeIntervalSince1970: Double(noon) / 1000).formatted(.iso8601).prefix(10)
        func send(_ id: String, _ from: Int64, _ steps: Int, _ more: String = "") throws {
            let sample =
                #"{"id":"\#(id)","source":"phone","from_ms":\#(from),"to_ms":\#(from + 300_000),"#
                + #""steps":\#(steps)\#(more)}"#
            let sent = try site.post(
                "../activity/samples", "{\"samples\":[\(sample)]}", token: member)
            let results = sent.json["results"] as? [[String: Any]]
            #expect(results?.count == 1 && results?[0]["code"] == nil, "\(sent.json)")
        }
        try send("a", noon, 400, #","kcal":20,"distance_m":300"#)
        for (kind, payload) in [
            (PayloadKind.ingestActivity, #""kind":"walking","from_ms":\#(noon)"#),
            (.ingestHeartRate, #""at_ms":\#(noon),"bpm":72"#),
        ] {
            try site.watcher.publish(
                site.topics[kind, user], Array(#"{"id":"m","source":"phone",\#(payload)}"#.utf8))
        }
        try site.wait("they are stored") {
            (try? site.rows(
                "SELECT (SELECT count(*) FROM activity_interval) + (SELECT count(*) FROM heart_rate)"
            )) == ["2"]
        }
        #expect(
            try site.post(
                "../activity/settings",
                #"{"goal":300,"from_date":"2026-01-01","weight_kg":81,"height_cm":191}"#,
                token: member, method: "PUT"
            ).status == 200)
        func get(_ path: String, _ token: String) throws -> WebReply {
            try site.post("../activity/" + path, "", token: token, method: "GET")
        }
        func share(_ items: String, _ token: String, _ more: String = "") throws -> WebReply {
            try site.post(
                "../activity/sharing", "{\"items\":[\(items)]\(more)}", token: token, method: "PUT")
        }
        let path = "shared/\(user)?date=\(date)"
        #expect(try get("sharing", member).json["items"] as? [String] == [])
        #expect(try get(path, trainer).json["code"] as? String == "consent_required")
        #expect(try get("shared/u-nobody", trainer).status == 404)
        #expect((try get("shared", trainer).json["people"] as? [Any])?.isEmpty == true)
        // A trainer does not share for others, and a phone's token does not share.
        #expect(try share(#""steps""#, trainer, #","user":"\#(user)""#).status == 403)
        let phone = try site.post("../activity/phones", "{}", token: member).json["token"]
        #expect(try share(#""steps""#, try #require(phone as? String)).status == 403)
        for items in [
            #""weight""#, "1", #""steps","steps","steps","steps","steps","steps","steps""#,
        ] {
            #expect(try share(items, member).json["code"] as? String == "schema", "\(items)")
        }
        // Each part by itself: what else is told is null.
        func told(_ range: String = "day") throws -> Set<String> {
            let json = try get(path + "&range=\(range)", trainer).json
            let total = try #require(json["total"] as? [String: Any])
            let buckets = try #require(json["buckets"] as? [[String: Any]])
            #expect(buckets.count >= 4)
            let there = { (all: [String: Any]) in all.filter { !($0.value is NSNull) }.map(\.key) }
            return Set(there(json) + there(total) + buckets.flatMap(there))
        }
        let always: Set = [
            "buckets", "date", "from_ms", "items", "range", "to_ms", "total", "units",
        ]
        for (item, names) in [
            ("steps", ["steps", "source", "goal", "reached"]), ("distance", ["distance_m"]),
            ("energy", ["kcal"]), ("moving", ["moving_s", "between_m"]),
            ("activities", ["activities"]), ("heart_rate", ["heart_rate"]),
        ] as [(String, Set<String>)] {
            #expect(try share("\"\(item)\"", member).json["items"] as? [String] == [item])
            #expect(try told() == always.union(names), "\(item)")
            for range in ["week", "month"] {
                // These have no heart rate, and a month is of nobody's count.
                let all = always.union(names)
                let told = try told(range)
                #expect(told.isSubset(of: all), "\(item) of a \(range)")
                #expect(
                    told.isSuperset(of: all.subtracting(["heart_rate", "source"])),
                    "\(item) of a \(range)")
            }
        }
        _ = try share(#""heart_rate","energy","activities","distance","steps","steps""#, member)
        let shared = try get(path, trainer).json
        #expect(
            shared["items"] as? [String] == [
                "steps", "distance", "energy", "activities", "heart_rate",
            ])
        var total = try #require(shared["total"] as? [String: Any])
        #expect(total["steps"] as? Int == 400 && shared["goal"] as? Int == 300)
        #expect(total["kcal"] as? Double == 20 && total["distance_m"] as? Double == 300)
        let done = try #require((shared["activities"] as? [[String: Any]])?.first)
        #expect(done["kind"] as? String == "walking" && done["source"] is NSNull)
        // What is estimated tells nothing of a body.
        try send("b", noon + 300_000, 100)
        total = try #require(try get(path, trainer).json["total"] as? [String: Any])
        #expect(total["kcal"] is NSNull && total["distance_m"] as? Double == 374)
        // Nor of steps, where these are not shared.
        _ = try share(#""distance""#, member)
        let hidden = try get(path, trainer).json
        total = try #require(hidden["total"] as? [String: Any])
        #expect(total["distance_m"] is NSNull)
        let hours = try #require(hidden["buckets"] as? [[String: Any]])
        #expect(
            hours.count == 24 && hours.allSatisfy { $0["distance_m"] is NSNull },
            "an hour without a step looks like one with some")
        let own = try site.post(
            "../activity?date=\(date)", "", token: member, method: "GET")
        total = try #require(own.json["total"] as? [String: Any], "\(own.json)")
        #expect(total["distance_m"] as? Double == 300 + 100 * 0.790_74)
        let people = try get("shared", trainer).json["people"] as? [[String: Any]]
        #expect(people?.map { $0["user"] as? String } == [user])
        // All else stays closed to them, and this to everybody else.
        for path in ["export?user=\(user)", "settings?user=\(user)", "sharing?user=\(user)"] {
            #expect(try get(path, trainer).status == 403, "\(path)")
        }
        for role in ["manager", "auditor", "member"] {
            let token = try site.token(role, of: other)
            #expect(try get(path, token).status == 403, "\(role)")
            #expect(try get("shared", token).status == 403, "\(role)")
        }
        // What is taken back is not told again.
        _ = try share(#""energy""#, member)
        #expect(try told().contains("steps") == false)
        _ = try share("", member)
        #expect(try get(path, trainer).json["code"] as? String == "consent_required")
        #expect(
            try site.rows(
                """
                SELECT action, json_extract(value, '$.items') FROM audit_log
                JOIN audit_value ON audit = id AND side = 'after'
                WHERE entity = 'activity_sharing' ORDER BY id DESC LIMIT 2
                """) == [
                    "stop-sharing energy", "stop-sharing distance",
                ])
    }
}

extension RunningSite {
    /// A token with the role and the person, as the owner makes it.
    func token(_ role: String, of user: String) throws -> String {
        let made = try post(
            "../tokens", #"{"name":"\#(role)-\#(user)","role":"\#(role)","user":"\#(user)"}"#)
        return try #require(made.json["token"] as? String, "\(made.json)")
    }
}
