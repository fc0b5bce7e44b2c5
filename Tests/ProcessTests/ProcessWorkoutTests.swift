import Testing

@testable import SiteModel
@testable import Wire

/// Workouts as any MQTT client asks for them.
@Suite(.ownThread) struct ProcessWorkoutTests {
    func workout(_ answer: ResponsePayload) throws -> WorkoutPayload {
        guard case .workout(let workout) = answer.outcome else {
            throw RunningProgram.Fault(description: "refused: \(answer.outcome)")
        }
        return workout
    }

    func refusal(_ answer: ResponsePayload) -> String? {
        if case .error(let code, let message) = answer.outcome, !message.isEmpty { return code }
        return nil
    }

    @Test func `a workout is started, paused, resumed and completed by requests`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes(["n-press"])
        let topic = site.topics[.workout, site.people[0].slug]
        try site.wait("the press is free") { site.station("press")?.state == .free }

        let started = try workout(try site.ask(.startWorkout, user: 0, station: "press"))
        #expect(started.state == .active)
        #expect(started.station == "press")
        try site.wait("the press is kept") { site.station("press")?.state == .claimed }
        #expect(site.station("press")?.by == [site.people[0].slug])
        #expect(site.station("press")?.here == [])
        #expect(site.latest(topic, as: WorkoutPayload.self) == started)

        #expect(try workout(try site.ask(.pauseWorkout, user: 0)).state == .paused)
        #expect(site.latest(topic, as: WorkoutPayload.self)?.state == .paused)
        let resumed = try workout(try site.ask(.resumeWorkout, user: 0))
        #expect(resumed.state == .active)
        let completed = try workout(try site.ask(.completeWorkout, user: 0))
        #expect(completed.state == .completed)
        #expect(completed.id == started.id)
        #expect(completed.pausedS == resumed.pausedS)
        try site.wait("the press is free again") { site.station("press")?.state == .free }
        #expect(site.latest(topic, as: WorkoutPayload.self) == completed)

