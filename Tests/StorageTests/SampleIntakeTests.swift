import Basics
import GRDB
import Testing

@testable import Activities
@testable import ActivityEngine
@testable import Records
@testable import SiteModel
@testable import SiteStore

/// Samples of steps, stored once however they come; settings, goals and what a reset leaves.
struct SampleIntakeTests {
    private static let ann = "u-ann"

    private let scratch: Scratch
    private let store: Store
    private let now = at(86_400 * 3)

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    private func sent(
        _ id: String, _ from: Double, _ to: Double, _ steps: Int64 = 100, source: String = "phone",
        distance: Int64? = nil
    ) -> SentSample {
        SentSample(
            id: id, source: source,
            sample: ActivitySample(from: at(from), to: at(to), steps: steps, distance: distance))
    }

    private func take(_ samples: SentSample..., of user: String = ann) throws -> [ProblemCode?] {
        try SampleIntake(store).take(samples, of: user, at: now)
    }

    /// What counts, by source and beginning.
    private var current: [String] {
        get throws {
            try store.texts(
                """
                SELECT name, (from_ms - \(at(0).milliseconds)) / 1000, (to_ms - \(at(0).milliseconds)) / 1000,
                    steps, distance_mm
                FROM activity_sample JOIN activity_source ON activity_source.id = source
                WHERE replaced = 0 ORDER BY name, from_ms
                """)
        }
    }

    @Test func `a sample that comes twice is stored once`() throws {
        #expect(try take(sent("a", 0, 60)) == [nil])
        #expect(try take(sent("a", 0, 60), sent("b", 0, 60)) == [nil, nil])
        #expect(try current.count == 1)
        // The same id with anything else is refused.
        for other in [
            sent("a", 0, 60, 99), sent("a", 0, 61), sent("a", 1, 60),
            sent("a", 0, 60, source: "watch"),
            sent("a", 0, 60, distance: 1),
        ] {
            #expect(try take(other) == [.idempotencyMismatch])
        }
        #expect(try current.count == 1)
        // Ids are of a person.
        #expect(try take(sent("a", 0, 60, 7), of: "u-bob") == [nil])
    }

    @Test func `one with the same beginning replaces, and what it replaced does not come back`()
        throws
    {
        #expect(try take(sent("a", 0, 60, 10), sent("b", 0, 90, 20)) == [nil, nil])
        #expect(try current == ["phone 0 90 20 -"])
        #expect(try take(sent("a", 0, 60, 10)) == [nil])
        #expect(try current == ["phone 0 90 20 -"])
        #expect(try take(sent("c", 0, 30, 5)) == [nil])
        #expect(try current == ["phone 0 30 5 -"])
        // Not where it would grow into the next.
        #expect(try take(sent("d", 60, 120), sent("e", 0, 61)) == [nil, .overlap])
        #expect(try take(sent("f", 0, 60)) == [nil])
    }

    @Test func `a repeat under another id is known when it comes again`() throws {
        #expect(try take(sent("a", 0, 60, 10), sent("b", 0, 60, 10)) == [nil, nil])
        #expect(try take(sent("c", 0, 60, 20)) == [nil])
        #expect(try take(sent("b", 0, 60, 10)) == [nil])
        #expect(try current == ["phone 0 60 20 -"])
        #expect(try take(sent("b", 0, 60, 30)) == [.idempotencyMismatch])
    }

    @Test func `what an id was sent with counts before its time, and sources are few`() throws {
        #expect(try take(sent("a", 0, 60)) == [nil])
        let late = SentSample(
            id: "a", source: "phone",
            sample: ActivitySample(from: now, to: now + .seconds(90), steps: 1))
        #expect(try take(late) == [.idempotencyMismatch])
        // A repeat stays one when it has become too old.
        let old = try SampleIntake(store).take(
            [sent("a", 0, 60), sent("z", 60, 120)], of: Self.ann, at: at(86_400 * 800))
        #expect(old == [nil, .badTime])
        for number in 1..<16 {
            #expect(try take(sent("s\(number)", 0, 60, source: "source \(number)")) == [nil])
        }
        #expect(try take(sent("s16", 0, 60, source: "source 16")) == [.rateLimited])
        // What is refused leaves no source behind.
        #expect(try take(sent("x", 0, -1, source: "bad"), of: "u-bob") == [.badTime])
        #expect(try store.texts("SELECT count(*) FROM activity_source") == ["16"])
    }

    @Test func `samples are found by an index, and go by one`() throws {
        for (sql, index) in [
            (
                ActivitySample.query.replacing("?1", with: "1").replacing("?2", with: "5")
                    .replacing(
                        "?3", with: "9"),
                "activity_sample_by_start (source=? AND from_ms>? AND from_ms<?)"
            ),
            ("DELETE FROM activity_sample WHERE to_ms < 5", "activity_sample_by_end (to_ms<?)"),
            ("DELETE FROM activity_sample WHERE user = 1", "activity_sample_of_key (user=?)"),
            (
                "SELECT 1 FROM activity_sample WHERE source = 1",
                "activity_sample_by_start (source=?)"
            ),
        ] {
            let plan = try store.texts("EXPLAIN QUERY PLAN " + sql)
            #expect(plan.count == 1 && plan[0].contains(index), "\(sql): \(plan)")
        }
    }

