import GRDB
import SiteModel
import SiteStore

/// Who agreed to be located, to which text, and when.
package enum Consents {
    /// Writes down that a user agreed to a version of the text, or no longer does (`nil`). What
    /// they agreed to before is kept with the time it ended.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package static func put(
        consent: String?, of slug: String, at now: Timestamp, _ db: Database
    ) throws {
        try db.run(
            """
            UPDATE consent SET withdrawn_ms = max(at_ms, ?)
            WHERE user = (SELECT id FROM user WHERE slug = ?) AND withdrawn_ms IS NULL
                AND text_version IS NOT ?
            """, [now.milliseconds, slug, consent])
        guard let consent else { return }
        try db.run(
            """
            INSERT INTO consent (user, text_version, at_ms, recorded_by)
            SELECT id, ?, ?, 'import' FROM user WHERE slug = ? AND NOT EXISTS (
                SELECT 1 FROM consent WHERE consent.user = user.id AND withdrawn_ms IS NULL)
            """, [consent, now.milliseconds, slug])
    }
}
