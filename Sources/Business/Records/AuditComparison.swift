import GRDB
import SiteSchema
import SiteStore

/// Compares rows of the books with what the chain last said of them: corrections, locks, reviews, the
/// sessions that were locked or that a correction changed by itself, and accounts and tokens.
///
/// The chain was walked over before, so that it and the values that are left can be trusted. What
/// erasure and `retain` take away is no fault; what they took cannot be compared any more.
struct AuditComparison {
    /// Rows that are as the chain says.
    var compared = 0
    /// Rows of which the chain's values were erased.
    var unknown = 0
    /// Rows of the books from before this moment may have been deleted by age.
    private let kept: Int64
    /// People who were erased: what was said of them is gone.
    private let erased: Set<Int64>

    init(_ db: Database) throws {
        let proven = try Int64.fetchOne(
            db,
            sql: """
                SELECT max(before_ms) FROM retention_run
                WHERE table_name IN ('correction', 'attendance_session')
                """)
        let site = try Row.fetchOne(
            db,
            sql: """
                SELECT attendance_days, (SELECT clock_ms FROM site_state) AS clock_ms FROM site
                """)
        let days = max(site?["attendance_days"] as Int64? ?? 0, TableSpec.attendanceDays)
        // A run that was broken off has not left its proof yet.
        let due = (site?["clock_ms"] as Int64? ?? 0) - days * 86_400_000
        kept = max(proven ?? .min, due)
        erased = Set(
            try Int64.fetchAll(db, sql: "SELECT id FROM user WHERE erased_ms IS NOT NULL"))
    }

    /// The first row that is not what the chain says.
    mutating func fault(_ db: Database) throws -> AuditVerdict.Fault? {
        try correctionFault(db) ?? reviewFault(db) ?? lockFault(db) ?? sessionFault(db)
            ?? doorFault(db)
    }
}

// Corrections.
extension AuditComparison {
    private mutating func correctionFault(_ db: Database) throws -> AuditVerdict.Fault? {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT correction.*, person.slug AS user_slug, person.name AS user_name,
                    log.action, log.at_ms AS said_ms, log.user AS said_user, said.value AS said,
                    actor.value AS actor
                FROM correction JOIN user AS person ON person.id = correction.user
                    LEFT JOIN audit_log AS log ON log.id = (SELECT max(id) FROM audit_log
                        WHERE entity = 'correction' AND entity_id = CAST(correction.id AS TEXT))
                    LEFT JOIN audit_value AS said ON said.audit = log.id AND said.side = 'after'
                    LEFT JOIN audit_value AS actor ON actor.audit = log.id AND actor.side = 'actor'
                ORDER BY correction.id
                """)
        while let row = try rows.next() {
            if let what = try Self.difference(row, db) {
                return .row(table: "correction", id: row["id"], what)
            }
            if row["said"] == nil { unknown += 1 } else { compared += 1 }
        }
        return try missing(
            "correction",
            """
            SELECT CAST(entity_id AS INTEGER) AS id, user, max(at_ms) AS at_ms FROM audit_log
            WHERE entity = 'correction' AND NOT EXISTS (SELECT 1 FROM correction
                WHERE correction.id = CAST(entity_id AS INTEGER))
            GROUP BY entity_id ORDER BY 1
            """, db)
    }

    /// How a correction differs from what was said of it, or `nil`.
    private static func difference(_ row: Row, _ db: Database) throws -> String? {
        let correction = try CorrectionRow(row)
        guard let action = row["action"] as String? else {
            // What the machines ask for is audited when it is decided.
            let isOpen = [.pending, .superseded].contains(correction.state)
            return isOpen && correction.source != .person ? nil : "was never asked for or decided"
        }
        guard row["user"] == row["said_user"] as Int64? else { return "is about somebody else now" }
        var text = correction
        switch (action, correction.state) {
        case ("approve", .approved), ("refuse", .refused):
            guard correction.decidedAt == row["said_ms"] else {
                return "was decided at another time"
            }
            guard row["actor"] == nil || row["actor"] == correction.decidedBy else {
                return "was decided by somebody else"
            }
        case ("request", .pending): break
        case ("request", .superseded):
            guard try isSuperseded(correction, db) else { return "is superseded by nothing" }
            text.state = .pending
        default:
            return "is \(correction.state.rawValue), and what was last done to it was “\(action)”"
        }
        guard let said = row["said"] as String? else { return nil }
        let edited = try edited(said)
        guard try text.auditText(edited: edited).storable == said else {
            return "is not as it was written down"
        }
        return nil
    }

    private static func isSuperseded(_ row: CorrectionRow, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM correction
                    WHERE session = ? AND source = 'person' AND id > ?)
                """, arguments: [row.session, row.id]) ?? false
    }

    /// How the session was left that a correction changed by itself.
    private static func edited(_ said: String) throws -> CorrectionRow.Edited? {
        struct Text: Decodable {
            var edited: CorrectionRow.Edited?
        }
        return try JSONText.value(Text.self, from: said.unstored).edited
    }

    /// Reviews are what approved corrections left.
    private mutating func reviewFault(_ db: Database) throws -> AuditVerdict.Fault? {
        let lost = try Int64.fetchOne(
            db,
            sql: """
                SELECT id FROM correction
                WHERE change = 'reviewed' AND state = 'approved' AND session IN
                    (SELECT id FROM attendance_session)
                    AND NOT EXISTS (SELECT 1 FROM session_review AS review
                        WHERE review.session = correction.session
                            AND review.decided_ms = correction.decided_ms)
                ORDER BY id
                """)
        if let lost { return .row(table: "correction", id: lost, "has lost its review") }
        let changed = try Row.fetchOne(
            db,
            sql: """
                SELECT review.id FROM session_review AS review
                    JOIN attendance_session AS session ON session.id = review.session
                    JOIN user ON user.id = session.user
                WHERE user.erased_ms IS NULL AND review.decided_ms >= ?
                    AND NOT EXISTS (SELECT 1 FROM correction
                        WHERE change = 'reviewed' AND state = 'approved'
                            AND session = review.session AND decided_ms = review.decided_ms
                            AND decided_by = review.decided_by
                            AND decision_reason = review.reason)
                ORDER BY review.id
                """, arguments: [kept])
        if let changed {
            return .row(table: "session_review", id: changed["id"], "was decided by no correction")
        }
        compared += try Int.fetchOne(db, sql: "SELECT count(*) FROM session_review") ?? 0
        return nil
    }

    /// The first row that the chain knows and that is gone, but not by age or erasure.
    private func missing(
        _ table: String, _ query: String, _ db: Database
    ) throws -> AuditVerdict.Fault? {
        for row in try Row.fetchAll(db, sql: query) {
            let isErased = (row["user"] as Int64?).map(erased.contains) ?? false
            guard !isErased, row["at_ms"] >= kept else { continue }
            return .row(table: table, id: row["id"], "was removed")
        }
        return nil
    }
}