        let row = try site.rows(
            "SELECT state, station, duration_s >= 0, ended_ms, paused_s FROM v_workout")
        #expect(row == ["completed press 1 \(completed.endedMs ?? 0) \(completed.pausedS)"])
        let events = site.watcher.messages.filter {
            $0.topic.hasPrefix(site.topics.root + "event/workout/")
        }.compactMap { try? EventPayload(json: $0.payload.span) }
        #expect(events.map(\.type) == [.started, .paused, .resumed, .completed])
        #expect(Set(events.map(\.id)).count == 4)
    }

    @Test func `a workout that is cancelled is kept, and frees its station`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.takeToken()
        try site.startCoordinator()
        try site.startNodes(["n-press"])
        try site.wait("the press is free") { site.station("press")?.state == .free }
        _ = try site.ask(.startWorkout, user: 0, station: "press")
        let cancelled = try workout(try site.ask(.cancelWorkout, user: 0))
        #expect(cancelled.state == .cancelled && cancelled.endedMs != nil)
        try site.wait("the press is free again") { site.station("press")?.state == .free }
        #expect(try site.rows("SELECT state, station FROM v_workout") == ["cancelled press"])
        #expect(refusal(try site.ask(.cancelWorkout, user: 0)) == "bad_state")
        let path = "../workouts/"
        let body = #"{"user":"\#(site.people[0].slug)"}"#
        #expect(try site.post(path + "start", body).status == 200)
        let again = try site.post(path + "current/cancel", body)
        let told = again.json["workout"] as? [String: Any]
        #expect(again.status == 200 && told?["state"] as? String == "cancelled")
        #expect(try site.post(path + "current/cancel", body).json["code"] as? String == "bad_state")
    }

    @Test func `a request that comes again is answered alike and adds nothing`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        let first = try site.ask(.startWorkout, user: 0, station: "row", id: "one")
        let history = "SELECT count(*) FROM event UNION ALL SELECT count(*) FROM v_workout"
        let before = try site.rows(history)
        let second = try site.ask(.startWorkout, user: 0, station: "row", id: "one")
        #expect(second == first)
        #expect(before == ["1", "1"])
        #expect(try site.rows(history) == before)
        // The same id for something else is a mistake of the client.
        let other = try site.ask(.startWorkout, user: 1, station: "row", id: "one")
        #expect(refusal(other) == "idempotency_mismatch")

        try #require(site.coordinator).kill()
        try site.startCoordinator()
        #expect(try site.ask(.startWorkout, user: 0, station: "row", id: "one") == first)
        #expect(try site.rows(history) == before)
    }

    @Test func `what cannot be read is answered if it has an id, and changes nothing`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        func send(_ operation: String, _ json: String) throws -> String {
            let topic = site.topics[.request, "tests", operation]
            try site.watcher.publish(topic, Array(json.utf8))
            return site.topics[.response, "tests", operation]
        }
        let user = site.people[0].slug
        for (number, (operation, args, word)) in [
            ("workout-fly", "{\"user\":\"\(user)\"}", "workout-fly"),
            ("workout-start", "7", "args"), ("workout-start", "{\"user\":7}", "user"),
            ("workout-start", "{\"usr\":\"\(user)\"}", "usr"),
            ("attendance-lock", "[]", "args"),
        ].enumerated() {
            let topic = try send(operation, "{\"id\":\"u-\(number)\",\"args\":\(args)}")
            var answer: ResponsePayload?
            try site.wait("\(operation) \(args) is answered") {
                answer = site.latest(topic)
                return answer?.id == "u-\(number)"
            }
            guard case .error("schema", let message)? = answer?.outcome else {
                Issue.record("\(answer as Any)")
                continue
            }
            #expect(message.contains(word), "\(message)")
        }
        // What nobody can be answered for is counted, and stops nothing.
        for json in ["", "{}", "x", "{\"id\":\"\",\"args\":{}}"] {
            _ = try send("workout-pause", json)
        }
        _ = try workout(try site.ask(.startWorkout, user: 0, id: "u-1"))
        let silent = site.topics[.response, "tests", "workout-pause"]
        #expect(!site.watcher.messages.contains { $0.topic == silent })
        #expect(try site.rows("SELECT count(*) FROM v_workout") == ["1"])
    }

    @Test func `who is at a station that is taken is told if they share it, to everybody alike`()
        throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        try site.takeToken()
        try site.startCoordinator()
        let (holder, other) = (site.people[0].slug, site.people[1].slug)
        _ = try workout(try site.ask(.startWorkout, user: 0, station: "press"))
        func detail(_ key: String) throws -> String? {
            let body = #"{"user":"\#(other)","station":"press"}"#
            let reply = try site.post("../workouts", body, key: key)
            #expect(reply.status == 409 && reply.json["code"] as? String == "station_in_use")
            return reply.json["detail"] as? String
        }
        let silent = try #require(try detail("k-1"))
        #expect(silent.contains(", since ") && !silent.contains(holder))
        let shares = try site.post(
            "../users/\(holder)/sharing", #"{"shares":true}"#, method: "PUT")
        #expect(shares.status < 300, "\(shares.json)")
        let told = try #require(try detail("k-2"))
        #expect(told == "\(silent): \(holder)")
        guard
            case .error(_, told) = try site.ask(.startWorkout, user: 1, station: "press").outcome
        else {
            Issue.record("MQTT says something else")
            return
        }
        // Whoever is there by now: what was answered with a key is answered again.
        _ = try workout(try site.ask(.completeWorkout, user: 0))
        _ = try workout(try site.ask(.startWorkout, user: 2, station: "press"))
        #expect(try detail("k-1") == silent && detail("k-2") == told)
    }

    @Test func `a station has as many places as it has slots`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        _ = try workout(try site.ask(.startWorkout, user: 0, station: "press"))
        let refused = try site.ask(.startWorkout, user: 1, station: "press")
        #expect(refusal(refused) == "station_in_use")
        #expect(refusal(try site.ask(.startWorkout, user: 0, station: "row")) == "already_active")
        #expect(refusal(try site.ask(.pauseWorkout, user: 1)) == "bad_state")
        #expect(refusal(try site.ask(.startWorkout, user: 1, station: "sauna")) == "not_found")
        _ = try workout(try site.ask(.startWorkout, user: 1, station: "row"))
        _ = try workout(try site.ask(.startWorkout, user: 2, station: "row"))
        let claims = "SELECT slot FROM station_claim WHERE to_ms IS NULL ORDER BY station, slot"
        #expect(try site.rows(claims) == ["1", "1", "2"])
        _ = try workout(try site.ask(.completeWorkout, user: 0))
        #expect(refusal(try site.ask(.resumeWorkout, user: 0)) == "bad_state")
        #expect(try site.rows(claims) == ["1", "2"])
    }

    /// What the page offers where nothing can be trained yet.
    @Test func `the forty exercises come by one request, and change none that is there`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.takeToken()
        try site.startCoordinator()
        let before = try site.rows("SELECT slug, name FROM exercise ORDER BY slug")
        let member = try site.token("member", of: site.people[0].slug)
        let refused = try site.post("../exercises/starter", "{}", token: member)
        #expect(refused.status == 403 && refused.json["code"] as? String == "forbidden")
        #expect(try site.rows("SELECT slug, name FROM exercise ORDER BY slug") == before)
        for key in ["first", "second"] {
            let added = try site.post("../exercises/starter", "{}", key: key)
            #expect(added.status == 200, "\(added.json)")
            #expect((added.json["exercises"] as? Int ?? 0) >= 40)
        }
        let after = try site.rows("SELECT slug, name FROM exercise ORDER BY slug")
        #expect(after.count >= 40 && before.allSatisfy(after.contains))
        let strange = try site.post("../exercises/starter", #"{"all":true}"#)
        #expect(strange.status == 400 && strange.json["code"] as? String == "schema")
    }

    @Test func `yesterday's workout is logged, and counts`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.takeToken()
        try site.startCoordinator()
        let user = site.people[0].slug
        let exercise = #"{"id":"plank","name":"Plank","measure":"time","load":"none"}"#
        #expect(try site.post("../exercises", exercise).status == 201)
        let end = Timestamp(milliseconds: site.now.milliseconds - 86_400_000)
        let begin = end - .seconds(3600)
        let key = "00000000-0000-4000-8000-000000000001"
        func body(_ from: Timestamp, _ to: Timestamp, _ sets: String) -> String {
            """
            {"user":"\(user)","started_ms":\(from.milliseconds),"ended_ms":\(to.milliseconds),
                "sets":[\(sets)]}
            """
        }
        let set = #"{"id":"\#(key)","exercise":"plank","duration_s":60}"#
        let done = try site.post("../workouts", body(begin, end, set))
        let told = done.json["workout"] as? [String: Any]
        #expect(done.status == 200, "\(done.json)")
        #expect(told?["state"] as? String == "completed" && told?["cause"] as? String == "stated")
        #expect(told?["sets"] as? Int == 1)
        #expect(
            try site.rows("SELECT state, cause, station, duration_s FROM v_workout")
                == ["completed stated - 3600.0"])
        let (later, latest) = (end + .seconds(1), end + .seconds(2))
        for (wrong, word) in [
            (body(begin, end, ""), "overlap"), (body(later, latest, set), "idempotency_mismatch"),
            (body(end, begin, ""), "bad_time"),
            (body(later, latest, set.replacing("60", with: #""x""#)), "schema"),
        ] {
            #expect(try site.post("../workouts", wrong).json["code"] as? String == word)
        }
        #expect(try site.rows("SELECT count(*) FROM event") == ["0"])
        // What was stored is what a later start knows.
        try #require(site.coordinator).kill()
        try site.startCoordinator()
        let read = try site.post("../workouts?user=\(user)", "", method: "GET")
        let line = read.json["workouts"] as? [[String: Any]]
        #expect(line?.count == 1 && line?.first?["cause"] as? String == "stated")
        // Days whose moments cannot be told are none.
        for (day, status) in [("0305-09-27", 400), ("1970-12-31", 400), ("1971-01-01", 200)] {
            let path = "../stations/press/day?date=\(day)"
            #expect(try site.post(path, "", method: "GET").status == status, "\(day)")
        }
    }
}
