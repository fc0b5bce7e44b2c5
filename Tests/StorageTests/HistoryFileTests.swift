import Scheduling
import Testing

@testable import Basics
@testable import SiteModel
@testable import Workouts

/// What the tests of training history share: a site in Berlin, and files as they are written.
enum HistoryText {
    /// Only the changes of the clocks of 2024.
    static let calendar = SiteCalendar(
        TimeZoneTable(
            name: "Europe/Berlin", first: .seconds(3600),
            transitions: [
                .init(at: Timestamp(milliseconds: 1_711_846_800_000), offset: .seconds(7200)),
                .init(at: Timestamp(milliseconds: 1_729_990_800_000), offset: .seconds(3600)),
            ]), dayStart: .midnight)
    /// Summer time for ever.
    static let berlin = SiteCalendar(
        TimeZoneTable(name: "Europe/Berlin", first: .seconds(7200), transitions: []),
        dayStart: .midnight)
    /// 2026-01-01T00:00:00Z.
    static let now = Timestamp(milliseconds: 1_767_225_600_000)

    static let own =
        "workout,started_ms,ended_ms,title,set,exercise,kind,reps,weight_kg,duration_s,"
        + "distance_m,rir,station,at_ms,note"
    static let strong =
        "Date,Workout Name,Duration,Exercise Name,Set Order,Weight,Reps,Distance,Seconds,Notes,"
        + "Workout Notes,RPE"
    static let newStrong =
        "Workout #;Date;Workout Name;Duration (sec);Exercise Name;Set Order;Weight (kg);Reps;RPE;"
        + "Distance (meters);Seconds;Notes;Workout Notes"
    static let hevy =
        "title,start_time,end_time,description,exercise_title,superset_id,exercise_notes,"
        + "set_index,set_type,weight_kg,reps,distance_km,duration_seconds,rpe"

    static func read(
        _ lines: [String], units: HistoryUnits = HistoryUnits(weight: .kilograms)
    ) throws(HistoryFault) -> HistoryFile {
        try read(Array(lines.joined(separator: "\n").utf8), units: units)
    }

    static func read(
        _ bytes: [UInt8], units: HistoryUnits = HistoryUnits(weight: .kilograms)
    ) throws(HistoryFault) -> HistoryFile {
        try HistoryFile.read(bytes, in: calendar, now: now, units: units)
    }

    /// A row of ours, of a workout from 2024-03-05 18:00 to 19:05 in Berlin.
    static func ownRow(_ number: Int, _ members: String = "working,5,80.5,,,2,rack,,") -> String {
        let key = "00000000-0000-4000-8000-" + Hex.text(UInt64(number), count: 12)
        return "7,1709658000000,1709661900000,Legs,\(key),squat,\(members)"
    }

    /// A row of Hevy: the exercise and all columns behind it, and of which workout they are.
    static func hevyRow(
        _ set: String = "Bench Press (Barbell),,,0,normal,80,5,,,8",
        from: String = "28 Mar 2024, 17:29", to: String = "28 Mar 2024, 18:29",
        title: String = "Push"
    ) -> String {
        "\(title),\"\(from)\",\"\(to)\",,\(set)"
    }
}

/// The three layouts say the same of a set, each in its own way.
struct HistoryFileTests {
    private let start = Timestamp(milliseconds: 1_709_658_000_000)

