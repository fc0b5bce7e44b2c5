import Testing

@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore
@testable import Registry

/// Why places were decided, as it is stored.
struct ReasonsTests {
    private let scratch: Scratch
    private let store: Store

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    static func reasons(_ user: UserID, _ at: Timestamp, model: Int64? = 3) -> Reasons {
        Reasons(
            user: user, at: at, rule: .margin, from: Place(room: hall, station: nil),
            to: Place(room: hall, station: rack), runnerUp: Place(room: yard, station: nil),
            prior: 0.25, runnerUpPrior: 0.5, probability: 0.931, runnerUpProbability: 0.04,
            spotWeight: 0.85, model: model,
            readings: [
                Reasons.Reading(
                    ear: .node(NodeID(2)), device: 1, level: RSSI(dBm: -58.1),
                    age: .milliseconds(400), expected: -60.7, expectedAtRunnerUp: -71.4,
                    support: 3.33, against: 0),
                Reasons.Reading(
                    ear: .beacon(BeaconID(3)), device: 1, level: nil, age: .seconds(0),
                    expected: nil, support: -0.1, against: 0),
            ])
    }

    private func site(_ seconds: Double) -> Fact {
        .site(SiteRow(clock: at(seconds), next: 1, coverage: [], clocks: []))
    }

    @Test func `they come back as they were, newest first`() throws {
        let all = [
            Self.reasons(ann, at(1)), Self.reasons(ann, at(2.5), model: nil),
            Self.reasons(ann, at(9)),
        ]
        try store.commit(all.map { .reasons($0) } + [.reasons(Self.reasons(bob, at(3)))])
        #expect(try ReasonsTable(store).reasons(of: ann, newest: 10) == all.reversed())
        #expect(try ReasonsTable(store).reasons(of: ann, newest: 1) == [all[2]])
        #expect(try ReasonsTable(store).reasons(of: ann, until: at(2.5), newest: 1) == [all[1]])
        #expect(try ReasonsTable(store).reasons(of: ann, until: at(0.5), newest: 1) == [])
        #expect(try ReasonsTable(store).reasons(of: cid, newest: 1) == [])
        #expect(try store.load()?.saved.reasons == [all[2], Self.reasons(bob, at(3))])
    }

    @Test func `readings of an older release lack what is usual at the runner-up`() throws {
        let old = #"["node",2,1,-58.1,400,-60.7,-1.23,-4.56]"#
        let read = try JSONText.value(ReasonsDetail.Reading.self, from: old).value
        #expect(read.expected == -60.7 && read.against == -4.56)
        #expect(read.expectedAtRunnerUp == nil)
        #expect(
            try JSONText.text(of: ReasonsDetail.Reading(value: read))
                == #"["node",2,1,-58.1,400,-60.7,-1.23,-4.56,null]"#)
    }

    @Test func `a place that is lost is no place`() throws {
        var lost = Self.reasons(ann, at(1))
        lost.rule = .silent
        lost.to = nil
        lost.runnerUp = nil
        lost.readings = []
        try store.commit([.reasons(lost)])
        #expect(try ReasonsTable(store).reasons(of: ann, newest: 1) == [lost])
    }

    @Test func `the view names places by their slugs`() throws {
        try store.commit([.reasons(Self.reasons(ann, at(1)))])
        #expect(
            try store.texts(
                """
                SELECT user, at_ms - \(start.milliseconds), rule, from_room, from_station, to_room,
                    to_station, probability, json_extract(detail, '$.readings[0][3]'), demo
                FROM v_move
                """) == ["u-ann 1000 margin hall - hall rack 0.931 -58.1 0"])
    }

    @Test func `a batch told twice is stored once`() throws {
        let batch = [1, 2, 3].map { Fact.reasons(Self.reasons(ann, at(Double($0)))) }
        try store.commit(batch)
        try store.commit(batch)
        #expect(try store.texts("SELECT count(*) FROM reasons") == ["3"])
        #expect(try store.load()?.saved.reasons == [Self.reasons(ann, at(3))])
    }

    @Test func `what a clock that ran ahead told is replaced`() throws {
        try store.commit([.reasons(Self.reasons(ann, at(90_000)))])
        try store.commit([.reasons(Self.reasons(ann, at(10)))])
        #expect(try ReasonsTable(store).reasons(of: ann, newest: 9) == [Self.reasons(ann, at(10))])
    }

    @Test func `two weeks are kept`() throws {
        try store.commit([
            .reasons(Self.reasons(ann, at(0))), .reasons(Self.reasons(bob, at(60))),
            site(14 * 86_400 + 1),
        ])
        #expect(try store.texts("SELECT user FROM reasons") == ["2"])
        #expect(try store.load()?.saved.reasons == [Self.reasons(bob, at(60))])
    }

    @Test func `their number is bounded, but for each user's newest`() throws {
        try store.commit([
            .reasons(Self.reasons(ann, at(1))), .reasons(Self.reasons(bob, at(2))),
            .reasons(Self.reasons(bob, at(3))),
        ])
        try scratch.execute("UPDATE reasons SET id = id + \(ReasonsTable.reasonsKept) WHERE id = 3")
        try store.commit([.reasons(Self.reasons(cid, at(4)))])
        #expect(
            try store.texts("SELECT user, at_ms - \(start.milliseconds) FROM reasons ORDER BY id")
                == ["1 1000", "2 3000", "3 4000"])
    }

    @Test func `the policy of locating is imported, and shown as it changes`() throws {
        var gym = SiteDocument.gym
        gym.policy.locating = LocatingPolicy(method: .spot, quickness: 1, shadow: .nearest)
        let changes = try SiteImport(store).importDocument(gym, at: at(1)).changes
        #expect(
            changes.map(\.description) == [
                "policy gym changed: locating none → by spot, quickness 1.0, beside it nearest"
            ])
        #expect(try store.load()?.plan.policy.locating == gym.policy.locating)
        #expect(try SiteImport(store).importDocument(gym, at: at(2)).changes == [])
    }
}
