import GRDB
import SiteEngine
import SiteModel

extension LedgerRow: StoredRow, FetchableRecord {
    package static let table = "ledger"

    package var columns: Columns {
        get throws {
            [
                "user": user,
                "heard": Packed.bytes(of: heard),
                "statements": try JSONText.text(ofList: statements),
                "elsewhere": try JSONText.text(ofList: elsewhere),
                "doubts": try JSONText.text(ofList: doubts),
                "disputes": try JSONText.text(ofList: disputes),
                "checkpoint": try checkpoint.map { try JSONText.text(of: $0) },
            ]
        }
    }

    package init(row: Row) throws {
        self.init(
            user: row["user"], heard: try Self.packed(row, "heard", Packed.times),
            statements: try Self.json(row, "statements"),
            elsewhere: try Self.json(row, "elsewhere"), doubts: try Self.json(row, "doubts"),
            disputes: try Self.json(row, "disputes"),
            checkpoint: try Self.optionalJSON(row, "checkpoint"))
    }
}

extension Session: StoredRow, FetchableRecord {
    package static let table = "attendance_session"

    package var columns: Columns {
        get throws {
            [
                "id": id,
                "user": user,
                "from_ms": from,
                "to_ms": to,
                "void": isVoid,
                "kept": !isVoid,
                "in_cause": inCause.rawValue,
                "out_cause": outCause?.rawValue,
                "last_heard_ms": lastHeard,
                "breaks": try JSONText.text(ofList: breaks.map { [$0.from, $0.to] }),
                "review": try JSONText.text(ofList: review),
                "rev": revision,
            ]
        }
    }

    package init(row: Row) throws {
        let breaks: [[Timestamp]] = try Self.json(row, "breaks")
        guard breaks.allSatisfy({ $0.count == 2 && $0[0] <= $0[1] }) else {
            throw Self.damaged(row, "breaks")
        }
        self.init(
            id: row["id"], user: row["user"], from: row["from_ms"], to: row["to_ms"],
            isVoid: row["void"], inCause: try Self.choice(row, "in_cause"),
            breaks: breaks.map { Interval(from: $0[0], to: $0[1]) },
            review: try Self.json(row, "review"), revision: row["rev"])
        // What is missing is missing, whatever the initialiser would make of it.
        outCause = (row["out_cause"] as String?).flatMap { OutCause(rawValue: $0) }
        lastHeard = row["last_heard_ms"]
    }
}

extension SiteModel.Statement: StoredRow, FetchableRecord {
    package static let table = "statement"

    package var columns: Columns {
        [
            "id": id,
            "user": user,
            "kind": kind.rawValue,
            "at_ms": at,
            "said_ms": said,
            "by": by.storable,
            "reason": reason?.storable,
        ]
    }

    package init(row: Row) throws {
        self.init(
            id: row["id"], user: row["user"], kind: try Self.choice(row, "kind"),
            at: row["at_ms"], said: row["said_ms"], by: row["by"], reason: row["reason"])
    }
}

extension JSONText {
    /// Most lists of these rows are empty, and ledgers are written every few seconds for whoever is in.
    fileprivate static func text<Element: Encodable>(ofList list: [Element]) throws -> String {
        list.isEmpty ? "[]" : try text(of: list)
    }
}

extension Store {
    /// Every session that was not withdrawn, by beginning, then row.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func everySession() throws(StoreError) -> [Session] {
        try read { db in
            try Session.fetchAll(
                db,
                sql: "SELECT * FROM attendance_session WHERE void = 0 ORDER BY from_ms, id")
        }
    }
}