    @Test func `our own file is read exactly`() throws {
        let upper = "00000000-0000-4000-8000-00000000000A"
        let rows = [
            HistoryText.own, HistoryText.ownRow(1, "warm-up,5,80.125,,,2,rack,1709658060000,=1+1"),
            "7,1709658000000,1709661900000,Legs,\(upper),plank,working,,,60,,,,,",
        ]
        let file = try HistoryText.read(rows)
        #expect(file.layout == .own)
        #expect(file.remarks == [])
        let workout = try #require(file.workouts.first)
        #expect(workout.from == start)
        #expect(workout.to == start + .seconds(3900))
        #expect(workout.title == "Legs")
        #expect(
            workout.sets == [
                ReadSet(
                    line: 2, key: "00000000-0000-4000-8000-000000000001", exercise: "squat",
                    kind: .warmUp, reps: 5, weight: 80_125, rir: 2, station: "rack",
                    at: start + .seconds(60), note: "=1+1"),
                ReadSet(
                    line: 3, key: upper.lowercased(), exercise: "plank", kind: .working,
                    duration: 60, at: start + .seconds(3900)),
            ])
    }

    @Test func `columns may stand in any order`() throws {
        let row = HistoryText.ownRow(1)
        func reversed(_ line: String) -> String {
            line.split(separator: ",", omittingEmptySubsequences: false).reversed()
                .joined(separator: ",")
        }
        #expect(
            try HistoryText.read([reversed(HistoryText.own), reversed(row)])
                == HistoryText.read([HistoryText.own, row]))
    }

    @Test func `Strong's file with commas is read`() throws {
        let begin = "2024-03-05 18:00:00,\"Push, heavy\",1h 5m,"
        let file = try HistoryText.read([
            HistoryText.strong,
            begin + "\"Bench Press (Barbell)\",W,40.0,10.0,0,0.0,\"felt \"\"good\"\"\",\"\",",
            begin + "\"Bench Press (Barbell)\",1,80.5,8,0,0,,,8.5",
            begin + "\"Bench Press (Barbell)\",Rest Timer,0,0.0,0,120.0,,,",
            begin + "\"Bench Press (Barbell)\",D,60,8,0,0,,,",
            begin + "\"Bench Press (Barbell)\",F,60,3,0,0,,,",
            begin + "Plank,Note,0,0,0,0,slowly,,",
            begin + "Plank,1,0,0,0,60.0,,,",
        ])
        #expect(file.layout == .strong)
        #expect(
            file.remarks == [
                .init(line: 4, kind: .restTimer), .init(line: 7, kind: .exerciseNote),
            ])
        let workout = try #require(file.workouts.first)
        #expect(workout.from == start)
        #expect(workout.to == start + .seconds(3900))
        #expect(workout.title == "Push, heavy")
        #expect(workout.sets.map(\.line) == [2, 3, 5, 6, 8])
        #expect(workout.sets.map(\.kind) == [.warmUp, .working, .drop, .failure, .working])
        #expect(workout.sets.map(\.weight) == [40_000, 80_500, 60_000, 60_000, nil])
        #expect(workout.sets.map(\.reps) == [10, 8, 8, 3, nil])
        #expect(workout.sets.map(\.duration) == [nil, nil, nil, nil, 60])
        #expect(workout.sets.map(\.rir) == [nil, 2, nil, nil, nil])
        #expect(workout.sets.map(\.note) == ["felt \"good\"", nil, nil, nil, nil])
        let seconds = workout.sets.map { ($0.at - start).seconds }
        #expect(seconds == [780, 1560, 2340, 3120, 3900])
    }

    @Test(
        arguments: [
            ("Weight (kg)", "80.0005", 80_001), ("Weight (lbs)", "225", 102_058),
            ("Weight (lb)", "88.18", 39_998), ("Weight (kg)", "62,5", 62_500),
        ] as [(String, String, Int64)])
    func `Strong's file with semicolons names its unit of weights`(
        heading: String, weight: String, grams: Int64
    ) throws {
        let file = try HistoryText.read(
            [
                HistoryText.newStrong.replacing("Weight (kg)", with: heading),
                "\"1\";\"2024-03-05 18:00:00\";\"Legs\";\"3900\";\"Squat\";\"1\";\"\(weight)\";"
                    + "\"5\";\"\";\"\";\"\";\"\";\"\"",
            ], units: HistoryUnits())
        #expect(file.workouts.first?.sets.first?.weight == grams)
        #expect(file.workouts.first?.to == start + .seconds(3900))
    }

    @Test(
        arguments: [
            ("Distance (meters)", "5000", 5000), ("Distance (km)", "5.2", 5200),
            ("Distance (miles)", "1", 1609), ("Distance (km)", "0.0004", nil),
        ] as [(String, String, Int?)])
    func `and of distances`(heading: String, distance: String, metres: Int?) throws {
        let file = try HistoryText.read([
            HistoryText.newStrong.replacing("Distance (meters)", with: heading),
            "1;2024-03-05 18:00:00;Run;3900;Running;1;;;;\(distance);1500;;",
        ])
        let set = try #require(file.workouts.first?.sets.first)
        #expect(set.distance == metres)
        #expect(set.duration == 1500)
        #expect(set.weight == nil)
    }

    @Test func `each row of Strong's third file names its unit`() throws {
        let heading =
            "Date;Workout Name;Exercise Name;Set Order;Weight;Weight Unit;Reps;RPE;Distance;"
            + "Distance Unit;Seconds;Notes;Workout Notes;Workout Duration"
        let begin = "2024-03-05 18:00:00;\"A\";\"Squat\";"
        let file = try HistoryText.read(
            [
                heading, begin + "1;115;lbs;4;6.5;;;0;\"\";\"\";17m",
                begin + "2;50;kg;8;8;;;0;;;17m", begin + "3;;;8;;2.4;mi.;0;;;17m",
            ], units: HistoryUnits())
        let sets = try #require(file.workouts.first?.sets)
        #expect(sets.map(\.weight) == [52_163, 50_000, nil])
        #expect(sets.map(\.rir) == [4, 2, nil])
        #expect(sets.map(\.distance) == [nil, nil, 3862])
        #expect(sets.last?.at == start + .seconds(1020))
    }

    @Test func `Hevy's file is read, its newest workout last`() throws {
        let set = "Bench Press (Barbell),,Slowly,"
        let file = try HistoryText.read([
            HistoryText.hevy, HistoryText.hevyRow(set + "0,warmup,40,10,,,"),
            HistoryText.hevyRow(set + "1,normal,80,5,,,7"),
            HistoryText.hevyRow(set + "2,dropset,60,8,,0,"),
            HistoryText.hevyRow(set + "3,failure,60,2,,,10"),
            HistoryText.hevyRow(
                "Running,,,0,normal,,,5.5,1500,", from: "5 Mar 2024, 18:00",
                to: "5 Mar 2024, 19:05", title: "Run"),
        ])
        #expect(file.layout == .hevy)
        #expect(file.workouts.map(\.title) == ["Run", "Push"])
        #expect(file.workouts.map(\.from.milliseconds) == [1_709_658_000_000, 1_711_643_340_000])
        #expect(file.workouts.map(\.to.milliseconds) == [1_709_661_900_000, 1_711_646_940_000])
        let run = try #require(file.workouts.first?.sets.first)
        #expect(run.distance == 5500)
        #expect(run.duration == 1500)
        #expect(run.reps == nil)
        let push = try #require(file.workouts.last?.sets)
        #expect(push.map(\.kind) == [.warmUp, .working, .drop, .failure])
        #expect(push.map(\.rir) == [nil, 3, nil, 0])
        #expect(push.map(\.note) == ["Slowly", nil, nil, nil])
    }

    @Test func `Hevy's headings name pounds and miles`() throws {
        let heading = HistoryText.hevy.replacing("weight_kg", with: "weight_lbs")
            .replacing("distance_km", with: "distance_miles")
        let file = try HistoryText.read([
            heading, HistoryText.hevyRow("Carry,,,0,normal,135,1,0.5,,"),
        ])
        let set = try #require(file.workouts.first?.sets.first)
        #expect(set.weight == 61_235)
        #expect(set.distance == 805)
    }

    @Test func `a mark, CRLF and blank lines change nothing`() throws {
        let rows = [HistoryText.hevy, HistoryText.hevyRow()]
        let file = try HistoryText.read(rows)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let lines = rows.map { "\($0)\r\n" } + ["\r\n"]
        #expect(try HistoryText.read(mark + Array(lines.joined().utf8)) == file)
        #expect(try HistoryText.read(rows + [",,,,,,,,,,,,,", ""]) == file)
    }

    @Test func `what is no set, and what is too long, is told`() throws {
        let note = String(repeating: "x", count: 501)
        let file = try HistoryText.read([
            HistoryText.strong,
            "2024-03-05 18:00:00,A,264h 1m,Squat,1,100,5,0,0,\(note),,",
            "2024-03-05 18:00:00,A,264h 1m,Squat,2,100,0,0,0,,,",
        ])
        #expect(
            file.remarks == [
                .init(line: 2, kind: .longNote), .init(line: 2, kind: .longWorkout),
                .init(line: 3, kind: .nothingDone),
            ])
        let workout = try #require(file.workouts.first)
        #expect(workout.to == workout.from)
        #expect(workout.sets.map(\.note?.count) == [500])
        #expect(workout.sets.map(\.at) == [workout.from])
    }

    @Test func `lines of a note end in LF`() throws {
        let file = try HistoryText.read([
            HistoryText.hevy, HistoryText.hevyRow("Squat,,\"a\r\nb\rc\",0,normal,80,5,,,"),
        ])
        #expect(file.workouts.first?.sets.first?.note == "a\nb\nc")
    }
}
