import GRDB
import SiteModel
import SiteStore

/// A correction: what somebody, or late evidence, wants changed, and what became of it.
package struct CorrectionRow: Equatable, Sendable, Codable {
    package enum Source: String, Sendable, Codable, CaseIterable {
        case person
        /// Evidence from beyond the horizon.
        case late
        /// Evidence about a locked period.
        case locked
        /// Evidence whose time is not certain.
        case uncertain
    }

    /// What is to change.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case times
        case remove
        case add
        case reviewed
    }

    /// How far it is.
    package enum State: String, Sendable, Codable, CaseIterable {
        case pending
        case approved
        case refused
        /// A later one for the same session took its place.
        case superseded
    }

    /// Its row.
    package var id: Int64
    package var source: Source
    package var change: Kind
    /// The session, or `nil` for a missing one.
    package var session: Int64?
    /// The slug of whose attendance it is.
    package var user: String
    /// What they are called. Hostile text.
    package var name: String
    /// The revision of the session that was looked at.
    package var sessionRevision: Int64?
    /// How the session stood, in milliseconds.
    package var oldFrom: Int64?
    /// Likewise; `nil` while it was open.
    package var oldTo: Int64?
    /// How it is to stand, in milliseconds.
    package var newFrom: Int64?
    /// Likewise; `nil` if it stays open.
    package var newTo: Int64?
    /// How long somebody was heard in it, in milliseconds: of what the machines ask for.
    package var heard: Int64?
    /// How long breaks of the session are that lie outside of what it is to be, in milliseconds: by it they
    /// would be none. `nil` for none, and once it is decided.
    package var lostBreaks: Int64?
    /// Why. Hostile text.
    package var reason: String
    /// When it was asked for, in milliseconds.
    package var requestedAt: Int64
    /// By whom.
    package var requestedBy: String
    /// How far it is.
    package var state: State
    /// When it was decided, in milliseconds.
    package var decidedAt: Int64?
    /// By whom.
    package var decidedBy: String?
    /// Why so.
    package var decisionReason: String?

    /// The names in JSON, and of the columns they are read from.
    package enum CodingKeys: String, CodingKey {
        case id, source, change, session, user, name, heard = "heard_ms", reason, state
        case lostBreaks = "breaks_lost_ms"
        case sessionRevision = "session_rev"
        case oldFrom = "old_from_ms"
        case oldTo = "old_to_ms"
        case newFrom = "new_from_ms"
        case newTo = "new_to_ms"
        case requestedAt = "requested_ms"
        case requestedBy = "requested_by"
        case decidedAt = "decided_ms"
        case decidedBy = "decided_by"
        case decisionReason = "decision_reason"
    }
}

extension CorrectionRow {
    /// Corrections with whose they are; a condition and an order may follow.
    package static let query = """
        SELECT correction.*, user.slug AS user_slug, user.name AS user_name, user.retired_ms,
            (SELECT breaks FROM attendance_session WHERE id = correction.session) AS breaks
        FROM correction JOIN user ON user.id = correction.user
        """

    /// One row of `query`.
    ///
    /// - Throws: `StoreError.corrupt` or a `DecodingError`: no row that this release wrote.
    package init(_ row: Row) throws {
        guard let source = Source(rawValue: row["source"]),
            let kind = Kind(rawValue: row["change"]),
            let state = State(rawValue: row["state"])
        else {
            throw StoreError.other(code: 0, message: "bad words in correction \(row["id"] ?? 0)")
        }
        self.init(
            id: row["id"], source: source, change: kind, session: row["session"],
            user: row["user_slug"], name: row["user_name"], sessionRevision: row["session_rev"],
            oldFrom: row["old_from_ms"], oldTo: row["old_to_ms"], newFrom: row["new_from_ms"],
            newTo: row["new_to_ms"], heard: row["heard_ms"], reason: row["reason"],
            requestedAt: row["requested_ms"], requestedBy: row["requested_by"], state: state,
            decidedAt: row["decided_ms"], decidedBy: row["decided_by"],
            decisionReason: row["decision_reason"])
        guard state == .pending, kind == .times, let from = newFrom else { return }
        let stated = Interval(
            from: Timestamp(milliseconds: from), to: Timestamp(milliseconds: newTo ?? .max))
        let lost = try OverrideTable.breaks(of: row).reduce(Int64(0)) { sum, pause in
            sum + pause.length.milliseconds
                - (pause.common(with: stated)?.length.milliseconds ?? 0)
        }
        if lost > 0 { lostBreaks = lost }
    }

    /// How a correction left the one session that it changed by itself, where the machines did not
    /// hold it any more.
    package struct Edited: Codable, Equatable {
        var session: Int64
        var from_ms: Int64
        var to_ms: Int64?
        var void: Bool
    }

    /// What the audit keeps of it: all but whose it is, which the entry has.
    ///
    /// - Throws: An `EncodingError`, which the values of a row never cause.
    package func auditText(edited: Edited? = nil) throws -> String {
        struct Kept: Encodable {
            var change: Kind
            var edited: Edited?
            var session: Int64?
            var old_from_ms: Int64?
            var old_to_ms: Int64?
            var new_from_ms: Int64?
            var new_to_ms: Int64?
            var reason: String
            var state: State
            var decision_reason: String?
        }
        return try JSONText.text(
            of: Kept(
                change: change, edited: edited, session: session, old_from_ms: oldFrom,
                old_to_ms: oldTo,
                new_from_ms: newFrom, new_to_ms: newTo, reason: reason, state: state,
                decision_reason: decisionReason))
    }
}

extension LockRow {
    /// What the audit keeps of it. `listedFrom`: sessions that began from then on, in milliseconds,
    /// are in entries of the same lock; all earlier ones in those of earlier locks.
    ///
    /// - Throws: An `EncodingError`, which the values of a row never cause.
    package func auditText(listedFrom: Int64?) throws -> String {
        struct Kept: Encodable {
            var id: Int64
            var through_date: String
            var through_ms: Int64
            var locked_by: String
            var locked_ms: Int64
            var reason: String
            var listed_from_ms: Int64?
            var forced_over: ForcedLock?
        }
        return try JSONText.text(
            of: Kept(
                id: id, through_date: throughDate, through_ms: through, locked_by: lockedBy,
                locked_ms: lockedAt, reason: reason, listed_from_ms: listedFrom,
                forced_over: forcedOver))
    }
}

/// The lock that is in force, or was.
package struct LockRow: Equatable, Sendable, Codable {
    /// Its row.
    package var id: Int64
    /// The last locked date.
    package var throughDate: String
    /// The first moment that is not locked, in milliseconds.
    package var through: Int64
    package var lockedBy: String
    /// When, in milliseconds.
    package var lockedAt: Int64
    /// Why. Hostile text.
    package var reason: String
    /// Whether it was in force before, and nothing was done; `nil` for no.
    package var isUnchanged: Bool?
    /// What it was forced over, where it was set just now; `nil` for nothing.
    package var forcedOver: ForcedLock?

    package enum CodingKeys: String, CodingKey {
        case id, reason
        case forcedOver = "forced_over"
        case isUnchanged = "unchanged"
        case throughDate = "through_date"
        case through = "through_ms"
        case lockedBy = "locked_by"
        case lockedAt = "locked_ms"
    }

    /// One row of `period_lock`.
    init(_ row: Row) {
        id = row["id"]
        throughDate = row["through_date"]
        through = row["through_ms"]
        lockedBy = row["locked_by"]
        lockedAt = row["locked_ms"]
        reason = row["reason"]
    }
}