// Locks.
extension AuditComparison {
    private mutating func lockFault(_ db: Database) throws -> AuditVerdict.Fault? {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT lock.*, log.at_ms AS said_ms, said.value AS said
                FROM period_lock AS lock
                    LEFT JOIN audit_log AS log ON log.id = (SELECT max(id) FROM audit_log
                        WHERE entity = 'period_lock' AND entity_id = CAST(lock.id AS TEXT))
                    LEFT JOIN audit_value AS said ON said.audit = log.id AND said.side = 'after'
                ORDER BY lock.id
                """)
        for row in rows {
            var lock = LockRow(row)
            guard let moment = row["said_ms"] as Int64? else {
                return .row(table: "period_lock", id: lock.id, "was never asked for")
            }
            guard moment == lock.lockedAt else {
                return .row(table: "period_lock", id: lock.id, "was locked at another time")
            }
            guard let said = row["said"] as String? else {
                unknown += 1
                continue
            }
            lock.forcedOver = try Self.forcedOver(said)
            let text = try lock.auditText(listedFrom: Self.listedFrom(said))
            guard text.storable == said else {
                return .row(table: "period_lock", id: lock.id, "is not as it was written down")
            }
            compared += 1
        }
        let gone = try Int64.fetchOne(
            db,
            sql: """
                SELECT CAST(entity_id AS INTEGER) FROM audit_log
                WHERE entity = 'period_lock' AND NOT EXISTS (SELECT 1 FROM period_lock
                    WHERE id = CAST(entity_id AS INTEGER)) ORDER BY id
                """)
        return gone.map { .row(table: "period_lock", id: $0, "was removed") }
    }

    private static func listedFrom(_ said: String) throws -> Int64? {
        struct Text: Decodable {
            var listed_from_ms: Int64?
        }
        return try JSONText.value(Text.self, from: said.unstored).listed_from_ms
    }

    private static func forcedOver(_ said: String) throws -> ForcedLock? {
        struct Text: Decodable {
            var forced_over: ForcedLock?
        }
        return try JSONText.value(Text.self, from: said.unstored).forced_over
    }
}

// Sessions.
extension AuditComparison {
    /// What the chain last said of a session.
    private struct Stated {
        var user: Int64?
        var from: Int64
        var to: Int64?
        var isVoid = false
    }

    /// What the chain says of sessions altogether.
    private struct Sessions {
        /// As corrections left them.
        var edited: [Int64: Stated] = [:]
        /// Those in locked periods.
        var locked: [Int64: Stated] = [:]
        /// The locked periods of which all sessions are known.
        var periods: [Range<Int64>] = []
        /// People of whom a list was erased.
        var unlisted: Set<Int64> = []

        /// The period that a lock lists, or what is left when it opens one.
        mutating func move(to through: Int64, listedFrom: Int64?) {
            locked = locked.filter { $0.value.from < through }
            periods = periods.compactMap {
                $0.lowerBound < through ? $0.clamped(to: 0..<through) : nil
            }
            if let listedFrom, listedFrom < through { periods.append(listedFrom..<through) }
        }
    }

    private mutating func sessionFault(_ db: Database) throws -> AuditVerdict.Fault? {
        let said = try sessions(db)
        for (id, stated) in said.edited.sorted(by: { $0.key < $1.key }) {
            if let fault = try fault(of: id, stated, db) { return fault }
        }
        for (id, stated) in said.locked.sorted(by: { $0.key < $1.key }) {
            if let fault = try fault(of: id, stated, db) { return fault }
        }
        for period in said.periods {
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, user FROM attendance_session
                    WHERE void = 0 AND from_ms >= ? AND from_ms < ? ORDER BY id
                    """, arguments: [period.lowerBound, period.upperBound])
            for row in rows where said.locked[row["id"]] == nil {
                let user: Int64 = row["user"]
                guard !erased.contains(user), !said.unlisted.contains(user) else {
                    unknown += 1
                    continue
                }
                return .row(
                    table: "attendance_session", id: row["id"],
                    "stands in a period that was locked without it")
            }
        }
        return nil
    }

    private mutating func fault(
        of id: Int64, _ stated: Stated, _ db: Database
    ) throws -> AuditVerdict.Fault? {
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM attendance_session WHERE id = ?", arguments: [id])
        else {
            let isErased = stated.user.map(erased.contains) ?? false
            guard !isErased, stated.to ?? .max >= kept else { return nil }
            return .row(table: "attendance_session", id: id, "was removed")
        }
        // One that was open may end.
        let isSame =
            stated.user == row["user"] && stated.from == row["from_ms"]
            && (stated.to == nil || stated.to == row["to_ms"] as Int64?)
            && stated.isVoid == row["void"]
        guard isSame else {
            return .row(table: "attendance_session", id: id, "is not as it was written down")
        }
        compared += 1
        return nil
    }

    /// Reads what the chain says, in its order.
    private func sessions(_ db: Database) throws -> Sessions {
        var sessions = Sessions()
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT entity, user, value, (SELECT through_ms FROM period_lock
                    WHERE id = CAST(entity_id AS INTEGER)) AS through_ms
                FROM audit_log LEFT JOIN audit_value ON audit = id AND side = 'after'
                WHERE (entity, action) IN (VALUES ('correction', 'approve'),
                    ('correction', 'refuse'), ('period_lock', 'lock'), ('period_lock', 'unlock'), ('attendance', 'lock'))
                ORDER BY id
                """)
        while let row = try rows.next() {
            let user: Int64? = row["user"]
            guard let said = row["value"] as String? else {
                if row["entity"] == "attendance", let user { sessions.unlisted.insert(user) }
                // Who was named in its reason was erased.
                if row["entity"] == "period_lock", let through = row["through_ms"] as Int64? {
                    sessions.move(to: through, listedFrom: nil)
                }
                continue
            }
            switch row["entity"] as String {
            case "correction":
                guard let edited = try Self.edited(said) else { continue }
                sessions.edited[edited.session] = Stated(
                    user: user, from: edited.from_ms, to: edited.to_ms, isVoid: edited.void)
            case "period_lock":
                struct Through: Decodable {
                    var through_ms: Int64
                }
                let through = try JSONText.value(Through.self, from: said.unstored).through_ms
                sessions.move(to: through, listedFrom: try Self.listedFrom(said))
            default:
                for session in try JSONText.value([[Int64?]].self, from: said)
                where session.count == 3 {
                    guard let id = session[0], let from = session[1] else { continue }
                    sessions.locked[id] = Stated(user: user, from: from, to: session[2])
                }
            }
        }
        return sessions
    }
}
