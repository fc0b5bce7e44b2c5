import GRDB
import SiteEngine
import SiteModel
import SiteSchema
import Wire

/// What `Store.load` returns, part by part, from the rows of one transaction.
package struct StoredState {
    let store: Store

    /// Whether somebody, by an expression for their row, has agreed to be located, or need not; as SQL.
    package static func agreed(_ user: String) -> String {
        """
        ((SELECT requires_consent = 0 FROM site) OR EXISTS (
            SELECT 1 FROM consent WHERE consent.user = \(user) AND withdrawn_ms IS NULL))
        """
    }

    /// Feeds the rows that still matter to `Saved.apply`, which sorts them as it always does.
    func saved(_ db: Database) throws -> Saved {
        var saved = Saved()
        for (table, take) in readers(db) {
            guard let query = SiteTables.named(table)?.loaded else { continue }
            for row in try db.rows(query, as: { $0.copy() }) { try take(row, &saved) }
        }
        saved.workouts.settle(at: saved.site.clock)
        saved.waits.settle(at: saved.site.clock)
        saved.site.next = max(saved.site.next, try nextUnused(db))
        if let taken = try OverrideTable.takenOverrides(db) { saved.apply(.overrides(taken)) }
        return saved
    }

    /// What becomes of the rows of each table that is loaded. The site's own row first: it says what is
    /// too old.
    func readers(
        _ db: Database
    ) -> [(table: String, take: (Row, inout Saved) throws -> Void)] {
        func facts<Record: FetchableRecord>(
            _ fact: @escaping (Record) -> Fact
        ) -> (Row, inout Saved) throws -> Void { { $1.apply(fact(try Record(row: $0))) } }
        return [
            ("site_state", facts(Fact.site)),
            ("ledger", facts(Fact.ledger)),
            ("presence", facts(Fact.presence)),
            ("attendance_session", facts(Fact.session)),
            ("stay", facts(Fact.stay)),
            ("workout", { $1.apply(.workout(try workout($0, db))) }),
            ("station_claim", facts(Fact.claim)),
            ("workout_set", facts(Fact.set)),
            ("station_downtime", facts(Fact.downtime)),
            ("station_queue", facts(Fact.wait)),
            ("answered_request", { try answered($0, &$1) }),
            ("node_cursor", facts(Fact.cursor)),
            ("reasons", facts(Fact.reasons)),
            ("device_offset", facts(Fact.offset)),
            ("notification", facts(Fact.notification)),
        ]
    }

    private func workout(_ row: Row, _ db: Database) throws -> Workout {
        var workout = try Workout(row: row)
        workout.pauses = try workout.storedPauses(db)
        return workout
    }

    private func answered(_ row: Row, _ saved: inout Saved) throws {
        if row["answer"] as String? != nil {
            saved.apply(.answer(try Answer(row: row)))
        } else {
            // Such a key has visible characters only, of which one is stored twice.
            let key = (row["key"] as String).replacing("\\\\", with: "\\")
            let id = UsedID(.init(client: row["asker"], id: key), at: row["at_ms"])
            saved.usedIDs.put(id, by: \.key)
        }
    }

    /// The tables with rows that are not of the site's counter.
    private static let added: Set = ["attendance_session", "workout", "workout_set"]

    /// The first number above those of all rows that share the site's counter. The counter may be
    /// behind them: it is written by whoever wrote last, the rows by all who ever wrote. Rows of
    /// sessions that corrections state, and of workouts that were imported, are not of it.
    private func nextUnused(_ db: Database) throws -> Int64 {
        var greatest: Int64 = 0
        for table in SiteTables.all.filter(\.isCounted).map(\.name) {
            let id = try Int64.fetchOne(db, sql: "SELECT max(id) FROM \(table)") ?? 0
            // Programs that read JSON know no greater whole numbers.
            guard id < 2 * Session.firstAdded else { throw DamagedRow("\(table).id", id) }
            let counted = try Int64.fetchOne(
                db, sql: "SELECT max(id) FROM \(table) WHERE id <= ?",
                arguments: [Session.firstAdded])
            guard id <= Session.firstAdded || Self.added.contains(table) else {
                throw DamagedRow("\(table).id", id)
            }
            greatest = max(greatest, counted ?? 0)
        }
        return greatest + 1
    }
}