    @Test func `samples of one source do not overlap, those of two may`() throws {
        #expect(try take(sent("a", 100, 200)) == [nil])
        for (from, to) in [(50.0, 101.0), (150, 160), (199, 300), (50, 300), (99, 200)] {
            #expect(try take(sent("\(from) \(to)", from, to, 99)) == [.overlap], "\(from) \(to)")
        }
        #expect(try take(sent("b", 0, 100), sent("c", 200, 300)) == [nil, nil])
        #expect(try take(sent("d", 150, 160, source: "watch")) == [nil])
        #expect(try current.count == 4)
        // A day long, from the day before.
        #expect(try take(sent("e", -86_300, 0, source: "ring")) == [nil])
        #expect(try take(sent("f", -1, 10, source: "ring")) == [.overlap])
    }

    @Test func `what is refused changes nothing`() throws {
        #expect(try take(sent("a", 0, 60, 1), sent("b", 60, 120, 2)) == [nil, nil])
        // It has the beginning of the one, and overlaps the other with fewer steps than both.
        for (from, to) in [(0.0, 180.0), (0, 119), (-10, 180)] {
            #expect(try take(sent("\(from) \(to)", from, to, 2)) == [.overlap])
            #expect(try current == ["phone 0 60 1 -", "phone 60 120 2 -"])
        }
    }

    @Test func `a longer one with no fewer steps stands in the place of those within it`() throws {
        #expect(try take(sent("a", 0, 60, 10), sent("b", 60, 120, 20)) == [nil, nil])
        #expect(try take(sent("c", -1, 120, 29)) == [.overlap])
        #expect(try take(sent("d", 0, 180, 30)) == [nil])
        #expect(try current == ["phone 0 180 30 -"])
        // What it replaced is known, and does not come back.
        #expect(try take(sent("a", 0, 60, 10), sent("b", 60, 120, 20)) == [nil, nil])
        #expect(try current == ["phone 0 180 30 -"])
        #expect(try take(sent("e", 60, 120, 20)) == [.overlap])
        // Not where it would reach into another one.
        #expect(try take(sent("f", 180, 240, 5), sent("g", -60, 239, 100)) == [nil, .overlap])
    }

