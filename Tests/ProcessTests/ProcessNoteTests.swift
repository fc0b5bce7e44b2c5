import Testing

/// Notes to workouts, at a real coordinator.
@Suite(.ownThread) struct ProcessNoteTests {
    @Test func `notes are written by who may see a workout, and go with their person`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.takeToken()
        try site.startCoordinator()
        let (user, other) = (site.people[0].slug, site.people[1].slug)
        let (member, stranger) = (
            try site.token("member", of: user), try site.token("member", of: other)
        )
        let trainer = try site.token("trainer", of: other)
        let begun = try site.post("../workouts", #"{"user":"\#(user)"}"#)
        let workout = try #require(begun.json["workout"] as? [String: Any])
        let path = "../workouts/\(try #require(workout["id"] as? Int))/notes"
        func write(_ text: String, _ token: String = "letmein") throws -> WebReply {
            try site.post(path, #"{"text":"\#(text)"}"#, token: token)
        }
        func texts(_ token: String) throws -> [String]? {
            let notes = try site.post(path, "", token: token, method: "GET").json["notes"]
            return (notes as? [[String: Any]])?.compactMap { $0["text"] as? String }
        }

        #expect(try write("mine", member).status == 201)
        #expect(try write("not mine", stranger).status == 404)
        #expect(try write("not shared", trainer).json["code"] as? String == "consent_required")
        #expect(try texts(trainer) == nil && texts(stranger) == nil)
        let shares = try site.post(
            "../users/\(user)/sharing", #"{"training":true}"#, method: "PUT")
        #expect(shares.status < 300, "\(shares.json)")
        let written = try write("<b>elbows</b>\\nבפנים", trainer)
        #expect(written.status == 201, "\(written.json)")
        #expect(try texts(member) == ["mine", "<b>elbows</b>\nבפנים"])
        // A trainer takes back what they wrote, and nothing else; a member everything of their own workout.
        let rows = try site.rows("SELECT id FROM workout_note ORDER BY id")
        func delete(_ row: String, _ token: String) throws -> Int {
            try site.post(path + "/" + row, "", token: token, method: "DELETE").status
        }
        #expect(try delete(rows[0], trainer) == 404)
        #expect(try delete(rows[1], stranger) == 404)
        #expect(try delete(rows[1], trainer) == 204)
        #expect(try delete(rows[1], trainer) == 404)
        #expect(try delete("x", member) == 404)
        #expect(try delete(rows[0], member) == 204)
        #expect(try texts(member) == [])

        for body in [
            #"{"text":""}"#, #"{"text":"a\u0000"}"#, #"{"text":7}"#, #"{"text":"a","more":1}"#,
            "{}",
            #"{"text":"\#(String(repeating: "x", count: 501))"}"#,
        ] {
            #expect(try site.post(path, body).json["code"] as? String == "schema", "\(body)")
        }
        #expect(try site.post("../workouts/99/notes", #"{"text":"a"}"#).status == 404)
        for _ in 0..<50 {
            #expect(try write(String(repeating: "é", count: 500)).status == 201)
        }
        #expect(try write("too many").json["code"] as? String == "rate_limited")

        let ended = try site.post(
            "../workouts/current/complete", #"{"user":"\#(user)"}"#)
        #expect(ended.status == 200, "\(ended.json)")
        let erased = try site.run(
            "beaconmesh", ["erase", user, "--yes", "--database", site.database])
        #expect(erased.status == 0, "\(erased.errors) \(erased.output)")
        try site.wait("the notes are gone") {
            (try? site.rows("SELECT count(*) FROM workout_note")) == ["0"]
        }
    }
}
