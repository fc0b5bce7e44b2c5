import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Broker
@testable import SiteModel
@testable import Wire

/// What phones send with `ingest/…`, at a real broker and a real coordinator.
@Suite(.ownThread) struct ProcessIngestTests {
    private func site() throws -> RunningSite {
        let site = try RunningSite()
        try site.takeToken()
        try site.startCoordinator()
        return site
    }

    private var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    private func steps(
        _ id: String, _ from: Int64, _ to: Int64, _ steps: Int, source: String = "phone"
    ) -> String {
        #"{"id":"\#(id)","source":"\#(source)","from_ms":\#(from),"to_ms":\#(to),"steps":\#(steps)}"#
    }

    private func send(
        _ kind: PayloadKind, _ user: String, _ payloads: String..., to site: RunningSite
    ) throws {
        for payload in payloads {
            try site.watcher.publish(site.topics[kind, user], Array(payload.utf8))
        }
    }

    /// What was answered, by id: `ok` or a code; the last of each.
    private func answers(_ user: String, _ site: RunningSite) -> [String: String] {
        let topic = site.topics[.response, user, "ingest"]
        var found: [String: String] = [:]
        for message in site.watcher.messages where message.topic == topic {
            guard let answer = try? ResponsePayload(json: message.payload.span) else { continue }
            if case .error(let code, _) = answer.outcome {
                found[answer.id] = code
            } else {
                found[answer.id] = "ok"
            }
        }
        return found
    }

