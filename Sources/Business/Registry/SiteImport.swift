import Basics
import GRDB
import Records
import Settings
import SiteModel
import SiteStore

/// Importing a site file: row edits in one transaction, those that lead from what is stored to what the file says.
package struct SiteImport: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// What importing `document` would change, by slug; nothing is written.
    ///
    /// Throws `.document` with every fault of the document.
    package func plan(
        importing document: SiteDocument, at now: Timestamp
    ) throws(StoreError) -> [Change] {
        try store.read { db in try Plan(importing: document, at: now, db).changes }
    }

    /// Makes the site what `document` says, as one revision, in one transaction.
    ///
    /// What is not in the document is retired and comes back with the same row if a later document
    /// has its slug again. A beacon that changes hands does so at `now`. With `known` only that revision is
    /// replaced: of another one nothing is written, and the revision returned is −1. A document that changes
    /// nothing makes no revision. `actor` is who imports and `locked` the lock that was in its way, for the audit. Throws `.document` with every fault of the document.
    @discardableResult
    package func importDocument(
        _ document: SiteDocument, at now: Timestamp, by actor: String = "import",
        via: AuditEntry.Via = .cli, instead known: Int64? = nil, over locked: String? = nil
    ) throws(StoreError) -> (revision: Int64, changes: [Change]) {
        try store.write { db in
            let stored = try Int64.fetchOne(db, sql: "SELECT revision FROM site") ?? 0
            if let known, known != stored { return (-1, []) }
            let plan = try Plan(importing: document, at: now, db)
            guard !plan.changes.isEmpty else { return (stored, []) }
            let asker = Asker(name: actor, via: via, at: now)
            let revision = try RegistryRows.revise(plan.changes, at: now, db)
            try Self.put(document, revision: revision, at: now, db)
            try RegistryRows.put(plan.rows, by: asker, db)
            try RegistryRows.audit(
                plan.changes, of: revision, isImport: known == nil, over: locked, by: asker, db)
            return (revision, plan.changes)
        }
    }

    /// What is stored and not retired, as a document; `nil` before the first import.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func document() throws(StoreError) -> SiteDocument? {
        try SiteRows(store).file().map { SiteFile(stored: $0.tree).document }
    }

    /// The last locked date, if importing `document` changes days up to it: when a business day begins is so
    /// of all days there ever were. `nil` if it changes none of them.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func lockedDays(changedBy document: SiteDocument) throws(StoreError) -> String? {
        try store.read { db in
            let start = try Int.fetchOne(db, sql: "SELECT day_start_min FROM site")
            guard let start, start != document.dayStart.minutes else { return nil }
            return try Self.lockedThrough(db)
        }
    }

    /// The last locked date, if there is one.
    static func lockedThrough(_ db: Database) throws -> String? {
        try String.fetchOne(
            db, sql: "SELECT through_date FROM period_lock ORDER BY id DESC LIMIT 1")
    }

    /// What leads from what is stored to a document.
    private struct Plan {
        /// In words, in the order of the site's parts.
        var changes: [Change] = []
        var rows: [RowChange] = []

        /// - Throws: `StoreError.document` with every fault.
        init(importing document: SiteDocument, at now: Timestamp, _ db: Database) throws {
            let new = SiteFileWriter(document).tree
            var faults: [String] = []
            do throws(SettingsError) {
                _ = try SiteFile(new)
            } catch {
                faults = error.faults.map { "\($0.path): \($0.problem)" }
            }
            let stored = try SiteRows.head(db)
            if let stored, stored.slug != document.slug {
                faults.append(
                    "site \(document.slug.quoted): this is the database of site \(stored.slug.quoted)"
                )
            }
            changes = document.changes(from: stored)
            for kind in SiteCollection.all {
                let rows = kind.changes(
                    from: stored == nil ? [] : try RowTable(kind).rows(db),
                    to: new[kind.name]?.items ?? [])
                changes += rows.compactMap(\.said)
                self.rows += rows
            }
            faults += try RegistryRows.faults(of: rows, at: now, db)
            if now.milliseconds < 0 { faults.append("the clock stands before 1970") }
            guard faults.isEmpty else { throw StoreError.document(faults) }
        }
    }

    /// The site's own row. A new zone is in force from `now` on, the first one always was.
    static func put(
        _ document: SiteDocument, revision: Int64, at now: Timestamp, _ db: Database
    ) throws {
        let oldStart = try Int.fetchOne(db, sql: "SELECT day_start_min FROM site")
        try db.run(
            """
            INSERT INTO site (id, slug, name, time_zone, demo, policy, revision, requires_consent,
                attendance_days, day_start_min, wall_names, content)
            VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, time_zone = excluded.time_zone,
                demo = excluded.demo, policy = excluded.policy,
                requires_consent = excluded.requires_consent,
                attendance_days = excluded.attendance_days, day_start_min = excluded.day_start_min,
                wall_names = excluded.wall_names, content = excluded.content
            """,
            [
                document.slug, document.name, document.timeZone, document.isDemo,
                try JSONText.text(of: document.policy), revision, document.privacy.requiresConsent,
                document.privacy.attendanceDays, document.dayStart.minutes,
                document.privacy.wallNames.rawValue,
                document.shown == ContentSettings() ? nil : try JSONText.text(of: document.shown),
            ])
        // Queues end with the day.
        if let oldStart, oldStart != document.dayStart.minutes {
            try OverrideTable.raiseOverrides(db)
        }
        let newest = try Row.fetchOne(
            db, sql: "SELECT from_ms, zone FROM site_zone ORDER BY from_ms DESC LIMIT 1")
        guard newest.map({ $0["zone"] as String }) != document.timeZone else { return }
        // A clock that was set back must not make the order of zones another one, nor change locked days.
        let locked = try OverrideTable.lockedThrough(db)
        let from = newest.map { max(now, $0["from_ms"] + .milliseconds(1), locked ?? now) }
        try db.run(
            "INSERT INTO site_zone (from_ms, zone) VALUES (?, ?)",
            [from?.milliseconds ?? 0, document.timeZone])
        // Quiet hours and shifts go by it.
        if newest != nil { try OverrideTable.raiseOverrides(db) }
    }
}
