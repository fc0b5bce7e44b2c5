import Scheduling
import Testing

@testable import Records
@testable import SiteEngine
@testable import SiteModel

/// Asking for corrections, and what deciding on them does.
struct CorrectionTests {
    private let site: BooksSite
    private var now: Timestamp { BooksSite.now }

    init() throws { site = try BooksSite() }

    private func sessions(_ condition: String = "1") throws -> [String] {
        try site.store.texts(
            """
            SELECT id, user, (from_ms - \(start.milliseconds)) / 1000,
                (to_ms - \(start.milliseconds)) / 1000, void, kept, in_cause, out_cause, rev
            FROM attendance_session WHERE \(condition) ORDER BY id
            """)
    }

    @Test func `what is asked for changes nothing before it is approved, and is kept with reasons`()
        throws
    {
        let before = try sessions()
        let row = try site.request(.times(1, revision: 1, from: at(3000), to: at(7000)))
        #expect(row.state == .pending && row.user == "u-ann" && row.name == "Ann")
        #expect(row.oldFrom == at(3600).milliseconds && row.oldTo == at(7200).milliseconds)
        #expect(row.newFrom == at(3000).milliseconds && row.newTo == at(7000).milliseconds)
        #expect(row.reason == "forgot" && row.requestedBy == "mia")
        #expect(try sessions() == before)
        #expect(try site.store.revision() == 1)
        #expect(try Corrections(site.store).all(in: .pending) == [row])
        #expect(try site.store.overrides() == Overrides(revision: 0))

        guard
            case .correction(let decided) = try site.ask(
                .approve(row.id, reason: "camera"), by: "leo", at: now + .seconds(5))
        else { return }
        #expect(decided.state == .approved && decided.decidedBy == "leo")
        #expect(decided.decisionReason == "camera" && decided.reason == "forgot")
        #expect(decided.decidedAt == (now + .seconds(5)).milliseconds)
    }

