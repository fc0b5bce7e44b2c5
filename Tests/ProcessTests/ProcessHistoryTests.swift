import Foundation
import TestSupport
import Testing

@testable import SiteModel
@testable import Workouts

/// Training histories in and out of a real coordinator, by the command line and over HTTP.
@Suite(.ownThread) struct ProcessHistoryTests {
    private static let strong = """
        Date,Workout Name,Duration,Exercise Name,Set Order,Weight,Reps,Distance,Seconds,Notes,Workout Notes,RPE
        2024-03-05 18:00:00,Legs,1h,Bench Press (Barbell),1,80,5,0,0,=1+1,,
        2024-03-05 18:00:00,Legs,1h,Bench Press (Barbell),2,82.5,5,0,0,,,9
        2024-03-05 18:00:00,Legs,1h,Mystery Machine,3,20,8,0,0,,,

        """

    private func site() throws -> RunningSite {
        let site = try RunningSite()
        try site.takeToken()
        try site.startCoordinator()
        let bench = #"{"id":"bench-press","name":"Bench press","measure":"reps","load":"weight"}"#
        #expect(try site.post("../exercises", bench).status == 201)
        return site
    }

    private func run(_ site: RunningSite, _ words: [String]) throws -> RunningProgram {
        try site.run(
            "beaconmesh",
            ["workout"] + words + [
                "--user", site.people[0].name, "--database", site.database,
            ])
    }

    private func body(_ csv: String, _ more: String = "") throws -> String {
        let text = String(decoding: try JSONEncoder().encode(csv), as: UTF8.self)
        return "{\"csv\":\(text)\(more)}"
    }

    @Test func `a history of another program comes in by the command line, and goes out again`()
        throws
    {
        let site = try site()
        defer { site.stop() }
        let file = try site.write(Self.strong, to: "strong.csv")
        let unit = ["--weight-unit", "kg"]
        let refused = try run(site, ["import", file])
        #expect(refused.status == 5 && refused.errors.contains("say kg or lb"), "\(refused.errors)")
        let unknown = try run(site, ["import", file] + unit)
        #expect(unknown.status == 65 && unknown.output.contains("Bench Press (Barbell)"))
        #expect(unknown.output.contains("bench-press"), "the suggestion")
        #expect(try site.rows("SELECT count(*) FROM workout_set") == ["0"])
        let said = unit + ["--exercise", "Bench Press (Barbell)=bench-press", "--skip-unknown"]
        let dry = try run(site, ["import", file, "--dry-run"] + said)
        #expect(dry.output.contains("2 sets in 1 workouts would be stored"), "\(dry.output)")
        #expect(try site.rows("SELECT count(*) FROM workout_set") == ["0"])
        let taken = try run(site, ["import", file] + said)
        #expect(taken.output.contains("2 sets in 1 workouts are stored"), "\(taken.errors)")
        let again = try run(site, ["import", file] + said)
        #expect(again.output.contains("0 sets in 0 workouts are stored, 2 sets are there already"))
        // It counts for records and weeks, and can be looked at.
        let user = site.people[0].slug
        let list = try site.post("../workouts?user=\(user)", "", method: "GET")
        let workout = (list.json["workouts"] as? [[String: Any]])?.first
        #expect(workout?["title"] as? String == "Legs" && workout?["volume_kg"] as? Double == 812.5)
        let bests = try site.post("../records?user=\(user)", "", method: "GET")
        let kinds = (bests.json["records"] as? [[String: Any]])?.map { $0["weight_kg"] as? Double }
        #expect(kinds?.contains(82.5) == true)
        // Out, and in again.
        let path = file + ".out"
        let exported = try run(site, ["export", path])
        #expect(exported.output.contains("2 lines"), "\(exported.errors)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains(",'=1+1") && text.contains(",82.5,"), "no formula, exact weights")
        #expect(try run(site, ["export", path]).status == 73, "it is there already")
        let back = try run(site, ["import", path])
        #expect(back.output.contains("0 sets in 0 workouts are stored, 2 sets are there already"))
    }

