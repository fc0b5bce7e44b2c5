import Testing

@testable import Activities
@testable import ActivityEngine
@testable import Records
@testable import SiteModel
@testable import SiteStore

/// What people did and heart rates, stored once however they come; what is begun and ended by hand.
struct ActivityIntakeTests {
    private static let ann = "u-ann"

    private let scratch: Scratch
    private let store: Store
    private let now = at(86_400 * 3)

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    private func done(
        _ id: String, _ from: Double, _ to: Double? = nil, _ kind: ActivityKind = .walking
    ) -> Sent<ActivityInterval> {
        Sent(
            id: id, source: "phone",
            sample: ActivityInterval(kind: kind, from: at(from), to: to.map { at($0) }))
    }

    private func take(_ sent: Sent<ActivityInterval>...) throws -> [ProblemCode?] {
        try SampleIntake(store).take(sent, of: Self.ann, at: now)
    }

    private func perform(_ call: ActivityCall, at now: Timestamp) throws {
        _ = try ActivityRecords(store).perform(
            call, by: Asker(name: "ann", via: .rest, at: now))
    }

    /// What somebody did on all days, at a moment: kind, beginning and end in seconds.
    private func told(at now: Timestamp) throws -> [String] {
        let all = Interval(from: at(-86_400), to: at(86_400 * 9))
        let figures = try ActivityRecords(store).figures(of: Self.ann, in: all, at: now)
        return (figures?.done ?? []).map { one in
            let end = one.end.map { "\(Int(($0 - at(0)).seconds))" } ?? "…"
            return "\(one.activity.kind) \(Int((one.activity.from - at(0)).seconds)) \(end)"
        }
    }

    @Test func `what a phone says somebody did is stored once, and an end is added later`() throws {
        #expect(try take(done("a", 0), done("a", 0)) == [nil, nil])
        #expect(try told(at: at(60)) == ["walking 0 …"])
        // The same id with an end is something else; another id with the same beginning says more.
        #expect(try take(done("a", 0, 600)) == [.idempotencyMismatch])
        #expect(try take(done("b", 0, 600), done("a", 0)) == [nil, nil])
        #expect(try told(at: now) == ["walking 0 600"])
        #expect(
            try take(
                done("c", 500, 700), done("d", 599.9), done("e", 600),
                done("f", 900, 950, .running),
                done("g", 940, 960)) == [.overlap, .overlap, nil, nil, .overlap])
        // What goes on ends where the next begins, at the latest.
        #expect(
            try told(at: at(1000)) == ["walking 0 600", "walking 600 600", "running 900 950"])
        #expect(
            try take(
                done("h", 10, 10), done("i", 10, 9), done("j", 0, 86_401),
                done("k", 86_400 * 3 + 61), done("l", -86_400 * 728)) == [
                    .badTime, .badTime, .badTime, .badTime, .badTime,
                ])
    }

    /// The first and the last heart rate of ten minutes count: those of 5, 31 and 39 min are no half an hour apart.
    @Test func `half an hour without any is half an hour`() throws {
        #expect(try take(done("a", 0)) == [nil])
        let rates = [300.0, 1860, 2399].map {
            Sent(id: "\($0)", source: "watch", sample: HeartRate(at: at($0), rate: 90))
        }
        #expect(
            try SampleIntake(store).take(rates, of: Self.ann, at: now) == [nil, nil, nil])
        #expect(try told(at: at(7200)) == ["walking 0 2399"])
    }

    @Test func `heart rates are stored once, and the newest of a moment counts`() throws {
        func sent(_ id: String, _ moment: Double, _ rate: Int64) -> Sent<HeartRate> {
            Sent(id: id, source: "watch", sample: HeartRate(at: at(moment), rate: rate))
        }
        let codes = try SampleIntake(store).take(
            [
                sent("a", 0, 60), sent("a", 0, 60), sent("a", 0, 61), sent("b", 0, 80),
                sent("c", 5, 90),
            ],
            of: Self.ann, at: now)
        #expect(codes == [nil, nil, .idempotencyMismatch, nil, nil])
        let all = Interval(from: at(0), to: at(60))
        let span = try ActivityRecords(store).figures(of: Self.ann, in: all, at: now)?.rates.range
        #expect(span?.least == 80 && span?.most == 90 && span?.mean == 85)
    }

    @Test func `what is begun by hand is ended by hand, or with the last that tells of it`() throws
    {
        #expect(throws: BooksRefusal.self) { try perform(.end(user: Self.ann), at: at(0)) }
        try perform(.begin(user: Self.ann, .cycling), at: at(0))
        let second = #expect(throws: BooksRefusal.self) {
            try perform(.begin(user: Self.ann, .walking), at: at(60))
        }
        #expect(second?.code == .alreadyActive)
        try perform(.end(user: Self.ann), at: at(600))
        #expect(try told(at: at(700)) == ["cycling 0 600"])
        // Forgotten: steps go on until 1,800, and then nothing tells of it.
        try perform(.begin(user: Self.ann, .walking), at: at(900))
        let steps = SentSample(
            id: "s", source: "phone",
            sample: ActivitySample(from: at(1000), to: at(1800), steps: 500))
        _ = try SampleIntake(store).take([steps], of: Self.ann, at: at(1800))
        #expect(try told(at: at(3600)) == ["cycling 0 600", "walking 900 …"])
        #expect(try told(at: at(3601)) == ["cycling 0 600", "walking 900 1800"])
        let late = #expect(throws: BooksRefusal.self) {
            try perform(.end(user: Self.ann), at: at(7200))
        }
        #expect(late?.code == .badState)
        // A sample of the whole day tells nothing of when somebody moved.
        let day = SentSample(
            id: "d", source: "watch", sample: ActivitySample(from: at(0), to: at(7000), steps: 900))
        _ = try SampleIntake(store).take([day], of: Self.ann, at: at(7200))
        #expect(try told(at: at(7200)) == ["cycling 0 600", "walking 900 1800"])
        // Another may begin, and a reset takes all of it.
        try perform(.begin(user: Self.ann, .still), at: at(7200))
        #expect(try told(at: at(7300)).last == "still 7200 …")
        try perform(.reset(user: Self.ann), at: at(7400))
        #expect(try told(at: at(7400)).isEmpty)
    }

    @Test func `today is told of those who are there, without what is made up`() throws {
        let report = TodayReport(store)
        _ = try ActivityRecords(store).perform(
            .demo(user: Self.ann, days: 1, seed: 1), by: Asker(name: "o", via: .rest, at: now)
        )
        let people = try report.people(movedAfter: 0)
        #expect(people.all.contains(Self.ann) && people.moved.isEmpty && people.row == 0)
        // However long after its beginning a stay is stored.
        try scratch.execute(
            "INSERT INTO stay VALUES (7, 1, 'room', 1, NULL, \(at(0).milliseconds), NULL)")
        let moved = try report.people(movedAfter: people.row)
        #expect(moved.moved == [Self.ann] && moved.row == 7)
        #expect(try report.people(movedAfter: moved.row).moved.isEmpty)
        var day = try #require(try report.days(of: [Self.ann, "u-nobody"], at: now).first)
        #expect(day.total.steps == 0 && day.total.source == nil && day.goal == nil)
        let midnight = now - .seconds(3600)
        let sample = ActivitySample(from: midnight, to: now, steps: 321)
        _ = try SampleIntake(store).take(
            [SentSample(id: "a", source: "phone", sample: sample)], of: Self.ann, at: now)
        day = try #require(try report.days(of: [Self.ann], at: now).first)
        let date = try report.date(at: now)
        #expect(day.date == date && day.total.source == "phone")
    }
}
