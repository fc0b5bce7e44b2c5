import GRDB
import Testing

@testable import Records
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore
@testable import Registry

/// What is older than it may be goes, with a proof; what is open, held or needed stays.
struct RetentionTests {
    private let site: BooksSite
    private var store: Store { site.store }
    private let day = 86_400.0
    private func days(_ count: Double) -> Timestamp { BooksSite.now + .seconds(count * 86_400) }

    init() throws {
        site = try BooksSite()
        let stays: [(Int64, Double, Double?)] = [(11, -60, -59.9), (12, -3, -2), (13, -200, nil)]
        try store.commit(
            stays.map { id, from, to in
                .stay(
                    Stay(
                        id: id, user: id == 13 ? bob : ann, place: .room(hall), from: days(from),
                        to: to.map { days($0) }))
            } + [
                .event(
                    Event(
                        id: 21, kind: .entered, at: days(-60), user: ann, place: .room(hall),
                        subject: 11)),
                .event(
                    Event(
                        id: 22, kind: .left, at: days(-2), user: ann, place: .room(hall),
                        subject: 12)),
                .statement(
                    Statement(
                        id: 31, user: ann, kind: .checkIn, at: days(-29), said: days(-29),
                        by: "kiosk", reason: nil)),
            ])
    }

    private func count(_ table: String) throws -> Int {
        Int(try store.texts("SELECT count(*) FROM \(table)")[0]) ?? -1
    }

    @Test func `after 90 days stays and events go, after two years attendance`() throws {
        _ = try Retention.retain(on: store, at: days(29))
        #expect(try count("stay") == 3 && count("event") == 2)
        let proofs = try Retention.retain(on: store, at: days(31))
        #expect(try store.texts("SELECT id FROM stay ORDER BY id") == ["12", "13"])
        #expect(try store.texts("SELECT id FROM event") == ["22"])
        #expect(proofs.first { $0.table == "stay" }?.deleted == 1)
        #expect(try count("attendance_session") == 3 && count("statement") == 1)
        _ = try Retention.retain(on: store, at: days(695))
        #expect(try count("stay") == 1, "an open one stays however old it is")
        #expect(try count("attendance_session") == 3)
        // Two years after the session of the first day, which the machines do not hold.
        _ = try Retention.retain(on: store, at: start + .seconds(7201 + 730 * day))
        #expect(
            try store.texts("SELECT id FROM attendance_session ORDER BY id") == ["2", "3"],
            "what the machines hold stays")
        #expect(try count("statement") == 1)
        _ = try Retention.retain(on: store, at: days(702))
        #expect(try count("statement") == 0)
    }

    @Test func `each table leaves a proof row, with the head of the audit`() throws {
        let proofs = try Retention.retain(on: store, at: days(31))
        let head = try AuditTrail(store).verify().head
        let rows = try store.texts(
            "SELECT table_name, before_ms, deleted, head, at_ms FROM retention_run ORDER BY id")
        #expect(
            rows
                == proofs.map {
                    "\($0.table) \($0.before.milliseconds) \($0.deleted) \(head) "
                        + "\(days(31).milliseconds)"
                })
        #expect(proofs.map(\.table).contains("audit_value"))
        #expect(try Retention.last(on: store) == days(31))
        #expect(try AuditTrail(store).verify().fault == nil)
    }

    @Test func `a dry run says what would go, and lets it`() throws {
        let before = try site.rows() + store.texts("SELECT * FROM stay")
        let planned = try Retention.retainable(on: store, at: days(31))
        #expect(try site.rows() + store.texts("SELECT * FROM stay") == before)
        #expect(try Retention.last(on: store) == nil)
        let done = try Retention.retain(on: store, at: days(31))
        #expect(planned == done)
        #expect(done.contains { $0.deleted > 0 })
    }

    @Test func `what an open correction needs stays, and what a decided one is about with it`()
        throws
    {
        let far = start + .seconds(7201 + 730 * day)
        let row = try site.request(.remove(1, revision: nil), at: far - .seconds(60))
        _ = try Retention.retain(on: store, at: far)
        #expect(try store.texts("SELECT id FROM attendance_session WHERE id = 1") == ["1"])
        _ = try site.ask(.refuse(row.id, reason: "no"), at: far)
        _ = try Retention.retain(on: store, at: far + .seconds(729 * day))
        #expect(try store.texts("SELECT id FROM attendance_session WHERE id = 1") == ["1"])
        _ = try Retention.retain(on: store, at: far + .seconds(731 * day))
        #expect(try store.texts("SELECT id FROM attendance_session WHERE id = 1") == [])
        #expect(try count("correction") == 0)
    }

    @Test func `a site may keep attendance for longer, never for less`() throws {
        var gym = SiteDocument.gym
        gym.privacy.attendanceDays = 1000
        try SiteImport(store).importDocument(gym, at: BooksSite.now)
        _ = try Retention.retain(on: store, at: start + .seconds(7201 + 999 * day))
        #expect(try count("attendance_session") == 3)
        _ = try Retention.retain(on: store, at: start + .seconds(7201 + 1000 * day))
        #expect(try count("attendance_session") == 2)
        gym.privacy.attendanceDays = 729
        #expect(throws: StoreError.self) {
            try SiteImport(store).importDocument(gym, at: BooksSite.now)
        }
    }

    @Test func `values of the audit go after two years, and the chain holds`() throws {
        try site.correct(.remove(1, revision: nil))
        let head = try AuditTrail(store).verify().head
        _ = try Retention.retain(on: store, at: days(731))
        let verdict = try AuditTrail(store).verify(noted: [head])
        #expect(verdict.fault == nil && verdict.values == 0 && verdict.rows == 3)
    }

    @Test func `it works in batches, and one that is given up begins anew`() throws {
        var stays: [Fact] = []
        for id in Int64(100)..<130 {
            stays.append(
                .stay(
                    Stay(
                        id: id, user: ann, place: .room(hall), from: days(-60), to: days(-59.5))))
        }
        try store.commit(stays)
        var run = Retention(at: days(31), batch: 10)
        let stay = try #require(RetentionRule.all.firstIndex { $0.table == "stay" })
        while run.proofs.count < stay { _ = try run.step(on: store) }
        #expect(try run.step(on: store))
        #expect(try count("stay") == 33 - 10)
        #expect(try Retention.last(on: store) == nil)
        let proofs = try Retention.retain(on: store, at: days(31))
        #expect(proofs.first { $0.table == "stay" }?.deleted == 21)
    }

    /// Whatever the machines still hold must not go by a clock that is ahead of theirs.
    @Test func `what the machines hold is not taken from them`() throws {
        let answer = Answer(
            request: Request(client: "a", id: "1", name: "asked", verb: .training(ann, .pause)),
            at: BooksSite.now - .seconds(60), outcome: .refused(.notFound))
        try store.commit([.answer(answer), .reasons(ReasonsTests.reasons(ann, BooksSite.now))])
        let saved = try store.load()?.saved
        _ = try Retention.retain(on: store, at: days(400))
        #expect(try store.load()?.saved == saved)
    }

    @Test(arguments: [
        "DELETE FROM event WHERE id = 21", "DELETE FROM attendance_session WHERE id = 1",
    ])
    func `nobody else deletes events or sessions`(sql: String) throws {
        #expect(throws: StoreError.self) { try store.write { try $0.execute(sql: sql) } }
        _ = try Retention.retain(on: store, at: days(1000))
        #expect(try count("disposal") == 0)
        #expect(throws: StoreError.self) {
            try store.write { try $0.execute(sql: "DELETE FROM attendance_session") }
        }
    }
}
