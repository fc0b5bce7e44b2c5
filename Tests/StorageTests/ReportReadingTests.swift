import Testing

@testable import Reporting
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore
@testable import Registry

/// What reports read of what happened.
struct ReportReadingTests {
    private let scratch: Scratch
    private let store: Store

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    private func commit(_ sessions: [Session]) throws {
        try store.commit(sessions.map { .session($0) })
    }

    @Test func `sessions that touch an interval, and no others`() throws {
        let sessions = [
            Session(id: 1, user: ann, from: at(0), to: at(10)),
            Session(id: 2, user: ann, from: at(10), to: at(20)),
            Session(id: 3, user: ann, from: at(30), to: at(40)),
            Session(id: 4, user: ann, from: at(50), to: nil, review: [.coverageGap, .tooLong]),
            Session(id: 5, user: ann, from: at(12), to: at(14), isVoid: true),
            Session(id: 6, user: bob, from: at(0), to: at(100)),
        ]
        try commit(sessions)
        func touching(_ from: Double, _ to: Double) throws -> [Int64] {
            try ReportRows(store).record(of: ann, touching: Interval(from: at(from), to: at(to)))
                .sessions.map(\.id)
        }
        #expect(try touching(0, 100) == [1, 2, 3, 4])
        #expect(try touching(10, 30) == [2])
        #expect(try touching(9.999, 30.001) == [1, 2, 3])
        #expect(try touching(20, 30) == [])
        #expect(try touching(15, 16) == [2])
        #expect(try touching(60, 70) == [4])
        #expect(try touching(-10, 0) == [])
        let record = try ReportRows(store).record(
            of: ann, touching: Interval(from: at(45), to: at(60)))
        #expect(record.sessions == [sessions[3]])
    }

    @Test func `an open session is known as far as anybody listens where they were heard`() throws {
        func times(_ from: Double, _ to: Double) -> IntervalSet {
            IntervalSet([Interval(from: at(from), to: at(to))], joining: Frame.joining)
        }
        func known() throws -> Timestamp? {
            try ReportRows(store).record(of: ann, touching: Interval(from: at(0), to: at(9000)))
                .knownThrough
        }
        try commit([Session(id: 1, user: ann, from: at(50), to: nil)])
        #expect(try known() == at(50))
        try store.commit([
            .site(
                SiteRow(
                    clock: at(5000), next: 2,
                    coverage: [
                        RoomTime(room: hall, seconds: times(0, 700)),
                        RoomTime(room: yard, seconds: times(0, 5000)),
                    ], clocks: []))
        ])
        #expect(try known() == at(5000))
        try store.commit([
            .ledger(LedgerRow(user: ann, heard: [RoomTime(room: hall, seconds: times(50, 600))]))
        ])
        #expect(try known() == at(700))
        try commit([Session(id: 1, user: ann, from: at(50), to: at(600))])
        #expect(try known() == nil)
    }

    @Test func `stays that touch an interval, at both levels`() throws {
        try store.commit([
            .stay(Stay(id: 1, user: ann, place: .room(hall), from: at(0), to: at(50))),
            .stay(Stay(id: 2, user: ann, place: .station(rack), from: at(10), to: at(20))),
            .stay(Stay(id: 3, user: ann, place: .station(bench), from: at(30), to: at(40))),
            .stay(Stay(id: 4, user: ann, place: .room(yard), from: at(60), to: nil)),
            .stay(Stay(id: 5, user: bob, place: .room(yard), from: at(0), to: nil)),
        ])
        func touching(_ from: Double, _ to: Double) throws -> [Int64] {
            try ReportRows(store).stays(of: ann, touching: Interval(from: at(from), to: at(to)))
                .map(\.id)
        }
        #expect(try touching(0, 100) == [1, 2, 3, 4])
        #expect(try touching(25, 28) == [1])
        #expect(try touching(35, 36) == [1, 3])
        #expect(try touching(50, 60) == [])
        #expect(try touching(70, 80) == [4])
    }

    @Test func `sessions come in pages that fit together`() throws {
        var sessions: [Session] = []
        for index in 0..<30 {
            let from = at(Double(index / 3 * 10))
            let user = [ann, bob, cid][index % 3]
            let review: [Review] = index == 7 ? [.speed] : []
            sessions.append(
                Session(
                    id: Int64(index + 1), user: user, from: from, to: from + .seconds(5),
                    review: review))
        }
        try commit(sessions)
        var query = SessionQuery(limit: 7)
        var found: [Int64] = []
        while true {
            let page = try ReportRows(store).sessions(query)
            found += page.map(\.id)
            guard page.count == 7, let last = page.last else { break }
            query.after = (last.from, last.id)
        }
        #expect(found == (1...30).map { Int64($0) })
        query.after = nil
        query.isNewestFirst = true
        var back: [Int64] = []
        while true {
            let page = try ReportRows(store).sessions(query)
            back += page.map(\.id)
            guard page.count == 7, let last = page.last else { break }
            query.after = (last.from, last.id)
        }
        #expect(back == found.reversed())
        query.after = nil
        query.isNewestFirst = false
        query.user = bob
        query.from = at(10)
        query.to = at(30)
        #expect(try ReportRows(store).sessions(query).map(\.id) == [5, 8])
        query.needsReview = true
        #expect(try ReportRows(store).sessions(query).map(\.id) == [8])
    }

    /// No report may look through everything that ever happened.
    @Test func `reports find sessions and stays by an index`() throws {
        let queries = [
            "SELECT * FROM attendance_session WHERE void = 0 AND from_ms >= 1 AND from_ms < 2 "
                + "ORDER BY from_ms, id LIMIT 5",
            "SELECT * FROM attendance_session WHERE void = 0 AND (from_ms, id) < (5, 1) "
                + "ORDER BY from_ms DESC, id DESC LIMIT 5",
            "SELECT * FROM attendance_session WHERE user = 1 AND void = 0 AND from_ms < 5 "
                + "AND from_ms >= 1 ORDER BY from_ms",
            "SELECT * FROM stay WHERE user = 1 AND from_ms < 5 AND from_ms >= 1 ORDER BY from_ms, id",
        ]
        for query in queries {
            let plan = try store.texts("EXPLAIN QUERY PLAN " + query)
            #expect(!plan.isEmpty)
            #expect(
                plan.allSatisfy { $0.contains("USING INDEX") || $0.contains("LAST TERM") },
                "\(plan)")
        }
    }

    @Test func `everybody who was ever there can be in a report`() throws {
        var gym = SiteDocument.gym
        gym.users.removeLast()
        gym.beacons.removeLast()
        try SiteImport(store).importDocument(gym, at: at(5))
        let people = try ReportRows(store).people()
        #expect(people.map(\.slug) == ["u-ann", "u-bob", "u-cid"])
        #expect(people.map(\.isRetired) == [false, false, true])
        #expect(try ReportRows(store).places()[.station(rack)] == "rack")
    }
}