    @Test func `a member's file is their own, and bad ones are refused with their line`() throws {
        let site = try site()
        defer { site.stop() }
        let (user, other) = (site.people[0].slug, site.people[1].slug)
        let made = try site.post(
            "../tokens", #"{"name":"phone","role":"member","user":"\#(user)"}"#)
        let token = try #require(made.json["token"] as? String)
        let csv = Self.strong
        for (path, status) in [
            ("import", 200), ("import?user=\(user)", 200), ("import?user=\(other)", 403),
        ] {
            let reply = try site.post(
                "../workouts/" + path, try body(csv, #","weight_unit":"kg","dry_run":true"#),
                token: token)
            #expect(reply.status == status, "\(path): \(reply.json)")
        }
        #expect(
            try site.post("../workouts/export?user=\(other)", "", token: token, method: "GET")
                .status == 403)
        func take(_ csv: String, _ more: String = #","weight_unit":"lb""#) throws -> WebReply {
            try site.post("../workouts/import?user=\(other)", try body(csv, more))
        }
        #expect(try take(csv).json["stored"] as? Bool == false)
        for (broken, words) in [
            (csv.replacing(",", with: ";").replacing("Date;", with: "Date,"), "line 1"),
            (String(csv.prefix(csv.count - 30)), "line 4"),
            (csv.replacing("82.5", with: "=82.5"), "line 3, column “Weight”"),
            (csv.replacing("82.5", with: "NaN"), "line 3"),
            (csv.replacing("82.5", with: "1e308"), "line 3"), ("", "empty"),
        ] {
            let reply = try take(broken)
            #expect(reply.status == 400, "\(reply.json)")
            #expect(reply.json["code"] as? String == "schema", "\(reply.json)")
            #expect((reply.json["detail"] as? String)?.contains(words) == true, "\(reply.json)")
        }
        #expect(try take(csv, #","weight_unit":"stone""#).json["code"] as? String == "schema")
        #expect(try take(csv, #","wait":1"#).json["code"] as? String == "schema")
        #expect(
            try take(csv, #","exercises":[{"name":"x","exercise":"nothing-here"}]"#)
                .json["code"] as? String == "schema")
        #expect(
            try site.post("../workouts/import?user=nobody", try body(csv)).json["code"] as? String
                == "schema", "its unit is not said")
        #expect(try site.post("../workouts/import", try body(csv)).status == 400)
        #expect(try site.rows("SELECT count(*) FROM workout_set") == ["0"])
        // 200 MB are refused before they are read; the file has no block on the disk.
        let huge = try site.write("", to: "huge.csv")
        let handle = try #require(FileHandle(forWritingAtPath: huge))
        try handle.truncate(atOffset: 200_000_000)
        try handle.close()
        let refused = try run(site, ["import", huge])
        #expect(refused.status == 65 && refused.errors.contains("200000000 bytes"))
        let long = try site.post(
            "../workouts/import?user=\(user)", try body(String(repeating: "x", count: 25_000_000)))
        #expect(long.status == 413)
    }

    @Test func `an import that a kill cuts off leaves whole workouts, and is done by asking again`()
        throws
    {
        let site = try site()
        defer { site.stop() }
        let user = site.people[0].slug
        var csv =
            "workout,started_ms,ended_ms,title,set,exercise,kind,reps,weight_kg,duration_s,"
            + "distance_m,rir,station,at_ms,note\n"
        for number in 0..<40_000 {
            let from = 1_500_000_000_000 + Int64(number / 20) * 86_400_000
            csv += "w\(number / 20),\(from),\(from + 3_600_000),,"
            csv +=
                "00000000-0000-4000-8000-\(100_000_000_000 + number),bench-press,working,5,80,,,,,,\n"
        }
        let text = try body(csv)
        let file = try site.write(text, to: "history.json")
        try site.wait("the dashboard") { site.dashboard != nil }
        let curl = Process()
        curl.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        curl.arguments = [
            "-s", "-H", "Authorization: Bearer letmein", "-H", "Content-Type: application/json",
            "--data-binary", "@\(file)",
            (site.dashboard ?? "") + "api/v1/workouts/import?user=\(user)",
        ]
        curl.standardOutput = FileHandle.nullDevice
        try curl.run()
        try site.wait("some of it is stored") {
            (Int(try site.rows("SELECT count(*) FROM workout_set")[0]) ?? 0) > 0
        }
        site.coordinator?.kill()
        curl.waitUntilExit()
        let part = Int(try site.rows("SELECT count(*) FROM workout_set")[0]) ?? 0
        #expect(part % 20 == 0, "whole workouts: \(part)")
        try site.startCoordinator()
        let reply = try site.post("../workouts/import?user=\(user)", text)
        #expect(
            reply.json["known_sets"] as? Int == part && reply.json["sets"] as? Int == 40_000 - part)
        #expect(
            try site.rows("SELECT count(*) || ' ' || count(DISTINCT workout) FROM workout_set")
                == ["40000 2000"])
    }
}