    @Test func `what a detector finds is stored once, and answered`() throws {
        let site = try site()
        defer { site.stop() }
        let user = site.people[0].slug
        let then = now - 60_000
        try send(
            .ingestPosition, user,
            #"{"id":"p","source":"phone","at_ms":\#(then - 5000),"latitude":52.5,"longitude":13.25}"#,
            // A minute before, as OwnTracks tells it.
            #"{"_type":"location","lat":1,"lon":2,"tst":\#(then / 1000 - 60),"tid":"an","vel":-1}"#,
            #"{"_type":"transition","event":"enter","lat":1,"lon":2,"tst":\#(then / 1000)}"#,
            #"{"id":"q","source":"phone","at_ms":\#(then),"latitude":91,"longitude":0}"#,
            to: site)
        try site.wait("positions are answered") { answers(user, site).count == 3 }
        #expect(
            answers(user, site) == ["p": "ok", "\(then / 1000 - 60)": "ok", "q": "schema"])
        let found =
            #"{"id":"17","deviceType":"Flock Safety","macAddress":"C0:FF:EE:00:00:01","rssi":-71,"t_ms":\#(then)}"#
        try send(
            .ingestDetection, "esp32", found, found,
            #"{"id":18,"name":"<b>x</b>","latitude":1,"longitude":2,"t_ms":\#(then)}"#,
            #"{"id":"late","t_ms":\#(then - 31 * 86_400_000)}"#,
            #"{"id":"early","t_ms":\#(then + 3_600_000)}"#,
            #"{"id":"half","latitude":1,"t_ms":\#(then)}"#,
            #"{"id":"markup","name":"\u0007","t_ms":\#(then)}"#,
            #"{"id":"north","latitude":91,"longitude":0,"t_ms":\#(then)}"#, "no JSON", to: site)
        let expected = [
            "17": "ok", "18": "ok", "late": "schema", "early": "schema", "half": "schema",
            "markup": "schema", "north": "schema",
        ]
        try site.wait("detections are answered") {
            answers("esp32", site).count == expected.count
        }
        #expect(answers("esp32", site) == expected)
        #expect(
            try site.rows(
                "SELECT source_id, latitude, longitude, position_age_ms FROM detection ORDER BY id")
                == ["17 - - -", "18 1.0 2.0 -"])
        // Another detector may call another thing so.
        try send(.ingestDetection, "door", found, to: site)
        try site.wait("the other is answered") { answers("door", site) == ["17": "ok"] }
        #expect(try site.rows("SELECT count(*) FROM detection") == ["3"])
        // Nobody passes for our own nodes.
        try send(.ingestDetection, "mesh", found, to: site)
        try site.wait("ours is answered") { answers("mesh", site) == ["17": "schema"] }
    }

    @Test func `what somebody's own detector finds is where their phone was, and goes with it`()
        throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let user = site.people[0].slug
        func client(_ name: String, _ more: String) throws -> WebClient {
            let made = try owner.ask(
                "POST", "/api/v1/tokens", #"{"name":"\#(name)",\#(more)}"#
            ).reply
            return WebClient(
                site, token: try #require(made.json["token"] as? String, "\(made.json)"))
        }
        let phone = try client("phone", #""role":"member","user":"\#(user)","scopes":["activity"]"#)
        let carried = try client(
            "carried", #""role":"integration","user":"\#(user)","scopes":["detections:write"]"#)
        let other = try client("other", #""role":"integration","scopes":["detections:write"]"#)
        let then = now - 60_000
        let sent = try phone.ask(
            "POST", "/api/v1/activity/app",
            #"{"_type":"location","lat":52.5,"lon":13.25,"tst":\#(then / 1000 - 5),"vel":18,"tid":"an"}"#
        ).reply
        #expect(sent.json["app"] as? String == "owntracks" && sent.json["stored"] as? Int == 1)
        let found =
            #"{"source":"esp32","detections":[{"id":"ID","t_ms":\#(then / 1000 * 1000)}]}"#
        for (client, id) in [(carried, "mine"), (other, "theirs")] {
            let answer = try client.ask(
                "POST", "/api/v1/detections", found.replacing("ID", with: id)
            ).reply
            #expect(answer.status == 200, "\(answer.json)")
        }
        let places =
            "SELECT source_id, latitude, longitude, speed_m_s, position_age_ms FROM detection ORDER BY id"
        #expect(
            try site.rows(places) == ["mine 52.5 13.25 5.0 5000", "theirs - - - -"])
        // What the person takes back is taken back there, too.
        #expect(
            try phone.ask("DELETE", "/api/v1/activity?user=\(user)", "").reply.status == 403,
            "a phone deletes nothing")
        #expect(try owner.ask("DELETE", "/api/v1/activity?user=\(user)", "").reply.status == 204)
        #expect(try site.rows(places) == ["mine - - - -", "theirs - - - -"])
        #expect(try site.rows("SELECT count(*) FROM geo_position") == ["0"])
    }

    @Test func `what a phone sends is stored, answered, and told as today`() throws {
        let site = try site()
        defer { site.stop() }
        let (user, other) = (site.people[0].slug, site.people[1].slug)
        func day(_ user: String) -> DayPayload? {
            site.latest(site.topics[.day, user], as: DayPayload.self)
        }
        try site.wait("everybody has a day without steps") {
            day(user)?.steps == 0 && day(other)?.steps == 0
        }
        #expect(day(user)?.source == nil && day(user)?.goal == nil && day(user)?.kcal == 0)
        let begin = now - 120_000
        try send(
            .ingestSteps, user, steps("a", begin, begin + 60_000, 100),
            steps("b", begin + 30_000, begin + 90_000, 1),
            steps("c", begin, begin + 200_000, 1), steps("d", begin, begin + 1000, 11),
            #"{"id":"e","source":"phone","from_ms":1}"#, "no JSON",
            steps("f", begin + 60_000, begin + 90_000, 5, source: #"<b>\u0007</b>"#),
            steps("g", begin + 60_000, begin + 90_000, 5, source: "<b>watch</b>"), to: site)
        try send(.ingestSteps, "u-nobody", steps("n", begin, begin + 60_000, 100), to: site)
        try send(
            .ingestActivity, user,
            #"{"id":"w","source":"phone","kind":"walking","from_ms":\#(begin)}"#,
            #"{"id":"x","source":"phone","kind":"flying","from_ms":\#(begin)}"#, to: site)
        try send(
            .ingestHeartRate, user, #"{"id":"h","source":"watch","at_ms":\#(begin),"bpm":72}"#,
            to: site)
        let expected = [
            "a": "ok", "b": "overlap", "c": "bad_time", "d": "schema", "e": "schema", "f": "schema",
            "g": "ok", "w": "ok", "x": "schema", "h": "ok",
        ]
        try site.wait("all is answered") { answers(user, site).count == expected.count }
        #expect(answers(user, site) == expected)
        try site.wait("nobody is unknown") { answers("u-nobody", site) == ["n": "not_found"] }
        #expect(
            try site.rows(
                "SELECT (SELECT count(*) FROM activity_sample), (SELECT count(*) FROM activity_interval), (SELECT count(*) FROM heart_rate)"
            )
                == ["2 1 1"])
        // Around midnight a part of it is of yesterday.
        let today = try site.post("../activity?user=\(user)", "", method: "GET")
        let total = try #require(today.json["total"] as? [String: Any])
        try site.wait("today is told") { day(user)?.steps == total["steps"] as? Int64 }
        #expect(day(user)?.date == today.json["date"] as? String)
        #expect(day(user)?.distanceM == total["distance_m"] as? Double)
        #expect(
            (today.json["activities"] as? [[String: Any]])?.first?["kind"] as? String == "walking")
        #expect((today.json["heart_rate"] as? [String: Any])?["mean"] as? Double == 72)
        // A goal, and a reset, change it, too.
        #expect(
            try site.post(
                "../activity/settings", #"{"user":"\#(user)","goal":1}"#, method: "PUT"
            ).status == 200)
        try site.wait("the goal is told") { day(user)?.goal == 1 }
        #expect(day(user)?.reached == ((total["steps"] as? Int ?? 0) >= 1))
        #expect(try site.post("../activity?user=\(user)", "", method: "DELETE").status == 204)
        try site.wait("nothing is left") { day(user)?.steps == 0 && day(user)?.source == nil }
        // A retained one is old news, and no request of ours is in the recording's way.
        try site.watcher.publish(
            site.topics[.ingestSteps, user],
            Array(steps("r", begin, begin + 60_000, 100).utf8), isRetained: true)
        try send(.ingestSteps, user, steps("s", begin, begin + 60_000, 100), to: site)
        try site.wait("what follows is answered") { answers(user, site)["s"] == "ok" }
        try site.watcher.publish(site.topics[.ingestSteps, user], [], isRetained: true)
        // By hand.
        func hand(_ word: String, _ body: String) throws -> WebReply {
            try site.post("../activity/\(word)", body)
        }
        #expect(try hand("end", #"{"user":"\#(user)"}"#).json["code"] as? String == "bad_state")
        let begun = try hand("begin", #"{"user":"\#(user)","kind":"cycling"}"#)
        #expect(begun.status == 200, "\(begun.json)")
        let again = try hand("begin", #"{"user":"\#(user)","kind":"walking"}"#)
        #expect(again.json["code"] as? String == "already_active")
        let ended = try hand("end", #"{"user":"\#(user)"}"#)
        let activity = ended.json["activity"] as? [String: Any]
        #expect(activity?["to_ms"] is Int64 && activity?["is_forgotten"] as? Bool == false)
        #expect(
            try hand("begin", #"{"user":"\#(user)","kind":"flying"}"#).json["code"] as? String
                == "schema")
        // Who is erased has no day any more.
        let erased = try site.run(
            "beaconmesh", ["erase", other, "--yes", "--database", site.database])
        #expect(erased.status == 0, "\(erased.errors)")
        try site.wait("their topic is cleared") {
            site.watcher.latest[site.topics[.day, other]] == nil
        }
    }

    @Test func `a phone sends for its person alone`() throws {
        let own = try EnrolledSite()
        defer { own.site.stop() }
        try own.startBroker()
        try own.site.startCoordinator()
        let (ann, other) = (own.site.people[0].slug, own.site.people[1].slug)
        let topics = own.site.topics
        let phone = try own.client("ann-phone")
        #expect(try phone.isIn(own.site))
        var heard: [String: [UInt8]] = [:]
        phone.client.onMessage = { topic, payload, _, _ in
            heard[topic] = payload.indices.map { payload[$0] }
        }
        try phone.client.subscribe(
            [topics[.response, ann, "ingest"], topics[.day, ann], topics[.day, other]], quality: 1)
        let begin = now - 120_000
        for user in [other, ann] {
            try phone.client.publish(
                Publication(
                    topic: topics[.ingestSteps, user],
                    payload: Array(steps("a", begin, begin + 60_000, 100).utf8), quality: 1,
                    isRetained: false))
        }
        try own.site.wait("it is answered") {
            phone.work()
            return heard[topics[.response, ann, "ingest"]] != nil
        }
        let bytes = heard[topics[.response, ann, "ingest"]] ?? []
        let answer = try ResponsePayload(json: bytes.span)
        #expect(answer == ResponsePayload(id: "a", outcome: .result(Array("{}".utf8))))
        try own.site.wait("their day comes") {
            phone.work()
            return heard[topics[.day, ann]] != nil
        }
        #expect(heard[topics[.day, other]] == nil)
        #expect(
            try own.site.rows(
                "SELECT slug FROM activity_sample JOIN user ON user.id = activity_sample.user")
                == [ann])
        // A coordinator takes none of whom nobody is enrolled for, whatever the broker lets through.
        try own.site.watcher.publish(
            topics[.ingestSteps, other], Array(steps("b", begin, begin + 60_000, 1).utf8))
        usleep(300_000)
        #expect(try own.site.rows("SELECT count(*) FROM activity_sample") == ["1"])
    }

    @Test func `whatever was answered is stored, and a goal is told once, killed at any moment`()
        throws
    {
        let site = try site()
        defer { site.stop() }
        let user = site.people[0].slug
        let goal = "{\"user\":\"\(user)\",\"goal\":1,\"from_date\":\"2026-01-01\"}"
        #expect(try site.post("../activity/settings", goal, method: "PUT").status == 200)
        func notices() -> [NotificationPayload] {
            site.watcher.messages.filter { $0.topic.contains("/notify/") }
                .compactMap { try? NotificationPayload(json: $0.payload.span) }
                .filter { $0.kind == .goal }
        }
        for history in TestLength.seeds(of: 100) {
            var random = SplitMix64(seed: history)
            let begin = now - 3_600_000 * Int64.random(in: 1...40, using: &random)
            let sent = (0..<30).map { number in
                let from = begin + Int64(number) * 10_000
                return (
                    id: "k\(history)-\(number)", from: from,
                    payload: steps(
                        "k\(history)-\(number)", from, from + 10_000, 20,
                        source: "phone-\(history % 10)")
                )
            }
            for one in sent.prefix(Int.random(in: 1...30, using: &random)) {
                try send(.ingestSteps, user, one.payload, to: site)
            }
            usleep(UInt32.random(in: 0...20_000, using: &random))
            site.coordinator?.kill()
            try site.startCoordinator()
            let before = answers(user, site)
            for one in sent where before[one.id] == "ok" {
                let stored = try site.rows(
                    "SELECT count(*) FROM activity_sample WHERE from_ms = \(one.from) AND steps = 20"
                )
                #expect(stored == ["1"], "\(one.id) was answered")
            }
            for one in sent { try send(.ingestSteps, user, one.payload, to: site) }
            try site.wait("all is answered") {
                answers(user, site).keys.count { $0.hasPrefix("k\(history)-") } == sent.count
            }
        }
        let hits = try site.rows("SELECT date FROM goal_hit ORDER BY date")
        try site.wait("each is told") { Set(notices().compactMap(\.subject)) == Set(hits) }
        #expect(!hits.isEmpty)
        #expect(Set(notices().map(\.id)).count == hits.count, "each day once, under one id")
        #expect(
            try site.rows("SELECT count(*) FROM notification WHERE kind = 'step-goal'")
                == ["\(hits.count)"])
    }

    @Test func `a reset in the middle of what a phone sends leaves no half of it`() throws {
        let site = try site()
        defer { site.stop() }
        let user = site.people[0].slug
        let begin = now - 100 * 24 * 3_600_000
        let sent = (0..<3000).map { number in
            let from = begin + Int64(number) * 60_000
            return steps("s\(number)", from, from + 60_000, 50, source: "phone-\(number % 7)")
        }
        func sendAll(_ some: some Sequence<String>) throws {
            for payload in some { try send(.ingestSteps, user, payload, to: site) }
        }
        func kept() throws -> Set<String> {
            Set(
                try site.rows(
                    "SELECT 's' || ((from_ms - \(begin)) / 60000) FROM activity_sample"))
        }
        try sendAll(sent.prefix(2500))
        try site.wait("some is answered") { answers(user, site).count >= 300 }
        let before = Set(answers(user, site).keys)
        print("\(before.count) of 2500 were answered before the reset")
        #expect(try site.post("../activity?user=\(user)", "", method: "DELETE").status == 204)
        try sendAll(sent.suffix(500))
        try site.wait("all is answered", within: 60) { answers(user, site).count == sent.count }
        #expect(Set(answers(user, site).values) == ["ok"])
        // What was answered before is gone, what was sent after it is there.
        #expect(try kept().isDisjoint(with: before))
        #expect(try kept().isSuperset(of: (2500..<3000).map { "s\($0)" }))
        // What stayed is known again, what went is stored anew: each of them once.
        let from = site.watcher.messages.count
        try sendAll(sent)
        let topic = site.topics[.response, user, "ingest"]
        try site.wait("all is answered again", within: 60) {
            site.watcher.messages.dropFirst(from).count { $0.topic == topic } == sent.count
        }
        #expect(Set(answers(user, site).values) == ["ok"])
        #expect(
            try site.rows(
                """
                SELECT count(*), count(DISTINCT from_ms), sum(steps),
                    (SELECT count(*) FROM activity_source) FROM activity_sample
                """) == ["3000 3000 150000 7"])
    }

    @Test func `whoever is reminded is reminded once, killed at any moment`() throws {
        let site = try site()
        defer { site.stop() }
        func reminded() -> [NotificationPayload] {
            site.watcher.messages.filter { $0.topic.contains("/notify/") }
                .compactMap { try? NotificationPayload(json: $0.payload.span) }
                .filter { $0.kind == .reminder }
        }
        var histories = 0
        for history in TestLength.seeds(of: 100) {
            histories += 1
            var random = SplitMix64(seed: history)
            let user = "u-reminded-\(history)"
            let made = try site.post("../users", "{\"id\":\"\(user)\",\"name\":\"R\"}")
            #expect(made.status == 201, "\(made.json)")
            // The clocks of this site show UTC.
            let clock = Date().formatted(.iso8601.time(includingFractionalSeconds: false)).prefix(5)
            let set = try site.post(
                "../activity/settings",
                #"{"user":"\#(user)","reminder":{"at":"\#(clock)","weekdays":[1,2,3,4,5,6,7]}}"#,
                method: "PUT")
            #expect(set.status == 200, "\(set.json)")
            usleep(UInt32.random(in: 0...20_000, using: &random))
            site.coordinator?.kill()
            try site.startCoordinator()
        }
        try site.wait("each is told") { Set(reminded().map(\.id)).count >= histories }
        #expect(Set(reminded().map(\.id)).count == histories, "each under one id")
        // That it is told is noted after the broker has it.
        let all = "\(histories)"
        try site.wait("each is noted") {
            (try? site.rows(
                """
                SELECT count(*), count(DISTINCT user), count(told_ms) FROM notification
                WHERE kind = 'move-reminder'
                """)) == ["\(all) \(all) \(all)"]
        }
    }

    @Test func `a flood over MQTT is bounded, and nothing of what was answered is lost`() throws {
        let site = try site()
        defer { site.stop() }
        let user = site.people[0].slug
        let begin = now - 100 * 24 * 3_600_000
        let client = MQTTClient(id: "flood")
        var isIn = false
        client.onConnect = { isIn = $0 == 0 }
        try client.connect(host: "127.0.0.1", port: site.broker.port, username: nil, password: nil)
        func work() {
            client.readable()
            client.writable()
            client.misc()
        }
        try site.wait("the flood is let in") {
            work()
            return isIn
        }
        let clock = ContinuousClock.now
        let count = 22_000
        for number in 0..<count {
            let from = begin + Int64(number) * 60_000
            try client.publish(
                Publication(
                    topic: site.topics[.ingestSteps, user],
                    payload: Array(steps("f\(number)", from, from + 60_000, 50).utf8), quality: 0,
                    isRetained: false))
            if number.isMultiple(of: 100) {
                work()
                site.watcher.work(milliseconds: 1)
            }
        }
        try site.wait("the end is answered", within: 60) {
            work()
            let answers = answers(user, site)
            return answers.count >= 20_000 && answers.values.contains("rate_limited")
        }
        print(
            "\(answers(user, site).count) samples over MQTT answered in \(ContinuousClock.now - clock)"
        )
        let answered = answers(user, site)
        let stored = try site.rows("SELECT count(*) FROM activity_sample")[0]
        #expect(answered.values.count { $0 == "ok" } <= Int(stored) ?? 0)
        #expect((Int(stored) ?? 0) <= 20_000)
        #expect(Set(answered.values) == ["ok", "rate_limited"])
        // The coordinator is as well as before.
        #expect(
            try site.post("../activity?user=\(site.people[1].slug)", "", method: "GET").status
                == 200)
    }
}
