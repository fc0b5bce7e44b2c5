import Basics
import GRDB
import SiteEngine
import SiteModel
import SiteSchema
import SiteStore

/// How sessions computed anew from stored evidence compare with those that are stored.
package struct RebuiltSessions: Equatable, Sendable {
    /// The first moment of which all evidence is there; only sessions from then on are compared.
    package var since: Timestamp
    /// How many sessions are the same.
    package var same: Int
    /// How those differ that do, a line each.
    package var differences: [String]
}

/// Checks that sessions follow from what nodes sent and people said, and from nothing else.
package struct SessionCheck: Sendable {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    /// After this much evidence it is known whether somebody was there before.
    private static let leadIn = Timestamp.Span.seconds(3600)

    /// Computes the sessions of the time of which evidence is kept anew, and compares them with the
    /// stored ones: times, causes, breaks. `nil` before the first import. Reads all evidence, which takes
    /// seconds; nothing is written.
    ///
    /// - Throws: A reader's `StoreError`: repeat after `.busy` or `.full`.
    package func rebuiltSessions() throws(StoreError) -> RebuiltSessions? {
        guard let loaded = try store.load() else { return nil }
        let clock = loaded.saved.site.clock
        return try store.read { db in
            let plan = loaded.plan
            let amendments = try db.rows(
                "SELECT * FROM correction WHERE state = 'approved' AND change <> 'reviewed' ORDER BY id",
                as: OverrideTable.amendment)
            let first = try Int64.fetchOne(db, sql: "SELECT min(site_from_ms) FROM evidence")
            var rebuilding = Rebuilding(
                plan: plan, amendments: amendments,
                listeningSince: loaded.saved.site.listeningSince)
            let evidence = try Row.fetchCursor(
                db,
                sql: """
                    SELECT * FROM evidence WHERE state = 'taken' AND site_from_ms IS NOT NULL
                    ORDER BY site_from_ms, node, log, seq
                    """)
            while let row = try evidence.next() { rebuilding.take(try EvidenceRow(row: row)) }
            // Whatever was there before evidence was dropped, its sessions are not whole any more.
            let kept = max(clock - SiteTables.evidenceLife, Timestamp(milliseconds: first ?? 0))
            let since = kept + Self.leadIn
            for statement in try db.rows(
                "SELECT * FROM statement WHERE at_ms >= ? ORDER BY id", [kept.milliseconds],
                as: SiteModel.Statement.init(row:))
            {
                rebuilding.take(statement)
            }
            var result = RebuiltSessions(since: since, same: 0, differences: [])
            for (index, user) in plan.users.enumerated() {
                let stored = try db.rows(
                    """
                    SELECT * FROM attendance_session
                    WHERE user = ? AND void = 0 AND from_ms >= ? ORDER BY from_ms
                    """, [user.id.row, since.milliseconds], as: Session.init(row:)
                ).map(\.essence)
                let rebuilt = rebuilding.sessions(of: index, at: clock)
                    .filter { $0.from >= since }.map(\.essence)
                result.same += stored.filter(rebuilt.contains).count
                let name = "user \(user.id.row)"
                for essence in stored where !rebuilt.contains(essence) {
                    result.differences.append("\(name): stored only: \(essence.text)")
                }
                for essence in rebuilt where !stored.contains(essence) {
                    result.differences.append("\(name): rebuilt only: \(essence.text)")
                }
            }
            return result
        }
    }
}

/// What of a session follows from evidence, statements and corrections alone. Of a corrected one it
/// is the times.
private struct Essence: Equatable {
    var from: Timestamp
    var to: Timestamp?
    var inCause: Session.InCause
    var outCause: Session.OutCause?
    var breaks: [Interval]

    init(
        _ from: Timestamp, _ to: Timestamp?, _ inCause: Session.InCause,
        _ outCause: Session.OutCause?, _ breaks: [Interval]
    ) {
        let isCorrected = inCause == .corrected || outCause == .corrected
        (self.from, self.to) = (from, to)
        self.inCause = isCorrected ? .corrected : inCause
        self.outCause = isCorrected ? .corrected : outCause
        self.breaks = isCorrected ? [] : breaks
    }

    var text: String {
        let end = to.map { "\($0.milliseconds)" } ?? "open"
        return """
            \(from.milliseconds) to \(end), \(inCause.rawValue), \(outCause?.rawValue ?? "open"), \
            \(breaks.count) breaks
            """
    }
}

extension Session {
    fileprivate var essence: Essence {
        Essence(from, to, inCause, outCause, breaks)
    }
}

extension Attended {
    fileprivate var essence: Essence {
        Essence(from, to, inCause, outCause, breaks)
    }
}
