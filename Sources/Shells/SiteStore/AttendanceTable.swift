import GRDB
import SiteEngine
import SiteModel

// The rows that sessions are, and rest on.
package struct AttendanceTable: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    static func put(_ row: LedgerRow, into db: Database) throws {
        try db.run(
            """
            INSERT INTO ledger (user, heard, statements, elsewhere, doubts, disputes, checkpoint)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (user) DO UPDATE SET heard = excluded.heard,
                statements = excluded.statements, elsewhere = excluded.elsewhere,
                doubts = excluded.doubts, disputes = excluded.disputes,
                checkpoint = excluded.checkpoint
            """,
            [
                row.user.row, Packed.bytes(of: row.heard), try text(of: row.statements),
                try text(of: row.elsewhere), try text(of: row.doubts), try text(of: row.disputes),
                try row.checkpoint.map { try JSONText.text(of: $0) },
            ])
    }

    /// Most of these lists are empty, and this is written every few seconds for whoever is in.
    private static func text<Element: Encodable>(of list: [Element]) throws -> String {
        list.isEmpty ? "[]" : try JSONText.text(of: list)
    }

    static func put(_ session: Session, into db: Database) throws {
        try db.run(
            """
            INSERT INTO attendance_session (id, user, from_ms, to_ms, void, kept, in_cause,
                out_cause, last_heard_ms, breaks, review, rev)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET user = excluded.user, from_ms = excluded.from_ms,
                to_ms = excluded.to_ms, void = excluded.void, kept = excluded.kept,
                in_cause = excluded.in_cause, out_cause = excluded.out_cause,
                last_heard_ms = excluded.last_heard_ms, breaks = excluded.breaks,
                review = excluded.review, rev = excluded.rev
            """,
            [
                session.id, session.user.row, session.from.milliseconds, session.to?.milliseconds,
                session.isVoid, !session.isVoid, session.inCause.rawValue,
                session.outCause?.rawValue, session.lastHeard?.milliseconds,
                try text(of: session.breaks.map { [$0.from, $0.to] }), try text(of: session.review),
                session.revision,
            ])
    }

    static func put(_ statement: SiteModel.Statement, into db: Database) throws {
        try db.run(
            """
            INSERT INTO statement (id, user, kind, at_ms, said_ms, by, reason)
            VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
            """,
            [
                statement.id, statement.user.row, statement.kind.rawValue,
                statement.at.milliseconds, statement.said.milliseconds, statement.by.storable,
                statement.reason?.storable,
            ])
    }

    /// Every session that was not withdrawn, by beginning, then row.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func everySession() throws(StoreError) -> [Session] {
        try store.read { db in
            try db.rows(
                "SELECT * FROM attendance_session WHERE void = 0 ORDER BY from_ms, id", as: session)
        }
    }

    /// A row of `attendance_session`.
    ///
    /// - Throws: `StoreError.corrupt` or a `DecodingError`: no row that this release wrote.
    package func session(_ row: Row) throws -> Session {
        let breaks = try JSONText.value([[Timestamp]].self, from: row["breaks"])
        guard let inCause = Session.InCause(rawValue: row["in_cause"]),
            breaks.allSatisfy({ $0.count == 2 && $0[0] <= $0[1] })
        else { throw store.damaged("attendance_session.in_cause or breaks", row["id"]) }
        var session = Session(
            id: row["id"], user: UserID(row["user"]), from: row.moment("from_ms"),
            to: row.optionalMoment("to_ms"), isVoid: row["void"], inCause: inCause,
            breaks: breaks.map { Interval(from: $0[0], to: $0[1]) },
            review: try JSONText.value([Review].self, from: row["review"]), revision: row["rev"])
        // What is missing is missing, whatever the initialiser would make of it.
        session.outCause = (row["out_cause"] as String?).flatMap { Session.OutCause(rawValue: $0) }
        session.lastHeard = row.optionalMoment("last_heard_ms")
        return session
    }

    func ledger(_ row: Row) throws -> LedgerRow {
        LedgerRow(
            user: UserID(row["user"]), heard: try store.seconds(row, "heard"),
            statements: try JSONText.value([SiteModel.Statement].self, from: row["statements"]),
            elsewhere: try JSONText.value([Elsewhere].self, from: row["elsewhere"]),
            doubts: try JSONText.value([Doubt].self, from: row["doubts"]),
            disputes: try JSONText.value([Dispute].self, from: row["disputes"]),
            checkpoint: try (row["checkpoint"] as String?).map {
                try JSONText.value(LedgerCheckpoint.self, from: $0)
            })
    }
}
