import Foundation
import Testing

@testable import Operations

/// Whatever can be asked of a site, asked by its name from a terminal.
@Suite(.ownThread) struct ProcessDoTests {
    private func ask(_ words: [String], at site: RunningSite) throws -> RunningProgram {
        try site.run("beaconmesh", ["do"] + words + ["--database", site.database])
    }

    private func json(_ program: RunningProgram) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(program.output.utf8))) as? [String: Any]
            ?? [:]
    }

    private func workout(_ run: RunningProgram) -> [String: Any] {
        json(run)["workout"] as? [String: Any] ?? [:]
    }

    @Test func `a workout is started and completed by name, and answered alike by its key`() throws
    {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        let person = site.people[0]
        let start = ["workout-start", "user=\(person.slug)", "station=press", "--key", "one"]
        let started = try ask(start, at: site)
        #expect(started.status == 0, "\(started.errors)")
        #expect(workout(started)["state"] as? String == "active")
        #expect(workout(started)["station"] as? String == "press")
        #expect(try ask(start, at: site).output == started.output)
        let other = try ask(
            ["workout-start", "user=\(site.people[1].slug)", "--key", "one"], at: site)
        #expect(other.status == 4)
        #expect(json(other)["code"] as? String == "idempotency_mismatch")
        #expect(try site.rows("SELECT state, station FROM v_workout") == ["active press"])

        let completed = try ask(["workout-complete", "user=\(person.name)"], at: site)
        #expect(completed.status == 0, "\(completed.errors)")
        #expect(workout(completed)["state"] as? String == "completed")
        let again = try ask(["workout-complete", "user=\(person.slug)"], at: site)
        #expect(again.status == 4)
        #expect(json(again)["code"] as? String == "already_completed")
        #expect(try site.rows("SELECT state, station FROM v_workout") == ["completed press"])
    }

    @Test func `times are stated, and what stands in the path is filled in`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        let user = "user=\(site.people[0].slug)"
        let seconds = Int(site.now.milliseconds / 1000)
        func date(_ age: Int) -> Date { Date(timeIntervalSince1970: Double(seconds - age)) }
        let came = try ask(
            ["attendance-check-in", user, "at_ms=\(date(7200).formatted(.iso8601))"], at: site)
        #expect(came.status == 0, "\(came.errors)")
        #expect(json(came)["check_in_ms"] as? Int == (seconds - 7200) * 1000)
        // The site's clocks show UTC.
        let minute = date(3600).formatted(.iso8601).prefix(16).replacing("T", with: " ")
        let went = try ask(["attendance-check-out", user, "at_ms=\(minute)"], at: site)
        #expect(went.status == 0, "\(went.errors)")
        #expect(json(went)["check_out_ms"] as? Int == (seconds - 3600) / 60 * 60_000)

        let session = try #require(json(came)["id"] as? Int)
        let asked = try ask(
            ["attendance-correct", "change=remove", "session=\(session)", "reason=not them"],
            at: site)
        #expect(asked.status == 0, "\(asked.errors)")
        let correction = try #require(json(asked)["id"] as? Int)
        let decide = ["attendance-decide", "correction=\(correction)", "reason=seen"]
        let decided = try ask(decide + ["approve=true"], at: site)
        #expect(decided.status == 0, "\(decided.errors)")
        #expect(json(decided)["state"] as? String == "approved")
        #expect(try ask(decide + ["approve=false"], at: site).status == 5)
    }

    @Test func `what is typed wrongly is refused with its key, and nothing is asked`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        let user = "user=\(site.people[0].slug)"
        let refused: [([String], Int32, String)] = [
            (["workout-strat"], 64, "did you mean workout-start?"),
            (["fly", user], 64, "workout-pause"),
            (["workout-start", user, "usr=x"], 64, "“usr”"),
            (["workout-start", "user"], 64, "key=value"),
            (["workout-start", user, user], 64, "user is given twice"),
            (["workout-start", "station=press"], 64, "user is missing"),
            (["workout-start", "user=Nobody At All"], 3, "Nobody At All"),
            (["workout-start", user, "station=moon"], 3, "moon"),
            (["attendance-check-in", user, "at_ms=soon"], 64, "at_ms: a time"),
            (["attendance-check-in", user, "at_ms=2026-02-30 10:00"], 64, "at_ms: a time"),
            (["attendance-check-in", user, "reason="], 64, "reason: a text of 1 to 256"),
            (["attendance-correct", "change=burn", "reason=x"], 64, "change: times or"),
            (
                ["attendance-decide", "correction=x", "approve=true", "reason=x"], 64,
                "correction: a whole number"
            ),
            (
                ["attendance-decide", "correction=1", "approve=yes", "reason=x"], 64,
                "approve: true or false"
            ),
            (["attendance-lock", "through=2026-02-30", "reason=x"], 64, "through: a day"),
        ]
        for (words, status, text) in refused {
            let program = try ask(words, at: site)
            #expect(program.status == status, "\(words): \(program.errors)")
            #expect(program.errors.contains(text), "\(words): \(program.errors)")
            #expect(program.output.isEmpty, "\(words)")
        }
        for table in ["workout", "statement", "correction"] {
            #expect(try site.rows("SELECT count(*) FROM \(table)") == ["0"], "\(table)")
        }
        #expect(try site.terminate(site.coordinator) <= .seconds(3))
        #expect(try ask(["workout-start", user], at: site).status == 69)
    }

    @Test func `without a name it lists what there is, with the keys`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let list = try site.run("beaconmesh", ["do"])
        #expect(list.status == 0, "\(list.errors)")
        for verb in Verb.all {
            let lines = list.output.split(separator: "\n").filter { $0.hasPrefix(verb.name + " ") }
            #expect(lines.count == verb.parameters.count + 1, "\(verb.name)")
            #expect(lines.first?.hasSuffix(verb.summary) == true, "\(verb.name)")
            for (line, parameter) in zip(lines.dropFirst(), verb.parameters) {
                let isLeftOut = line.contains("[\(parameter.name)=")
                #expect(line.contains(" \(parameter.name)=") || isLeftOut, "\(line)")
                #expect(isLeftOut == !verb.needs(parameter), "\(line)")
            }
        }
    }

    @Test func `another machine's coordinator is asked with a token`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let owner = try site.claimed()
        let made = try owner.ask(
            "POST", "/api/v1/tokens",
            #"{"name":"desk","role":"integration","scopes":["workouts:write"]}"#)
        let secret = try #require(made.reply.json["token"] as? String)
        let file = try site.write(secret + "\n", to: "desk.token")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let server = try #require(site.dashboard)
        func ask(_ words: [String]) throws -> RunningProgram {
            try site.run(
                "beaconmesh", ["do", "--server", server, "--token-file", file] + words)
        }
        let user = "user=\(site.people[0].slug)"
        let started = try ask(["workout-start", user, "--key", "one"])
        #expect(started.status == 0, "\(started.errors)")
        #expect(workout(started)["state"] as? String == "active")
        #expect(try ask(["workout-start", user, "--key", "one"]).output == started.output)
        #expect(try ask(["workout-start", user]).status == 4, "already active")
        #expect(try ask(["workout-start"]).status == 5, "a token is of no person")
        #expect(try ask(["workout-start", "user=\(site.people[0].name)"]).status == 64)
        #expect(try ask(["attendance-lock", "through=2026-01-01", "reason=x"]).status == 5)
        #expect(try owner.status("DELETE", "/api/v1/tokens/desk") == 204)
        #expect(try ask(["workout-pause", user]).status == 77)
    }

    @Test func `workouts of the verb have the site's clocks, and names`() throws {
        var text = SiteText()
        text.zone = "Asia/Tokyo"
        let site = try RunningSite(text)
        defer { site.stop() }
        let owner = try site.claimed()
        #expect(
            try owner.status("PATCH", "/api/v1/stations/press", #"{"name":"Chest press"}"#) == 200)
        let person = site.site.people[0]
        func workout(_ words: [String]) throws -> RunningProgram {
            try site.run("beaconmesh", ["workout"] + words + ["--database", site.database])
        }
        let started = try workout(["start", "--user", person.name, "--station", "Chest press"])
        #expect(started.status == 0, "\(started.errors)")
        let listed = try workout(["list"])
        #expect(listed.output.contains(person.name), "\(listed.output)")
        #expect(listed.output.contains("Chest press"), "\(listed.output)")
        #expect(listed.output.contains("Times: Asia/Tokyo"), "\(listed.output)")
        let other = try workout(["start", "--user", person.name, "--station", "No such place"])
        #expect(other.status != 0 && other.errors.contains("No such place"), "\(other.errors)")
    }
}
