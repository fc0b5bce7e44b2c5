import GRDB
import SiteModel
import SiteSchema

/// A row of the audit chain.
///
/// Its digest is SHA-256 over the fields in this order, each as its length in UTF-8 bytes, a colon
/// and its text, or `-` where it is missing: id, time in milliseconds, via, action, entity, entity
/// id, user, digest of the actor, of the value before and of the value after, digest of the row
/// before. Digests of values are SHA-256 over the salt's 32 digits and the value.
package struct AuditRow: Equatable, Sendable {
    /// What the first row follows.
    package static let origin = Schema.auditOrigin

    /// From 1, without holes.
    package var id: Int64
    /// When it was done.
    package var at: Timestamp
    /// Which way they came: see `AuditEntry.Via`.
    package var via: String
    /// What was done.
    package var action: String
    /// To what kind of thing.
    package var entity: String
    /// To which one.
    package var entityID: String
    package var user: UserID?
    /// Who did it, or `nil` if that was erased.
    package var actor: String?
    /// What stood before, as JSON; `nil` if there was nothing, or it was erased.
    package var before: String?
    /// What stood afterwards, likewise.
    package var after: String?
    /// The digest of the row, which the next one carries on.
    package var digest: String

    package init(
        id: Int64, at: Timestamp, via: String, action: String, entity: String, entityID: String,
        user: UserID? = nil, actor: String? = nil, before: String? = nil, after: String? = nil,
        digest: String
    ) {
        self.id = id
        self.at = at
        self.via = via
        self.action = action
        self.entity = entity
        self.entityID = entityID
        self.user = user
        self.actor = actor
        self.before = before
        self.after = after
        self.digest = digest
    }

    /// What the digest of a row is taken over.
    package static func text(_ row: Row) -> String {
        let columns = [
            "id", "at_ms", "via", "action", "entity", "entity_id", "user", "actor_digest",
            "before_digest", "after_digest", "previous",
        ]
        return columns.map { column -> String in
            let value: DatabaseValue = row[column]
            let text: String
            switch value.storage {
            case .null: return "-"
            case .int64(let number): text = "\(number)"
            case .string(let string): text = string
            // No column of a whole chain holds these.
            case .double(let number): text = "\(number)"
            case .blob(let data): text = data.base64EncodedString()
            }
            return "\(text.utf8.count):\(text)"
        }.joined()
    }
}

/// The end of the chain, as noted elsewhere, where a person who deletes rows cannot change it.
package struct AuditHead: Equatable, Sendable, Codable, CustomStringConvertible {
    /// The number of the last row, 0 in an empty chain.
    package var id: Int64
    package var digest: String

    /// `12:9f86…`, as exports and proof rows have it.
    package var description: String { "\(id):\(digest)" }

    package init(id: Int64, digest: String) {
        self.id = id
        self.digest = digest
    }

    /// Reads what `description` writes, or `nil`.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = Int64(parts[0]), id >= 0, parts[1].utf8.count == 64,
            parts[1].allSatisfy(\.isHexDigit)
        else { return nil }
        self.id = id
        digest = String(parts[1])
    }
}

/// Something that a person did to the books, as it is handed to the audit.
package struct AuditEntry: Equatable, Sendable {
    package enum Via: String, Sendable, CaseIterable {
        case cli
        case mqtt
        case rest
        /// Nobody asked: the machines or the nightly run did it.
        case core
    }

    package var at: Timestamp
    /// Who: a login, a client or a pseudonym. Kept where erasure reaches it.
    package var actor: String
    package var via: Via
    /// What was done, for example `approve`.
    package var action: String
    /// To what kind of thing, for example `correction`.
    package var entity: String
    /// To which one: a row number or a date. Never a slug or a name: it cannot be erased.
    package var entityID: String
    /// Whom it is about, or `nil` if nobody in particular.
    package var user: UserID?
    /// What stood before, as JSON, or `nil`.
    package var before: String?
    /// What stands now, as JSON, or `nil`.
    package var after: String?

    package init(
        at: Timestamp, actor: String, via: Via, action: String, entity: String, entityID: String,
        user: UserID? = nil, before: String? = nil, after: String? = nil
    ) {
        self.at = at
        self.actor = actor
        self.via = via
        self.action = action
        self.entity = entity
        self.entityID = entityID
        self.user = user
        self.before = before
        self.after = after
    }
}

extension AuditHead {
    /// The end of the chain of the audit.
    ///
    /// - Throws: A `DatabaseError`; the transaction around it must roll back.
    package init(_ db: Database) throws {
        let row = try Row.fetchOne(
            db, sql: "SELECT id, digest FROM audit_log ORDER BY id DESC LIMIT 1")
        self.init(id: row?["id"] ?? 0, digest: row?["digest"] ?? AuditRow.origin)
    }
}
