import Testing

@testable import LocatingLab

/// What counts as right, as a change, and as noticed.
struct ZoneScoreTests {
    typealias Visit = RecordedTruth.Visit
    let visits = [
        Visit(start: 0, end: 10, zone: "a"), Visit(start: 10, end: 20, zone: "b"),
        Visit(start: 21, end: 31, zone: "a"),
    ]

    /// The zones said second by second, each from a second on.
    func said(_ changes: [(Int, String?)]) -> [String?] {
        (0..<31).map { second in changes.last { $0.0 <= second }?.1 }
    }

    func score(_ changes: [(Int, String?)]) -> ZoneScore {
        var score = ZoneScore()
        score.add(visits, said: said(changes))
        return score
    }

    @Test func `the truth is right throughout`() {
        let perfect = score([(0, "a"), (10, "b"), (21, "a")])
        #expect(perfect.seconds == 30 && perfect.accuracy == 1)
        #expect(perfect.trueChanges == 2 && perfect.flaps == 1 && perfect.latency == 0)
    }

    @Test func `late and wavering answers are told apart`() {
        let late = score([(0, "a"), (13, "b"), (15, "a"), (16, "b"), (21, "a")])
        #expect(late.right == 26 && late.saidChanges == 4)
        #expect(late.latency == 1.5)
    }

    @Test func `a visit never noticed has no end of latency`() {
        let stubborn = score([(0, "a")])
        #expect(stubborn.latencies == [.infinity, 0])
        #expect(score([(0, "b")]).latencies == [0, .infinity])
    }

    @Test func `no answer is wrong`() {
        #expect(score([]).accuracy == 0)
        #expect(score([]).seconds == 30)
    }

    @Test func `after a long unknown time nothing has changed`() {
        var score = ZoneScore()
        score.add(
            [Visit(start: 0, end: 5, zone: "a"), Visit(start: 200, end: 205, zone: "b")],
            said: (0..<205).map { $0 < 100 ? "a" : "b" })
        #expect(score.trueChanges == 0 && score.saidChanges == 0 && score.accuracy == 1)
    }

    @Test func `parts of one visit are one`() {
        var score = ZoneScore()
        score.add(
            [Visit(start: 0, end: 5, zone: "a"), Visit(start: 5, end: 9.5, zone: "a")],
            said: (0..<10).map { _ in "a" })
        #expect(score.seconds == 10 && score.trueChanges == 0)
    }
}

extension ZoneScore {
    /// Adds one transmitter. `said` gives the zone at each whole second from the start, or `nil`.
    fileprivate mutating func add(_ visits: [RecordedTruth.Visit], said: [String?]) {
        add(visits, from: 0, answers: said.map { Answer(zone: $0) })
    }
}
