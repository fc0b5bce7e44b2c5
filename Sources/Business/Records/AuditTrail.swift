import Ciphers
import GRDB
import SiteModel
import SiteStore

/// Who did what: a chain that cannot be changed unnoticed.
package struct AuditTrail: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// Adds an entry to the chain. Called inside the transaction of what it tells of.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func append(_ entry: AuditEntry, _ db: Database) throws {
        let last = try AuditHead(db)
        let id = last.id + 1
        let sides = [
            ("actor", Optional(entry.actor)), ("before", entry.before), ("after", entry.after),
        ].map { side, value in
            let salt = SHA256.salt()
            let value = value?.storable
            return (side, salt, value, value.map { SHA256.hexadecimal(of: salt + $0) })
        }
        let columns: [(String, (any DatabaseValueConvertible)?)] = [
            ("id", id), ("at_ms", entry.at.milliseconds), ("via", entry.via.rawValue),
            ("action", entry.action.storable), ("entity", entry.entity.storable),
            ("entity_id", entry.entityID.storable), ("user", entry.user?.row),
            ("actor_digest", sides[0].3), ("before_digest", sides[1].3),
            ("after_digest", sides[2].3), ("previous", last.digest),
        ]
        let row = Row(Dictionary(uniqueKeysWithValues: columns))
        try db.run(
            """
            INSERT INTO audit_log (id, at_ms, via, action, entity, entity_id, user, actor_digest,
                before_digest, after_digest, previous, digest)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            StatementArguments(columns.map(\.1) + [SHA256.hexadecimal(of: AuditRow.text(row))]))
        for (side, salt, value, _) in sides {
            guard let value else { continue }
            try db.run(
                "INSERT INTO audit_value (audit, side, salt, value) VALUES (?, ?, ?, ?)",
                [id, side, salt, value])
        }
    }

    /// Adds an entry about something that is written nowhere else.
    ///
    /// - Throws: A writer's `StoreError`.
    package func note(_ entry: AuditEntry) throws(StoreError) {
        try store.write { db in try Self.append(entry, db) }
    }

    /// Adds an entry about something that a node is told. One that somebody carries may be called like
    /// them: the entry has its row, and the slug where an erasure reaches it.
    ///
    /// - Throws: A writer's `StoreError`.
    package func note(
        _ operation: String, to node: String, by actor: String, via: AuditEntry.Via,
        at now: Timestamp
    ) throws(StoreError) {
        try store.write { db in
            let row = try Int64.fetchOne(
                db, sql: "SELECT id FROM node WHERE slug = ?", arguments: [node])
            try Self.append(
                AuditEntry(
                    at: now, actor: actor, via: via, action: operation, entity: "node",
                    entityID: row.map { "\($0)" } ?? "", after: try JSONText.text(of: ["id": node])),
                db)
        }
    }

    /// Walks over the whole chain, in bounded memory, and compares it with the heads that proof
    /// rows of `retain` hold, and with `noted`, heads kept elsewhere; then compares the books with
    /// what the chain last said of them (`AuditComparison`).
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func verify(noted: [AuditHead] = []) throws(StoreError) -> AuditVerdict {
        try store.read { db in
            var verdict = AuditVerdict(
                rows: 0, values: 0, head: AuditHead(id: 0, digest: AuditRow.origin), fault: nil)
            let rows = try Row.fetchCursor(db, sql: "SELECT * FROM audit_log ORDER BY id")
            while verdict.fault == nil, let row = try rows.next() {
                verdict.fault = try Self.fault(of: row, after: verdict.head, &verdict.values, db)
                guard verdict.fault == nil else { break }
                verdict.rows += 1
                verdict.head = AuditHead(id: row["id"], digest: row["digest"])
            }
            if verdict.fault == nil {
                verdict.fault = try Self.cut(noted: noted, db)
            }
            if verdict.fault == nil {
                var comparison = try AuditComparison(db)
                verdict.fault = try comparison.fault(db)
                (verdict.compared, verdict.unknown) = (comparison.compared, comparison.unknown)
            }
            return verdict
        }
    }

    private static func fault(
        of row: Row, after last: AuditHead, _ values: inout Int, _ db: Database
    ) throws -> AuditVerdict.Fault? {
        let id: Int64 = row["id"]
        guard id == last.id + 1 else { return .missing(last.id + 1) }
        guard row["digest"] == SHA256.hexadecimal(of: AuditRow.text(row)) else {
            return .changed(id)
        }
        guard row["previous"] == last.digest else { return .unlinked(id) }
        let sides = try db.rows(
            "SELECT side, salt, value FROM audit_value WHERE audit = ? ORDER BY side", [id]
        ) { ($0["side"] as String, ($0["salt"] as String) + ($0["value"] as String)) }
        for (side, salted) in sides {
            values += 1
            guard row["\(side)_digest"] as String? == SHA256.hexadecimal(of: salted) else {
                return .value(id, side: side)
            }
        }
        return nil
    }

    /// The first noted head that the chain does not have.
    private static func cut(noted: [AuditHead], _ db: Database) throws -> AuditVerdict.Fault? {
        let proven = try db.rows("SELECT DISTINCT head FROM retention_run") { row -> AuditHead? in
            AuditHead(row["head"] as String)
        }
        for head in (proven.compactMap(\.self) + noted).sorted(by: { $0.id < $1.id })
        where head.id > 0 {
            let digest = try String.fetchOne(
                db, sql: "SELECT digest FROM audit_log WHERE id = ?", arguments: [head.id])
            guard digest == head.digest else { return .cut(head.id) }
        }
        return nil
    }

    /// Entries of the chain, oldest first: those after row `after`, at most `count`; only those of
    /// one kind of thing, or about one user, if that is asked for.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func entries(
        entity: String? = nil, about user: UserID? = nil, after: Int64 = 0, most count: Int
    ) throws(StoreError) -> [AuditRow] {
        try store.read { db in
            try db.rows(
                """
                SELECT audit_log.*, actor.value AS actor, old.value AS before, new.value AS after
                FROM audit_log
                    LEFT JOIN audit_value AS actor ON actor.audit = id AND actor.side = 'actor'
                    LEFT JOIN audit_value AS old ON old.audit = id AND old.side = 'before'
                    LEFT JOIN audit_value AS new ON new.audit = id AND new.side = 'after'
                WHERE id > ? AND (? IS NULL OR entity = ?) AND (? IS NULL OR user = ?)
                ORDER BY id LIMIT ?
                """,
                [after, entity, entity, user?.row, user?.row, count]
            ) { row in
                AuditRow(
                    id: row["id"], at: row["at_ms"], via: row["via"], action: row["action"],
                    entity: row["entity"], entityID: row["entity_id"],
                    user: row["user"], actor: row["actor"],
                    before: row["before"], after: row["after"], digest: row["digest"])
            }
        }
    }
}

/// What a walk over the audit chain showed.
package struct AuditVerdict: Equatable, Sendable {
    /// What even a whole chain leaves open, for people.
    package static let limits = """
        not proven: sessions that were neither locked nor changed by hand (they follow from evidence \
        and check-ins), breaks and marks of any session, check-ins, shifts and leave, passwords, sessions \
        of the page and who is enrolled at the broker, what was erased or deleted by age, and an end of the chain that was cut off unless its head was noted
        """

    /// What is wrong, at the first row that is.
    package enum Fault: Equatable, Sendable, CustomStringConvertible {
        /// The row does not have the digest it was written with.
        case changed(Int64)
        /// The row is not there, although later ones are.
        case missing(Int64)
        /// The row was written after another one than the one that stands before it.
        case unlinked(Int64)
        /// A value is not the one the row was written with.
        case value(Int64, side: String)
        /// The chain ends before this row, or has another one in its place, although a proof names it.
        case cut(Int64)
        /// A row of the books is not what the chain last said of it.
        case row(table: String, id: Int64, String)

        /// A sentence that names the row.
        package var description: String {
            switch self {
            case .changed(let id): "row \(id) was changed"
            case .missing(let id): "row \(id) was removed"
            case .unlinked(let id): "row \(id) does not follow row \(id - 1)"
            case .value(let id, let side): "the value “\(side)” of row \(id) was changed"
            case .cut(let id):
                "row \(id) is not the one that was noted: rows were cut off or written anew"
            case .row(let table, let id, let what): "\(table) \(id) \(what)"
            }
        }
    }

    /// Rows that were walked over.
    package var rows: Int
    /// Values that were there and checked.
    package var values: Int
    /// Rows of the books that are what the chain last said of them.
    package var compared = 0
    /// Rows of the books of which the chain said something that was erased since.
    package var unknown = 0
    /// The end of the chain, to be noted elsewhere.
    package var head: AuditHead
    /// The first fault, or `nil` if the chain is whole.
    package var fault: Fault?
}
