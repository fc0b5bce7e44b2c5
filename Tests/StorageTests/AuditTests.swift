import GRDB
import Testing

@testable import Ciphers
@testable import Records
@testable import SiteStore

/// The chain of who did what.
struct AuditTests {
    private let site: BooksSite

    /// Six rows: the import, and two corrections asked for and decided, one with a lock after it.
    init() throws {
        site = try BooksSite()
        try site.correct(.times(1, revision: nil, from: at(3000), to: at(7200)))
        try site.correct(.remove(1, revision: nil))
        _ = try site.ask(
            .lock(through: "2025-10-09", boundary: at(10_000), reason: "paid", force: false))
    }

    /// As somebody with the file in their hands.
    private func tamper(_ sql: String) throws {
        site.store.close()
        try site.scratch.execute(
            "DROP TRIGGER audit_unchanged; DROP TRIGGER audit_kept; "
                + "DROP TRIGGER audit_value_unchanged; DROP TRIGGER audit_follows;" + sql)
    }

    private func verdict(noted: [AuditHead] = []) throws -> AuditVerdict {
        let store = try Store(path: site.scratch.path)
        defer { store.close() }
        return try AuditTrail(store).verify(noted: noted)
    }

    @Test func `every call is a row that follows the one before`() throws {
        let rows = try AuditTrail(site.store).entries(most: 100)
        #expect(
            rows.map { "\($0.action) \($0.entity) \($0.entityID) \($0.user?.row ?? 0)" } == [
                "import revision 1 0", "request correction 1 1", "approve correction 1 1",
                "request correction 2 1", "approve correction 2 1", "lock period_lock 1 0",
            ])
        #expect(rows.allSatisfy { $0.via == "cli" })
        #expect(rows[2].before?.contains("\"state\":\"pending\"") == true)
        #expect(rows[2].after?.contains("\"state\":\"approved\"") == true)
        #expect(rows[2].actor == "mia")
        #expect(
            try AuditTrail(site.store).entries(about: ann, most: 100).map(\.id) == [2, 3, 4, 5])
        #expect(
            try AuditTrail(site.store).entries(entity: "correction", after: 3, most: 1).map(\.id)
                == [4])
        let verdict = try AuditTrail(site.store).verify()
        #expect(verdict.fault == nil && verdict.rows == 6)
        #expect(verdict.values == 6 + 1 + 2 * 3 + 1)
        #expect(verdict.head == AuditHead(id: 6, digest: rows[5].digest))
    }

    @Test(arguments: [
        ("UPDATE audit_log SET actor_digest = actor_digest", "audit rows are never changed"),
        ("DELETE FROM audit_log WHERE id = 6", "audit rows are never deleted"),
        (
            "INSERT OR REPLACE INTO audit_log SELECT * FROM audit_log WHERE id = 2",
            "audit rows follow one another"
        ),
        ("UPDATE audit_value SET value = ''", "audit values are never changed"),
        (
            "INSERT INTO audit_value VALUES (2, 'before', '\(String(repeating: "0", count: 32))', '')",
            "audit values come with their row"
        ),
    ])
    func `the database itself keeps it`(sql: String, constraint: String) throws {
        #expect(throws: StoreError.refused(constraint: constraint, fact: nil)) {
            try site.store.write { try $0.execute(sql: sql) }
        }
    }

    @Test(
        arguments: [
            ("UPDATE audit_log SET at_ms = at_ms + 1 WHERE id = 3", .changed(3)),
            ("UPDATE audit_log SET user = 2 WHERE id = 2", .changed(2)),
            ("UPDATE audit_log SET before_digest = NULL WHERE id = 5", .changed(5)),
            (
                "UPDATE audit_log SET digest = '\(String(repeating: "a", count: 64))' WHERE id = 6",
                .changed(6)
            ),
            ("PRAGMA foreign_keys = OFF; DELETE FROM audit_log WHERE id = 4", .missing(4)),
            ("PRAGMA foreign_keys = OFF; DELETE FROM audit_log WHERE id = 1", .missing(1)),
            (
                """
                PRAGMA foreign_keys = OFF; UPDATE audit_log SET id = 90 WHERE id = 3;
                UPDATE audit_log SET id = 3 WHERE id = 4; UPDATE audit_log SET id = 4 WHERE id = 90
                """, .changed(3)
            ),
            (
                "UPDATE audit_value SET value = 'x' WHERE audit = 4 AND side = 'actor'",
                .value(4, side: "actor")
            ),
            (
                "UPDATE audit_value SET salt = '\(String(repeating: "0", count: 32))' WHERE audit = 2",
                .value(2, side: "actor")
            ),
            (
                """
                INSERT INTO audit_value VALUES (2, 'before', '\(String(repeating: "0", count: 32))', 'x')
                """, .value(2, side: "before")
            ),
        ] as [(String, AuditVerdict.Fault)])
    func `whoever changes a row, takes one out or swaps two is found out`(
        sql: String, fault: AuditVerdict.Fault
    ) throws {
        try tamper("DROP TRIGGER audit_value_of_newest;" + sql)
        #expect(try verdict().fault == fault)
    }

    /// Changes a row and gives it the right digest again.
    @Test func `a row forged whole breaks the link of the next`() throws {
        let store = site.store
        try store.pool.write { db in
            try db.execute(sql: "DROP TRIGGER audit_unchanged")
            try db.execute(sql: "UPDATE audit_log SET action = 'refuse' WHERE id = 3")
            let row = try #require(
                try Row.fetchOne(db, sql: "SELECT * FROM audit_log WHERE id = 3"))
            try db.execute(
                sql: "UPDATE audit_log SET digest = ? WHERE id = 3",
                arguments: [SHA256.hexadecimal(of: AuditRow.text(row))])
        }
        #expect(try AuditTrail(store).verify().fault == .unlinked(4))
        #expect(AuditVerdict.Fault.unlinked(4).description == "row 4 does not follow row 3")
    }

    @Test func `rows cut off at the end are missed by whoever noted the head`() throws {
        let head = try AuditTrail(site.store).verify().head
        #expect(AuditHead("\(head)") == head)
        let proofs = try Retention.retain(on: site.store, at: BooksSite.now)
        #expect(!proofs.isEmpty)
        try tamper("PRAGMA foreign_keys = OFF; DELETE FROM audit_log WHERE id > 4")
        #expect(try verdict().fault == .cut(6), "a proof row knows it")
        try site.scratch.execute("DELETE FROM retention_run")
        guard case .row(table: "correction", id: 2, _) = try verdict().fault else {
            Issue.record("the books do not miss it")
            return
        }
        // Whoever cuts rows off must put the books back as well.
        try site.scratch.execute(
            """
            DELETE FROM period_lock; UPDATE attendance_session SET void = 0 WHERE id = 1;
            UPDATE correction SET state = 'pending', decided_ms = NULL, decided_by = NULL,
                decision_reason = NULL WHERE id = 2
            """)
        #expect(try verdict().fault == nil, "the file alone cannot tell")
        #expect(try verdict(noted: [head]).fault == .cut(6), "an export can")
    }

    @Test func `values may go, and the chain still holds`() throws {
        try site.scratch.execute("DELETE FROM audit_value WHERE audit <= 3")
        let verdict = try verdict()
        #expect(verdict.fault == nil && verdict.rows == 6 && verdict.values == 7)
        #expect(try AuditTrail(site.store).entries(most: 1).first?.actor == nil)
    }

    @Test func `texts that are no heads are refused`() {
        for text in ["", ":", "1", "x:" + AuditRow.origin, "-1:" + AuditRow.origin, "1:abc"] {
            #expect(AuditHead(text) == nil, "\(text)")
        }
    }
}
