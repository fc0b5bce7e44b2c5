import Foundation
import Testing

@testable import Basics
@testable import SiteModel

/// What ran live through a real broker is replayed to the same decisions, in any process.
@Suite(.ownThread) struct ProcessReplayTests {
    /// Replays a file; what was printed, and whether the program was content.
    func replay(_ file: String, of site: RunningSite) throws -> (line: String, status: Int32?) {
        let program = try site.run("beaconmesh", ["replay", file])
        let line = program.output.split(separator: "\n").first.map(String.init) ?? ""
        return (line.isEmpty ? program.errors : line, program.status)
    }

    /// Twenty seconds of two nodes, three people who walk from one to the other, and workouts.
    func live(_ site: RunningSite, recording file: String) throws {
        try site.startCoordinator(["--record", file])
        try site.startNodes()
        var random = SeededRandom(seed: 11)
        let level = { (mean: Int) in Int8(mean + random.index(below: 7) - 3) }
        let end = ContinuousClock.now + .seconds(20)
        var step = 0
        while ContinuousClock.now < end {
            for person in 0..<3 {
                let isFar = (step / 8 + person) % 2 == 1
                site.air["n-press", default: [:]][person] = level(isFar ? -84 : -52)
                site.air["n-row", default: [:]][person] = level(isFar ? -52 : -84)
            }
            switch step {
            case 4: try site.ask(.startWorkout, user: 0, station: "press")
            case 6: try site.ask(.startWorkout, user: 1, station: "press")
            case 10: try site.ask(.pauseWorkout, user: 0)
            case 13: try site.ask(.resumeWorkout, user: 0)
            case 17: try site.ask(.completeWorkout, user: 0)
            default: break
            }
            step += 1
            let next = site.now + Timestamp.Span.seconds(1)
            try site.wait("a second") { site.now >= next }
        }
    }

    @Test func `a live run and its replays end with one digest`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let file = site.file("inputs.jsonl")
        try live(site, recording: file)
        let coordinator = try #require(site.coordinator)
        #expect(try site.terminate(coordinator) <= .seconds(2))
        #expect(coordinator.status == 0)
        for node in site.nodes.values {
            #expect(try site.terminate(node) <= .seconds(2))
            #expect(node.status == 0)
        }

        let first = try replay(file, of: site)
        let second = try replay(file, of: site)
        #expect(first.status == 0, "\(first.line)")
        #expect(first.line == second.line)
        let match = try #require(
            first.line.wholeMatch(
                of: /digest sha256:([0-9a-f]{64}) decisions ([0-9]+) inputs ([0-9]+)/))
        #expect((Int(match.2) ?? 0) > 100)
        #expect((Int(match.3) ?? 0) > 100)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let lines = text.split(separator: "\n")
        #expect(lines.last?.contains("\"digest\":\"\(match.1)\"") == true)
        #expect(lines.count == 2 + (Int(match.3) ?? 0))
        #expect(try site.rows("SELECT count(*) > 0 FROM v_session") == ["1"])
        #expect(try site.rows("SELECT state FROM v_workout") == ["completed"])

        // One byte of one frame: the level of the first beacon heard.
        let level = "[[\\\"\(site.people[0].beaconSlug)\\\",-"
        let range = try #require(text.range(of: level))
        let digit = text[range.upperBound]
        let changed = text.replacingCharacters(
            in: range.upperBound...range.upperBound, with: digit == "8" ? "5" : "8")
        let other = try replay(try site.write(changed, to: "changed.jsonl"), of: site)
        #expect(other.line.hasPrefix("digest sha256:"))
        #expect(!other.line.contains(match.1))
        #expect(other.status == 1)

        let cut = try replay(
            try site.write(String(text.dropLast(40)), to: "cut.jsonl"), of: site)
        #expect(cut.status == 1)
        #expect(cut.line.contains("cut.jsonl:\(lines.count):"), "\(cut.line)")
    }

    @Test func `corrections and locks are part of a recording`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let file = site.file("inputs.jsonl")
        try site.startCoordinator(["--record", file])
        let now = site.now
        try site.ask(.checkIn, user: 0, at: now - .seconds(7200))
        try site.ask(.checkOut, user: 0, at: now - .seconds(3600))
        let id = try site.rows("SELECT session_id FROM v_session").first ?? "-"
        let to = Date(timeIntervalSince1970: Double((now - .seconds(3000)).second))
        for arguments in [
            ["correct", id, "--to", to.formatted(.iso8601)], ["approve", "1"],
            ["lock", "--through", "2025-12-31", "--force"],
        ] {
            let program = try site.run(
                "beaconmesh",
                ["attendance"] + arguments + ["--reason", "x", "--database", site.database])
            #expect(program.status == 0, "\(arguments): \(program.errors)")
        }
        try site.wait("the machines know") {
            try site.rows("SELECT json_extract(taken, '$.revision') FROM overrides") == ["2"]
        }
        #expect(try site.rows("SELECT out_cause FROM v_session") == ["corrected"])
        let coordinator = try #require(site.coordinator)
        #expect(try site.terminate(coordinator) <= .seconds(2))

        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains(#""kind":"overrides""#))
        #expect(!text.contains(#""kind":"plan""#), "no plan was put in force")
        let replayed = try replay(file, of: site)
        #expect(replayed.status == 0, "\(replayed.line)")
        let digest = replayed.line.split(separator: " ").dropFirst().first ?? "none"
        #expect(text.contains("\"digest\":\"\(digest.dropFirst(7))\""), "\(replayed.line)")

        // Recordings of releases before held them in their plans.
        let line = try #require(text.split(separator: "\n").last { $0.contains("\"overrides\"") })
        #expect(line.contains("amendments"))
        var lines = text.split(separator: "\n").map(String.init)
        lines[0] = lines[0].replacingOccurrences(
            of: "\"plan\":{", with: "\"plan\":{\"amendments\":[],\"lockedThrough\":null,")
        let old = try replay(
            try site.write(lines.joined(separator: "\n") + "\n", to: "old.jsonl"), of: site)
        #expect(old.status == 0, "\(old.line)")
    }

    @Test func `what is recorded beside a coordinator is replayed, too`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator()
        try site.startNodes()
        site.air = ["n-press": [0: -50]]
        let file = site.file("beside.jsonl")
        let record = try site.run(
            "beaconmesh",
            ["record", "--config", site.file("coordinator.yaml"), "--out", file, "--seconds", "4"])
        #expect(record.status == 0, "\(record.errors)")
        let first = try replay(file, of: site)
        #expect(first.status == 0, "\(first.line)")
        #expect(first.line == (try replay(file, of: site)).line)
        #expect(!first.line.contains("decisions 0 "))
    }

    @Test func `a recording that cannot be written is said at start`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        try site.startCoordinator(["--record", "/nowhere/inputs.jsonl"], isReady: false)
        let coordinator = try #require(site.coordinator)
        try site.wait("it ends") { !coordinator.isRunning }
        #expect((coordinator.status ?? 0) > 0)
        #expect(coordinator.errors.contains("cannot write the recording /nowhere/inputs.jsonl"))
    }
}