    @Test func `of one request those are taken that have most steps together`() throws {
        func takeTogether(_ samples: [SentSample]) throws -> [String] {
            for order in [samples, samples.reversed(), Array(samples[1...] + samples[..<1])] {
                try store.transaction { db in
                    try db.execute(sql: "DELETE FROM activity_sample")
                }
                _ = try SampleIntake(store).take(
                    order.intakeOrder().map { order[$0] }, of: Self.ann, at: now)
            }
            return try current
        }
        // One step across two walks counts nothing.
        #expect(
            try takeTogether([
                sent("a", 0, 300, 400), sent("b", 300, 600, 600), sent("c", 200, 400, 1),
            ]) == ["phone 0 300 400 -", "phone 300 600 600 -"])
        // Hours, and a day that says less of them.
        #expect(
            try takeTogether([
                sent("h1", 0, 3600, 600), sent("h2", 3600, 7200, 700), sent("day", 0, 86_400, 1200),
            ]) == ["phone 0 3600 600 -", "phone 3600 7200 700 -"])
        // What cannot be is refused by itself, however it stands among others.
        #expect(
            try takeTogether([
                sent("a", 0, 300, 400), sent("x", 500, 100, 200_000), sent("y", 600, 600, 9),
                sent("z", -1e12, 1e12, 3), sent("b", 300, 600, 600),
            ]) == ["phone 0 300 400 -", "phone 300 600 600 -"])
        // One that grew.
        #expect(
            try takeTogether([sent("d1", 0, 60, 10), sent("d2", 0, 90, 20), sent("d3", 0, 30, 5)])
                == ["phone 0 90 20 -"])
    }

    /// Random samples of one source as a request has them: after each what counts is what the codes say, and no order
    /// of one request makes a difference.
    @Test(arguments: 0..<40) func `sums stand after refusals, in any order`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let all = (0..<30).map { number in
            let from = Double(Int.random(in: 0..<40, using: &random) * 60)
            let length = Double([60, 120, 600].randomElement(using: &random) ?? 60)
            return sent("\(number)", from, from + length, .random(in: 0...500, using: &random))
        }
        // One request each: what is refused changes nothing.
        for sample in all.shuffled(using: &random).prefix(15) {
            let before = try current
            if try take(sample) == [.overlap] { #expect(try current == before) }
        }
        // All in one request, twice over: the same counts.
        var sums: Set<[String]> = []
        for _ in 0..<2 {
            let mixed = all.shuffled(using: &random)
            _ = try SampleIntake(store).take(
                mixed.intakeOrder().map { mixed[$0] }, of: "u-bob", at: now)
            sums.insert(
                try store.texts(
                    """
                    SELECT from_ms, to_ms, steps FROM activity_sample JOIN user ON user.id = user
                    WHERE replaced = 0 AND slug = 'u-bob' ORDER BY from_ms
                    """))
            try store.transaction { db in
                try db.execute(
                    sql: """
                        DELETE FROM activity_sample
                        WHERE user = (SELECT id FROM user WHERE slug = 'u-bob')
                        """)
            }
        }
        #expect(sums.count == 1)
        // None of those that count overlap.
        let spans = try store.texts(
            "SELECT from_ms, to_ms FROM activity_sample WHERE replaced = 0 AND user = 1 ORDER BY from_ms"
        ).map { $0.split(separator: " ").compactMap { Int64($0) } }
        #expect(zip(spans, spans.dropFirst()).allSatisfy { $0[1] <= $1[0] })
    }

    @Test func `each sample stands for itself, and nobody's are refused as a whole`() throws {
        let future = now + .seconds(61)
        let wrong = SentSample(
            id: "x", source: "phone", sample: ActivitySample(from: at(0), to: future, steps: 1))
        #expect(try take(sent("a", 0, 60), wrong, sent("b", 60, 120)) == [nil, .badTime, nil])
        #expect(try current.count == 2)
        #expect(throws: BooksRefusal.self) { try take(sent("a", 0, 60), of: "u-nobody") }
    }

    /// Samples that do not overlap count once each, in whatever order and however often they come.
    @Test(arguments: 0..<20) func `the order of what does not overlap changes nothing`(seed: UInt64)
        throws
    {
        var random = SeededRandom(seed: seed)
        var samples: [SentSample] = []
        var from = 0.0
        for number in 0..<60 {
            from += Double.random(in: 0...3600, using: &random).rounded()
            let to = from + Double.random(in: 60...1800, using: &random).rounded()
            samples.append(sent("\(number)", from, to, .random(in: 0...500, using: &random)))
            from = to
        }
        var coming = (samples + samples.prefix(30)).shuffled(using: &random)
        while !coming.isEmpty {
            let some = coming.prefix(.random(in: 1...9, using: &random))
            #expect(
                try SampleIntake(store).take(Array(some), of: Self.ann, at: now).allSatisfy {
                    $0 == nil
                })
            coming.removeFirst(some.count)
        }
        let sum = samples.reduce(0) { $0 + $1.sample.steps }
        #expect(
            try store.texts("SELECT count(*), sum(steps) FROM activity_sample") == ["60 \(sum)"])
    }

    @Test func `settings replace all, goals have a history, a reset leaves both`() throws {
        let asker = Asker(name: "account:ann", via: .rest, at: now)
        let records = ActivityRecords(store)
        let day = try #require(LocalDate("2026-03-01"))
        func set(_ steps: Int64?, _ from: LocalDate, height: Int64? = nil) throws {
            var settings = ActivitySettings()
            settings.body.height = height
            settings.reminder = .init(at: .midnight, weekdays: [1, 7])
            _ = try records.perform(
                .settings(user: Self.ann, settings, goal: .init(from: from, steps: steps)),
                by: asker)
        }
        try set(8000, day, height: 1800)
        // Said again on a later day it is the same goal.
        try set(8000, day + 3)
        try set(9000, day + 5)
        try set(9500, day + 5)
        try set(nil, day + 9)
        let figures = try #require(try records.figures(of: Self.ann))
        #expect(
            figures.settings.body.height == nil && figures.settings.reminder?.weekdays == [1, 7])
        #expect(figures.goals.map(\.steps) == [8000, 9500, nil])
        #expect(
            [day + -1, day, day + 4, day + 5, day + 8, day + 9].map { figures.goals.goal(on: $0) }
                == [nil, 8000, 8000, 9500, 9500, nil])
        _ = try take(sent("a", 0, 60), sent("b", 0, 60, source: "watch"))
        _ = try records.perform(.reset(user: Self.ann), by: asker)
        #expect(try store.texts("SELECT count(*) FROM activity_sample") == ["0"])
        #expect(try records.figures(of: Self.ann)?.goals.count == 3)
        // The same samples may come anew.
        #expect(try take(sent("a", 0, 60)) == [nil])
        // The audit knows that, and no figure.
        let audit = try store.texts(
            "SELECT action, entity, after_digest FROM audit_log WHERE entity LIKE 'activity%' ORDER BY id"
        )
        #expect(audit.last == "delete activity_sample -" && audit.allSatisfy { $0.hasSuffix(" -") })
    }
}
