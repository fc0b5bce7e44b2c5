import GRDB
import Testing

@testable import Records
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore
@testable import TrainingEngine
@testable import Workouts

/// What a file of training history becomes in the database, and comes back as.
struct HistoryImportTests {
    private let scratch: Scratch
    private let store: Store
    private let asker = Asker(name: "ann", via: .rest, at: at(0))

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
        try Self.addExercises(to: store)
    }

    private static func addExercises(to store: Store) throws {
        try store.write { db in
            try db.execute(
                sql: """
                    INSERT INTO exercise (slug, name, measure, load, increment_g, rest_s) VALUES
                        ('squat', 'Squat', 'reps', 'weight', 2500, 90),
                        ('pull-up', 'Pull-up', 'reps', 'bodyweight', 2500, 90),
                        ('plank', 'Plank', 'time', 'none', 2500, 90),
                        ('run', 'Run', 'distance', 'none', 2500, 90)
                    """)
        }
    }

    private func resolved(_ lines: [String], map: [String: String] = [:]) throws -> ResolvedHistory
    {
        try resolved(try HistoryText.read(lines), map: map)
    }

    private func resolved(
        _ file: HistoryFile, map: [String: String] = [:], at store: Store? = nil
    ) throws -> ResolvedHistory {
        let site = try SiteExercises(store ?? self.store)
        return ResolvedHistory(
            file, site.exercises, try ExerciseNames(site.names, map: map),
            stations: site.stations)
    }

    @discardableResult
    private func take(
        _ history: ResolvedHistory, of user: String = "u-ann", into store: Store? = nil
    ) throws -> HistoryImport.Counts {
        var run = HistoryImport(history.workouts, of: user, .own)
        while true {
            if let counts = try run.step(on: store ?? self.store, by: asker) { return counts }
        }
    }

    /// Rows that an import may write, but the audit.
    private var rows: [String] {
        get throws {
            try store.texts("SELECT * FROM workout ORDER BY id")
                + store.texts("SELECT * FROM workout_set ORDER BY id")
        }
    }

    @Test func `a file becomes rows beyond those of the machines, and twice it is the same`()
        throws
    {
        let lines = [HistoryText.own, HistoryText.ownRow(1), HistoryText.ownRow(2)]
        let counts = try take(try resolved(lines))
        #expect((counts.workouts, counts.sets, counts.knownSets) == (1, 2, 0))
        let row = Workout.firstImported + 1
        #expect(
            try store.texts("SELECT id, user, state, started_ms, ended_ms, title FROM workout")
                == ["\(row) 1 completed 1709658000000 1709661900000 Legs"])
        #expect(
            try store.texts(
                "SELECT id, workout, n, exercise, reps, weight_g, rir, station FROM workout_set")
                == ["\(row) \(row) 1 squat 5 80500 2 1", "\(row + 1) \(row) 2 squat 5 80500 2 1"])
        let before = try rows
        let again = try take(try resolved(lines))
        #expect((again.workouts, again.sets, again.knownSets) == (0, 0, 2))
        #expect(try rows == before)
        let audit = try store.texts(
            "SELECT action, entity, user FROM audit_log WHERE entity = 'workouts'")
        #expect(audit == ["import workouts 1", "import workouts 1"])
    }

    @Test func `what was foreseen is what comes, and looking stores nothing`() throws {
        let history = try resolved([HistoryText.own, HistoryText.ownRow(1), HistoryText.ownRow(2)])
        let foreseen = try HistoryImport(history.workouts, of: "u-ann", .own).foreseen(store)
        #expect(try rows == [])
        #expect(try take(history) == foreseen)
    }

    @Test func `a file that has grown adds to the workout that it made`() throws {
        try take(try resolved([HistoryText.own, HistoryText.ownRow(1)]))
        let counts = try take(
            try resolved([HistoryText.own, HistoryText.ownRow(1), HistoryText.ownRow(2)]))
        #expect((counts.workouts, counts.sets, counts.knownSets) == (1, 1, 1))
        #expect(try store.texts("SELECT count(*), max(rev) FROM workout") == ["1 2"])
        #expect(try store.texts("SELECT n FROM workout_set ORDER BY id") == ["1", "2"])
    }

    @Test func `a workout at the time of another one is left out, one that touches it is not`()
        throws
    {
        // The file's is from 1709658000000 to 1709661900000.
        func native(_ id: Int64, from: Int64, to: Int64?) -> Fact {
            .workout(
                Workout(
                    id: id, user: ann, station: nil, state: to == nil ? .active : .completed,
                    from: Timestamp(milliseconds: from),
                    to: to.map { Timestamp(milliseconds: $0) }, pauses: [], pausedSince: nil))
        }
        let history = try resolved([HistoryText.own, HistoryText.ownRow(1)])
        func leftOut() throws -> [Int] {
            try HistoryImport(history.workouts, of: "u-ann", .own).foreseen(store).leftOut
        }
        try store.commit([
            native(1, from: 1_709_650_000_000, to: 1_709_658_000_000),
            native(2, from: 1_709_661_900_000, to: 1_709_669_000_000),
        ])
        #expect(try leftOut() == [])
        try store.commit([native(3, from: 1_709_661_899_999, to: nil)])
        #expect(try leftOut() == [2])
        try store.commit([native(3, from: 1_709_661_899_999, to: 1_709_661_899_999)])
        #expect(try leftOut() == [2])
        let counts = try take(history)
        #expect((counts.sets, counts.leftOut) == (0, [2]))
        #expect(try store.texts("SELECT count(*) FROM workout_set") == ["0"])
        #expect(
            try HistoryImport(history.workouts, of: "u-bob", .own).foreseen(store).leftOut == [])
    }

    @Test func `an import that was cut off is done by asking again`() throws {
        var lines = [HistoryText.own]
        for number in 0..<2000 {
            let from = 1_600_000_000_000 + Int64(number / 10) * 86_400_000
            let key = "00000000-0000-4000-8000-" + String(100_000_000_000 + number)
            lines.append(
                "w\(number / 10),\(from),\(from + 3_600_000),,\(key),squat,working,5,80,,,,,,")
        }
        let history = try resolved(lines)
        var run = HistoryImport(history.workouts, of: "u-ann", .own)
        #expect(try run.step(on: store, by: asker) == nil)
        #expect(run.hasBegun)
        let part = try Int(store.texts("SELECT count(*) FROM workout_set")[0]) ?? 0
        #expect((1..<2000).contains(part) && part % 10 == 0, "whole workouts: \(part)")
        let counts = try take(history)
        #expect((counts.sets, counts.knownSets) == (2000 - part, part))
        #expect(
            try store.texts("SELECT count(*), count(DISTINCT workout) FROM workout_set") == [
                "2000 200"
            ])
    }

    @Test func `the machines neither hold it nor count on from it, and records do`() throws {
        let recent = at(-3600).milliseconds
        try take(
            try resolved([
                HistoryText.own,
                "1,\(recent),\(recent + 60_000),,00000000-0000-4000-8000-000000000001,squat,working,"
                    + "5,100,,,,,,",
            ]))
        let reopened = try Store(path: scratch.path)
        defer { reopened.close() }
        let saved = try #require(try reopened.load()).saved
        #expect(saved.workouts.isEmpty)
        #expect(saved.site.next < 1000)
        let recalled = try store.recall([
            Recall(user: ann, workout: nil, set: nil, exercise: "squat", except: [])
        ])
        #expect(recalled.first?.bests.weight == 100_000)
    }

    @Test func `who is not there or has not agreed gets nothing`() throws {
        let history = try resolved([HistoryText.own, HistoryText.ownRow(1)])
        #expect(throws: BooksRefusal.self) { try take(history, of: "u-zoe") }
        try store.write { db in
            try db.execute(sql: "UPDATE site SET requires_consent = 1")
            try db.execute(sql: "DELETE FROM consent")
        }
        let refusal = #expect(throws: BooksRefusal.self) { try take(history) }
        #expect(refusal?.code == .consentRequired)
        #expect(try rows == [])
    }

    @Test func `names that nobody knows are listed, and their sets are not taken`() throws {
        let strong = [
            HistoryText.strong,
            "2024-03-05 18:00:00,Legs,1h,Squat,1,80,5,0,0,,,",
            "2024-03-05 18:00:00,Legs,1h,Sqat (Barbell),2,80,5,0,0,,,",
            "2024-03-05 18:00:00,Legs,1h,SQAT  (barbell),3,80,5,0,0,,,",
            "2024-03-05 18:00:00,Legs,1h,Plank,4,10,0,0,60,,,",
            "2024-03-05 18:00:00,Legs,1h,Run,5,0,5,0,0,,,",
        ]
        let first = try resolved(strong)
        #expect(first.workouts.flatMap(\.sets).map(\.exercise) == ["squat", "plank"])
        #expect(first.workouts.flatMap(\.sets).map(\.weight) == [80_000, nil])
        #expect(first.unknown.map(\.sets) == [2])
        #expect(first.unknown.first?.suggestion == "squat")
        #expect(
            first.remarks == [
                .init(line: 5, kind: .strangeWeight), .init(line: 6, kind: .otherMeasure),
            ])
        let second = try resolved(strong, map: ["sqat (barbell)": "squat"])
        #expect(second.unknown == [])
        #expect(second.workouts.flatMap(\.sets).count == 4)
    }

    @Test(arguments: UInt64(1)...40)
    func `what is written of random histories reads as the same`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let texts: [String?] = [
            nil, "=1+1", "'=1", "'", "a,b", "a;-b", "say \"ah\"", "one\n@two", "é\u{301}", "x",
            "\u{FF1D}2", " '+", "it's; '-x",
        ]
        var facts: [Fact] = []
        for id in Int64(1)...6 {
            let begin = Double(id) * 90_000
            let state: Workout.State = id == 6 ? .cancelled : .completed
            facts.append(
                .workout(
                    Workout(
                        id: id, user: ann, station: nil, state: state, from: at(begin),
                        to: at(begin + 3600), pauses: [], pausedSince: nil)))
            for number in 1...8 {
                let exercise = ["squat", "pull-up", "plank", "run"].randomElement(using: &random)
                let amount = Int.random(in: 1...1000, using: &random)
                let measure: WorkoutSet.Measure =
                    switch exercise {
                    case "plank": .duration(amount)
                    case "run": .distance(amount)
                    default: .reps(amount)
                    }
                let isLoaded = exercise == "squat" || (exercise == "pull-up" && amount % 2 == 0)
                facts.append(
                    .set(
                        WorkoutSet(
                            id: id * 1000 + Int64(number), workout: id, user: ann,
                            key: "00000000-0000-4000-8000-00000000\(id * 1000 + Int64(number))",
                            number: number, exercise: exercise ?? "run",
                            kind: WorkoutSet.Kind.allCases.randomElement(using: &random)
                                ?? .working,
                            measure: measure,
                            weight: isLoaded
                                ? Int64.random(in: 0...1_000_000, using: &random) : nil,
                            rir: amount % 3 == 0 ? amount % 11 : nil,
                            station: amount % 2 == 0 ? rack : nil,
                            at: at(begin + Double(number) * 60.5),
                            note: texts.randomElement(using: &random) ?? nil,
                            isDeleted: amount % 10 == 0, digest: 7)))
            }
        }
        try store.commit(facts)
        let csv = try HistoryExport(store).csv(of: "u-ann")
        let file = try HistoryText.read(csv)
        #expect(file.workouts.flatMap(\.sets).count == (try counted(store)))
        // Here all is known already.
        let before = try rows
        let counts = try take(try resolved(file))
        #expect((counts.sets, counts.leftOut) == (0, []))
        #expect(try rows == before)
        // At another site it becomes the same history.
        let other = try Scratch()
        let second = try other.store()
        try Self.addExercises(to: second)
        let moved = try resolved(file, at: second)
        #expect(moved.unknown == [] && moved.remarks == [])
        try take(moved, of: "u-bob", into: second)
        let back = try HistoryText.read(try HistoryExport(second).csv(of: "u-bob"))
        #expect(back.workouts.map(\.sets) == file.workouts.map(\.sets))
        #expect(try Self.content(second, "u-bob") == (try Self.content(store, "u-ann")))
    }

    private func counted(_ store: Store) throws -> Int {
        try Self.content(store, "u-ann").count
    }

    /// All that an export tells, from the rows.
    private static func content(_ store: Store, _ user: String) throws -> [String] {
        try store.texts(
            """
            SELECT started_ms, ended_ms, client_key, exercise, kind, reps, weight_g, duration_s,
                distance_m, rir, workout_set.station, at_ms, note
            FROM workout_set JOIN workout ON workout.id = workout
            WHERE workout.user = (SELECT id FROM user WHERE slug = '\(user)') AND deleted = 0
                AND state <> 'cancelled'
            ORDER BY client_key
            """)
    }

    @Test func `a person's archive has it all`() throws {
        try take(try resolved([HistoryText.own, HistoryText.ownRow(1), HistoryText.ownRow(2)]))
        let archive = try #require(
            try PersonExports(store).export(user: "u-ann", at: at(1)))
        func cells(_ name: String, _ column: String) throws -> [PersonExport.Cell] {
            let table = try #require(archive.tables.first { $0.name == name })
            let place = try #require(table.columns.firstIndex(of: column))
            return table.rows.map { $0[place] }
        }
        #expect(try cells("workout", "title") == [.text("Legs")])
        #expect(try cells("workout_set", "weight_g") == [.integer(80_500), .integer(80_500)])
        #expect(
            try #require(try PersonExports(store).export(user: "u-bob", at: at(2))).tables.first {
                $0.name == "workout_set"
            }?.rows.isEmpty == true)
    }

    @Test func `an index leads to what overlaps`() throws {
        let plan = try store.texts(
            "EXPLAIN QUERY PLAN " + HistoryImport.overlap.replacing("?", with: "1"))
        #expect(plan.contains { $0.contains("workout_of_user (user=? AND started_ms>") }, "\(plan)")
    }

    @Test func `a past workout finds what was imported in its way, and sets that are known`() throws
    {
        try take(try resolved([HistoryText.own, HistoryText.ownRow(1)]))
        let (from, to) = (
            Timestamp(milliseconds: 1_709_658_000_000), Timestamp(milliseconds: 1_709_661_900_000)
        )
        func isTaken(_ first: Timestamp, _ last: Timestamp) throws -> Bool? {
            var recall = Recall(user: ann)
            recall.span = Interval(from: first, to: last)
            return try store.recall([recall])[0].isTaken
        }
        #expect(try isTaken(from + .seconds(60), from + .seconds(120)) == true)
        #expect(try isTaken(from - .seconds(60), from + .seconds(1)) == true)
        #expect(try isTaken(from - .seconds(60), from) == false)
        #expect(try isTaken(to, to + .seconds(60)) == false)
        let key = try #require(try store.texts("SELECT client_key FROM workout_set").first)
        var recall = Recall(user: ann)
        recall.sets = ["other", key]
        #expect(try store.recall([recall])[0].knowsSets == true)
        recall.sets = ["other"]
        #expect(try store.recall([recall])[0].knowsSets == false)
        try store.write { db in
            try db.execute(sql: "UPDATE workout SET state = 'cancelled'")
        }
        #expect(try isTaken(from, to) == false)
        // What was logged afterwards is found by its row, as long as it counts.
        let row = Workout.firstImported + 1
        let asked = Recall(user: ann, workout: row)
        #expect(try store.recall([asked])[0].stated == nil)
        try store.write { db in
            try db.execute(sql: "UPDATE workout SET state = 'completed', stated = 1")
        }
        let stated = try #require(try store.recall([asked])[0].stated)
        #expect(stated.workout.cause == .stated && stated.sets.map(\.key) == [key])
        #expect(try store.recall([Recall(user: bob, workout: row)])[0].stated == nil)
    }
}