    @Test func `a session the machines no longer hold is changed at once`() throws {
        try site.correct(.times(1, revision: nil, from: at(3000), to: at(7200)))
        #expect(
            try sessions("id = 1") == ["1 1 3000 7200 0 0 corrected last-heard 2"],
            "the end was not touched")
        #expect(try site.store.revision() == 1, "the machines need not know")
        try site.correct(.times(1, revision: 2, from: at(3000), to: at(7201)))
        #expect(try sessions("id = 1") == ["1 1 3000 7201 0 0 corrected corrected 3"])
        try site.correct(.remove(1, revision: 3))
        #expect(try sessions("id = 1") == ["1 1 3000 7201 1 0 corrected corrected 4"])
        try site.correct(.add(user: "u-ann", from: at(3600), to: at(7200)))
        #expect(
            try sessions("id > 3")
                == ["\(Session.firstAdded + 4) 1 3600 7200 0 0 corrected corrected 1"])
        let (_, _, saved) = try #require(try site.store.load())
        #expect(saved.sessions.map(\.id) == [2, 3], "and they never see it")
    }

    @Test func `a session the machines hold is amended by them`() throws {
        let from = now - .seconds(7000)
        let to = now - .seconds(3600)
        let before = try sessions()
        let row = try site.correct(.times(2, revision: 1, from: from, to: to))
        #expect(try sessions() == before)
        #expect(try site.store.revisions() == (1, 1), "no configuration changes")
        #expect(
            try site.store.overrides().amendments == [
                Amendment(
                    id: row.id, user: ann,
                    replaced: Interval(from: now - .seconds(7200), to: now - .seconds(3600)),
                    stated: Interval(from: from, to: to), isMade: true)
            ])
    }

    @Test func `amendments say what a removal, an addition and an open session come to`() throws {
        try site.correct(.remove(2, revision: nil))
        try site.correct(
            .add(user: "u-cid", from: now - .seconds(900), to: now - .seconds(600)))
        let begun = now - .seconds(1800)
        try site.correct(.times(3, revision: nil, from: begun - .seconds(60), to: nil))
        try site.correct(.times(3, revision: nil, from: begun + .seconds(60), to: nil))
        try site.correct(.times(3, revision: nil, from: begun, to: now - .seconds(30)))
        let overrides = try site.store.overrides()
        #expect(
            overrides.amendments.map(\.replaced) == [
                Interval(from: now - .seconds(7200), to: now - .seconds(3600)), nil,
                Interval(from: begun - .seconds(60), to: begun),
                Interval(from: begun, to: begun + .seconds(60)), Interval(from: begun, to: now),
            ])
        #expect(
            overrides.amendments.map(\.stated) == [
                nil, Interval(from: now - .seconds(900), to: now - .seconds(600)),
                nil, nil, Interval(from: begun, to: now - .seconds(30)),
            ])
        #expect(
            overrides.amendments.map(\.opens) == [
                nil, nil, begun - .seconds(60), begun + .seconds(60), nil,
            ])
        #expect(overrides.amendments.compactMap(\.began).suffix(3) == [begun, begun, begun])
    }

    @Test func `amendments are forgotten after three days, unless the user is in`() throws {
        try site.correct(.remove(2, revision: nil))
        try site.correct(.times(3, revision: nil, from: now - .seconds(1860), to: nil))
        let later = SiteRow(clock: now + .seconds(5 * 86_400), next: 9, coverage: [], clocks: [])
        try site.store.commit([.site(later)])
        #expect(try site.store.overrides().amendments.map(\.user) == [ann, bob])
        // Ann's newest session stays in `Saved` until she comes again.
        let new = Session(id: 5, user: ann, from: later.clock, to: later.clock + .seconds(60))
        try site.store.commit([.session(new), .site(later)])
        #expect(try site.store.overrides().amendments.map(\.user) == [bob])
    }

    @Test func `a session moved to where the machines decide is handed to them`() throws {
        let from = now - .seconds(10_000)
        let to = now - .seconds(9000)
        try site.correct(.times(1, revision: nil, from: from, to: to))
        #expect(try sessions("id = 1") == ["1 1 3600 7200 1 0 heard last-heard 2"])
        #expect(
            try site.store.overrides().amendments.map(\.stated)
                == [Interval(from: from, to: to)])
    }

    @Test func `flags that were looked at are noted`() throws {
        try site.correct(.reviewed(2, revision: 1))
        #expect(
            try site.store.texts("SELECT session, codes, decided_by, reason FROM session_review")
                == ["2 [\"too-long\"] mia seen"])
        #expect(try site.store.revision() == 1)
        #expect(try site.store.overrides() == Overrides(revision: 0))
    }

    @Test func `a later wish for a session takes the place of the one before`() throws {
        let first = try site.request(.remove(1, revision: nil))
        let second = try site.request(.times(1, revision: nil, from: at(3500), to: at(7200)))
        #expect(
            try Corrections(site.store).all().map { [$0.id, Int64($0.state == .pending ? 1 : 0)] }
                == [[second.id, 1], [first.id, 0]])
        #expect(try site.code(.approve(first.id, reason: "x")) == "bad_state")
    }

    @Test func `each refusal has its code, and writes nothing`() throws {
        let reason = "because"
        let pending = try site.request(.remove(2, revision: nil)).id
        let decided = try site.request(.remove(1, revision: nil)).id
        _ = try site.ask(.refuse(decided, reason: "no"))
        let cases: [(BooksCall, String)] = [
            (.request(.remove(1, revision: nil), reason: " \n"), "reason_required"),
            (.approve(pending, reason: ""), "reason_required"),
            (.approve(pending, reason: "no\u{0}"), "bad_request"),
            (.request(.remove(1, revision: nil), reason: "\u{1B}[2J"), "bad_request"),
            (
                .request(.remove(1, revision: nil), reason: String(repeating: "x", count: 501)),
                "bad_request"
            ),
            (.request(.remove(99, revision: nil), reason: reason), "not_found"),
            (
                .request(.add(user: "u-eve", from: at(0), to: at(1)), reason: reason),
                "not_found"
            ),
            (.approve(99, reason: reason), "not_found"),
            (.request(.remove(1, revision: 7), reason: reason), "rev_conflict"),
            (
                .request(.times(1, revision: 1, from: at(20), to: at(10)), reason: reason),
                "bad_time"
            ),
            (.request(.times(1, revision: 1, from: at(20), to: nil), reason: reason), "bad_time"),
            (
                .request(.add(user: "u-ann", from: at(20), to: at(20)), reason: reason),
                "bad_time"
            ),
            (
                .request(
                    .add(user: "u-ann", from: now - .seconds(5), to: now + .seconds(5)),
                    reason: reason), "bad_time"
            ),
            (
                .request(
                    .add(user: "u-ann", from: Timestamp(milliseconds: -1), to: at(0)),
                    reason: reason), "bad_time"
            ),
            (
                .request(.add(user: "u-ann", from: at(7199), to: at(9000)), reason: reason),
                "overlap"
            ),
            (
                .request(
                    .times(2, revision: 1, from: at(7000), to: now - .seconds(3600)),
                    reason: reason), "overlap"
            ),
            (.approve(decided, reason: reason), "bad_state"),
            (.refuse(decided, reason: reason), "bad_state"),
        ]
        let before = try site.rows()
        for (call, code) in cases {
            #expect(try site.code(call) == code, "\(call)")
            #expect(try site.rows() == before, "\(call)")
        }
    }

    @Test func `back to back is no overlap, and a session never overlaps itself`() throws {
        #expect(
            try site.code(
                .request(.add(user: "u-ann", from: at(7200), to: at(7300)), reason: "x")) == nil)
        #expect(
            try site.code(
                .request(.times(1, revision: nil, from: at(3700), to: at(7100)), reason: "x"))
                == nil)
        #expect(
            try site.code(
                .request(.add(user: "u-bob", from: at(3600), to: at(7200)), reason: "x")) == nil,
            "somebody else's is none either")
    }

    @Test func `what was approved and is not carried out yet is in the way, too`() throws {
        try site.correct(.add(user: "u-cid", from: now - .seconds(900), to: now - .seconds(600)))
        let again = SessionChange.add(
            user: "u-cid", from: now - .seconds(700), to: now - .seconds(500))
        #expect(try site.code(.request(again, reason: "x")) == "overlap")
        // Carried out, corrected, and then removed again: nothing is in the way any more.
        let done = Session(
            id: 9, user: cid, from: now - .seconds(900), to: now - .seconds(600),
            inCause: .corrected, outCause: .corrected)
        try site.store.commit([.session(done)])
        #expect(
            try site.code(
                .request(
                    .times(9, revision: 1, from: now - .seconds(800), to: now - .seconds(600)),
                    reason: "x")) == nil)
        try site.correct(.remove(9, revision: nil))
        var gone = done
        gone.isVoid = true
        try site.store.commit([.session(gone)])
        #expect(try site.code(.request(again, reason: "x")) == nil)
    }

    @Test func `asked for again alike, a correction stays one`() throws {
        let change = SessionChange.add(user: "u-bob", from: at(3600), to: at(7200))
        let row = try site.request(change)
        #expect(try site.request(change) == row)
        let audited = try site.store.texts(
            "SELECT count(*) FROM audit_log WHERE action = 'request'")
        #expect(audited == ["1"])
        let longer = try site.request(.add(user: "u-bob", from: at(3600), to: at(7300)))
        #expect(longer.id != row.id)
    }

    @Test func `a session that changed meanwhile must be looked at again`() throws {
        let row = try site.request(.remove(2, revision: 1))
        let grown = Session(
            id: 2, user: ann, from: now - .seconds(7300), to: now - .seconds(3600), revision: 2)
        try site.store.commit([.session(grown)])
        #expect(try site.code(.approve(row.id, reason: "x")) == "rev_conflict")
        #expect(try Corrections(site.store).all().map(\.state) == [.pending])
    }
}
