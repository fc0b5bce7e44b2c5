import GRDB
import SiteModel
import SiteStore

/// What a correction wants, with the session as it stands, ready to be checked.
struct ProposedCorrection {
    /// From when until when; `nil` while it is open.
    struct Times: Equatable {
        var from: Timestamp
        var to: Timestamp?
    }

    let change: CorrectionRow.Kind
    let session: Int64?
    let user: UserID
    /// The revision of the session that is meant.
    let revision: Int64?
    let old: Times?
    let new: Times?

    /// What somebody asks for now. Throws `notFound`, `badState` for a withdrawn session, and
    /// `revConflict` if the session is another one by now.
    init(_ asked: SessionChange, _ db: Database) throws {
        let id: Int64
        let wanted: Int64?
        switch asked {
        case .add(let slug, let from, let to):
            change = .add
            user = try Corrections.user(slug: slug, db)
            (session, revision, old) = (nil, nil, nil)
            new = Times(from: from, to: to)
            return
        case .times(let session, let revision, let from, let to):
            change = .times
            (id, wanted, new) = (session, revision, Times(from: from, to: to))
        case .remove(let session, let revision):
            change = .remove
            (id, wanted, new) = (session, revision, nil)
        case .reviewed(let session, let revision):
            change = .reviewed
            (id, wanted, new) = (session, revision, nil)
        }
        let stored = try Self.stored(id, db)
        if let wanted, wanted != stored.revision {
            throw BooksRefusal(
                .revisionConflict,
                "session \(id) is at revision \(stored.revision) by now, not \(wanted)")
        }
        session = id
        (user, revision, old) = (stored.user, stored.revision, stored.times)
    }

    /// What a stored correction wants. Throws as above, also if the session has other times by now.
    init(stored row: CorrectionRow, user: UserID, _ db: Database) throws {
        change = row.change
        session = row.session
        self.user = user
        new = row.newFrom.map { Self.times($0, row.newTo) }
        guard let id = row.session else {
            (revision, old) = (nil, nil)
            return
        }
        let stored = try Self.stored(id, db)
        let isSame =
            row.source == .person
            ? row.sessionRevision == stored.revision
            : row.oldFrom.map { Self.times($0, row.oldTo) } == stored.times
        guard isSame else {
            throw BooksRefusal(
                .revisionConflict,
                "session \(id) changed since correction \(row.id) was asked for; ask again")
        }
        (revision, old) = (stored.revision, stored.times)
    }

    private static func times(_ from: Int64, _ to: Int64?) -> Times {
        Times(
            from: Timestamp(milliseconds: from), to: to.map { Timestamp(milliseconds: $0) })
    }

    private static func stored(
        _ id: Int64, _ db: Database
    ) throws -> (user: UserID, revision: Int64, times: Times) {
        let row = try Row.fetchOne(
            db, sql: "SELECT * FROM attendance_session WHERE id = ?", arguments: [id])
        guard let row else { throw BooksRefusal(.notFound, "there is no session \(id)") }
        guard !(row["void"] as Bool) else {
            throw BooksRefusal(.badState, "session \(id) was withdrawn")
        }
        return (
            row["user"], row["rev"],
            Times(from: row["from_ms"], to: row["to_ms"])
        )
    }

    /// Throws what stands against it: `badTime`, `lockedPeriod`, `overlap`.
    func check(at now: Timestamp, _ db: Database) throws {
        guard change != .reviewed else { return }
        if let new {
            guard new.from.milliseconds >= 0, new.from <= now, new.to.map({ $0 <= now }) ?? true
            else { throw BooksRefusal(.badTime, "the times lie in the future, or before 1970") }
            guard new.to.map({ new.from < $0 }) ?? true else {
                throw BooksRefusal(.badTime, "the end is not after the start")
            }
            guard new.to != nil || old.map({ $0.to == nil }) ?? false else {
                throw BooksRefusal(.badTime, "a session that ended needs an end")
            }
        }
        try checkLock(db)
        if let new { try checkOverlap(new, db) }
    }

    /// One that was open when its start was locked may still end.
    private func checkLock(_ db: Database) throws {
        guard let boundary = try LockedDays(db)?.end(of: user, db) else { return }
        let keepsStart = old?.to == nil && old?.from == new?.from
        let isLocked = [old?.from, new?.from].contains { $0.map { $0 < boundary } ?? false }
        guard isLocked, !keepsStart else { return }
        throw BooksRefusal(
            .lockedPeriod, "it counts for a day that is locked; move the lock back")
    }

    /// An approved correction by which another session that goes on begins earlier, which is not yet
    /// carried out and would overlap.
    private func openedEarlier(_ new: Times, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db,
            sql: """
                SELECT other.id FROM correction AS other
                JOIN attendance_session AS held ON held.id = other.session
                WHERE other.user = ? AND other.state = 'approved' AND other.change = 'times'
                    AND other.new_to_ms IS NULL AND held.id IS NOT ? AND held.void = 0
                    AND other.new_from_ms < ? AND held.from_ms > ?
                    AND NOT EXISTS (
                        SELECT 1 FROM correction AS later
                        WHERE later.session = held.id AND later.state = 'approved'
                            AND later.change <> 'reviewed' AND later.id > other.id)
                LIMIT 1
                """,
            arguments: [
                user.row, session, new.to?.milliseconds ?? Int64.max, new.from.milliseconds,
            ])
    }

    /// Neither with another session, nor with what was approved and is not yet carried out.
    private func checkOverlap(_ new: Times, _ db: Database) throws {
        let never = Int64.max
        let other = try Int64.fetchOne(
            db,
            sql: """
                SELECT id FROM attendance_session
                WHERE user = ? AND void = 0 AND id IS NOT ? AND from_ms < ?
                    AND coalesce(to_ms, ?) > ? LIMIT 1
                """,
            arguments: [
                user.row, session, new.to?.milliseconds ?? never, never, new.from.milliseconds,
            ])
        if let other { throw BooksRefusal(.overlap, "it overlaps session \(other)") }
        let approved = try Int64.fetchOne(
            db,
            sql: """
                SELECT id FROM correction AS other
                WHERE user = ? AND state = 'approved' AND new_to_ms IS NOT NULL
                    AND session IS NOT ? AND new_from_ms < ? AND new_to_ms > ?
                    AND NOT (new_from_ms < ? AND new_to_ms > ?)
                    AND NOT EXISTS (
                        SELECT 1 FROM correction AS later
                        WHERE later.user = other.user AND later.state = 'approved'
                            AND later.id > other.id AND later.old_from_ms < other.new_to_ms
                            AND coalesce(later.old_to_ms, ?) > other.new_from_ms)
                LIMIT 1
                """,
            arguments: [
                user.row, session ?? 0, new.to?.milliseconds ?? never, new.from.milliseconds,
                old.map { $0.to?.milliseconds ?? never } ?? 0, old?.from.milliseconds ?? never,
                never,
            ])
        if let other = try approved ?? openedEarlier(new, db) {
            throw BooksRefusal(.overlap, "it overlaps what correction \(other) states")
        }
    }
}
