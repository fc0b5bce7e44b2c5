import GRDB
import Testing

@testable import Records
@testable import SiteModel

/// The books are what the chain last said of them, or the row that is not is named.
struct AuditComparisonTests {
    private let site: BooksSite

    /// Ann's first session was corrected by hand, her second reviewed, a missing one of Bob's added, one
    /// correction refused, one superseded; then all but the newest was locked.
    init() throws {
        site = try BooksSite()
        try site.correct(.times(1, revision: nil, from: at(3000), to: at(7200)))
        try site.correct(.reviewed(2, revision: nil))
        try site.correct(.add(user: "u-bob", from: at(20_000), to: at(23_000)))
        let refused = try site.request(.remove(1, revision: nil))
        _ = try site.ask(.refuse(refused.id, reason: "no \"reason\" at \\ all"))
        _ = try site.request(.remove(2, revision: nil))
        _ = try site.request(.times(2, revision: nil, from: site.recent, to: BooksSite.now))
        _ = try site.ask(
            .lock(through: "2025-10-10", boundary: at(100_000), reason: "paid", force: true))
    }

    private func fault() throws -> AuditVerdict.Fault? { try AuditTrail(site.store).verify().fault }

    private func added() throws -> Int64 {
        try #require(
            try site.store.read {
                try Int64.fetchOne($0, sql: "SELECT id FROM attendance_session WHERE id > 1000")
            })
    }

    /// As somebody with the file in their hands: no trigger stands in the way.
    private func tamper(_ sql: String) throws {
        try site.store.pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            let triggers = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'")
            for trigger in triggers { try db.execute(sql: "DROP TRIGGER \(trigger)") }
            try db.execute(sql: sql)
        }
    }

    @Test func `an untouched database is what the chain says`() throws {
        let verdict = try AuditTrail(site.store).verify()
        #expect(verdict.fault == nil)
        // Six corrections, a review, a lock, two sessions each as edited and as locked.
        #expect(verdict.compared == 6 + 1 + 1 + 4 && verdict.unknown == 0, "\(verdict)")
    }

    @Test(
        arguments: [
            ("UPDATE correction SET new_from_ms = new_from_ms - 1 WHERE id = 1", "correction", 1),
            ("UPDATE correction SET reason = 'other' WHERE id = 2", "correction", 2),
            ("UPDATE correction SET decision_reason = 'other' WHERE id = 4", "correction", 4),
            ("UPDATE correction SET decided_by = 'max' WHERE id = 1", "correction", 1),
            ("UPDATE correction SET decided_ms = decided_ms + 1 WHERE id = 1", "correction", 1),
            ("UPDATE correction SET state = 'approved' WHERE id = 4", "correction", 4),
            (
                """
                UPDATE correction SET state = 'approved', decided_ms = 1, decided_by = 'mia',
                    decision_reason = 'seen' WHERE id = 6
                """, "correction", 6
            ),
            ("UPDATE correction SET state = 'superseded' WHERE id = 6", "correction", 6),
            ("UPDATE correction SET user = 2 WHERE id = 1", "correction", 1),
            ("DELETE FROM correction WHERE id = 3", "correction", 3),
            (
                """
                INSERT INTO correction (id, source, change, session, user, old_from_ms, reason,
                    requested_ms, requested_by, state)
                VALUES (9, 'person', 'remove', 1, 1, 0, 'x', 0, 'mia', 'pending')
                """, "correction", 9
            ),
            ("UPDATE session_review SET reason = 'other'", "session_review", 1),
            ("DELETE FROM session_review", "correction", 2),
            (
                """
                INSERT INTO session_review (id, session, codes, decided_by, decided_ms, reason)
                SELECT 5, session, codes, decided_by, decided_ms + 1, reason FROM session_review
                """, "session_review", 5
            ),
            ("UPDATE period_lock SET through_ms = 0", "period_lock", 1),
            ("UPDATE period_lock SET locked_by = 'max'", "period_lock", 1),
            ("UPDATE period_lock SET locked_ms = 0", "period_lock", 1),
            ("DELETE FROM period_lock", "period_lock", 1),
            (
                "INSERT INTO period_lock VALUES (2, '2025-01-01', 0, 'mia', 0, 'open')",
                "period_lock", 2
            ),
            (
                "UPDATE attendance_session SET to_ms = to_ms + 1 WHERE id = 1",
                "attendance_session", 1
            ),
            ("UPDATE attendance_session SET user = 3 WHERE id = 1", "attendance_session", 1),
            ("UPDATE attendance_session SET void = 1 WHERE id = 1", "attendance_session", 1),
            ("DELETE FROM attendance_session WHERE id = 1", "attendance_session", 1),
            (
                """
                INSERT INTO attendance_session (id, user, from_ms, to_ms, void, kept)
                VALUES (7, 3, 1760000050000, 1760000060000, 0, 0)
                """, "attendance_session", 7
            ),
        ] as [(String, String, Int64)])
    func `whoever changes a row of the books is found out, and the row named`(
        sql: String, table: String, row: Int64
    ) throws {
        try tamper(sql)
        guard case .row(table, row, let what) = try fault() else {
            Issue.record("\(sql): \(try fault() as Any)")
            return
        }
        #expect(AuditVerdict.Fault.row(table: table, id: row, what).description.hasPrefix(table))
    }

    /// Not locked any more, but changed by hand: the correction says how it was left.
    @Test func `a session that a correction made stays as it was made`() throws {
        let id = try added()
        _ = try site.ask(
            .lock(
                through: "2025-10-08", boundary: at(0), reason: "again", force: true,
                unlocks: true))
        #expect(try fault() == nil)
        try tamper("UPDATE attendance_session SET from_ms = from_ms + 1 WHERE id = \(id)")
        #expect(
            try fault()
                == .row(
                    table: "attendance_session", id: id, "is not as it was written down"))
    }

    @Test func `a locked session that was open may end, and a lock may move`() throws {
        _ = try site.ask(
            .lock(through: "2025-11-08", boundary: BooksSite.now, reason: "paid", force: true))
        try site.store.commit([
            .session(
                Session(
                    id: 3, user: bob, from: BooksSite.now - .seconds(1800), to: BooksSite.now))
        ])
        #expect(try fault() == nil)
        _ = try site.ask(
            .lock(
                through: "2025-10-08", boundary: at(0), reason: "again", force: true,
                unlocks: true))
        try site.correct(.times(1, revision: nil, from: at(3100), to: at(7100)))
        #expect(try fault() == nil)
        _ = try site.ask(
            .lock(through: "2025-10-10", boundary: at(100_000), reason: "paid", force: true))
        #expect(try fault() == nil)
        try tamper("UPDATE attendance_session SET to_ms = to_ms - 1 WHERE id = 1")
        #expect(try fault() != nil)
    }

    @Test func `what was erased or is too old is no fault`() throws {
        try site.store.commit([
            .session(
                Session(
                    id: 3, user: bob, from: BooksSite.now - .seconds(1800), to: BooksSite.now))
        ])
        let later = BooksSite.now + .seconds(60)
        _ = try site.ask(
            .request(.remove(2, revision: nil), reason: "said:\nBob was there"), at: later)
        for (user, options) in [
            ("u-bob", ErasureOptions()), ("u-ann", ErasureOptions(deletesAttendance: true)),
        ] {
            _ = try Erasures(site.store).erase(
                user: user, reason: "left", options: options, by: "mia", via: .cli, at: later
            ).get()
            let verdict = try AuditTrail(site.store).verify()
            #expect(verdict.fault == nil && verdict.unknown > 0, "\(user): \(verdict)")
        }
        let other = try AuditComparisonTests()
        _ = try Retention.retain(on: other.site.store, at: BooksSite.now + .seconds(800 * 86_400))
        #expect(try other.site.store.texts("SELECT count(*) FROM correction") != ["6"])
        #expect(try other.fault() == nil)
    }

    /// Thousands of calls in any order, most of them refused.
    @Test(arguments: UInt64(1)...4)
    func `whatever people do, the chain says what stands`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var now = BooksSite.now
        func moment() -> Timestamp { at(Double(Int.random(in: 0..<2_600_000, using: &random))) }
        for _ in 0..<600 {
            now = now + .seconds(Double(Int.random(in: 1..<600, using: &random)))
            let session = Int64.random(in: 1...4, using: &random)
            let from = moment()
            let length = Double(Int.random(in: 60..<20_000, using: &random))
            let user = ["u-ann", "u-bob", "u-cid"][Int.random(in: 0..<3, using: &random)]
            let call: BooksCall
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1:
                call = .request(
                    .times(session, revision: nil, from: from, to: from + .seconds(length)),
                    reason: "a\\b \"c\" \(session)")
            case 2: call = .request(.remove(session, revision: nil), reason: "d")
            case 3, 4, 5:
                call = .request(
                    .add(user: user, from: from, to: from + .seconds(length)), reason: "é")
            case 6: call = .request(.reviewed(session, revision: nil), reason: "f")
            case 7:
                call = .lock(
                    through: "2025-10-20", boundary: from, reason: "g", force: true, unlocks: true)
            case 8: call = .refuse(Int64.random(in: 1...100, using: &random), reason: "h")
            default: call = .approve(Int64.random(in: 1...200, using: &random), reason: "i")
            }
            _ = try Books(site.store).perform(call, by: "mia", via: .rest, at: now)
        }
        let verdict = try AuditTrail(site.store).verify()
        #expect(verdict.fault == nil, "seed \(seed): \(verdict)")
        #expect(verdict.compared > 150, "seed \(seed): \(verdict)")
    }
}

extension BooksSite {
    /// When Ann's second session began.
    var recent: Timestamp { Self.now - .seconds(7200) }
}
