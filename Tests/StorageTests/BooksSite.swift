import GRDB

@testable import Records
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore

/// A site with a session of Ann's in the past that the machines no longer hold, one that they do,
/// and an open one of Bob's.
struct BooksSite {
    /// A month after the tests' time begins.
    static let now = at(30 * 86_400)

    let scratch: Scratch
    let store: Store

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
        let old = Session(id: 1, user: ann, from: at(3600), to: at(7200))
        let recent = Session(
            id: 2, user: ann, from: Self.now - .seconds(7200), to: Self.now - .seconds(3600),
            review: [.tooLong])
        let open = Session(id: 3, user: bob, from: Self.now - .seconds(1800), to: nil)
        try store.commit([
            .session(old), .session(recent), .session(open),
            .site(
                SiteRow(
                    clock: Self.now, next: 4, coverage: [], clocks: [],
                    watermarks: [1, 2].map {
                        Watermark(node: NodeID($0), through: Self.now - .seconds(60))
                    }, watermark: Self.now - .seconds(60))),
        ])
    }

    /// What the machines know of the one who was in a session: they were heard but for its breaks, and it is forgotten
    /// what lies 36 hours back. A session that is neither would be withdrawn.
    func hear(_ session: Session) throws {
        let whole = Interval(from: session.from, to: session.to ?? Self.now)
        let parts = session.breaks.reduce([whole]) { parts, pause in
            parts.flatMap { $0.without(pause) }
        }
        let horizon = Self.now - .seconds(36 * 3600)
        let isForgotten = whole.to <= horizon
        let listened = IntervalSet(
            [Interval(from: whole.from - .seconds(3600), to: Self.now)], joining: Frame.joining)
        try store.commit([
            .ledger(
                LedgerRow(
                    user: session.user,
                    heard: isForgotten
                        ? []
                        : [
                            RoomTime(
                                room: hall, seconds: IntervalSet(parts, joining: Ledger.joining))
                        ],
                    checkpoint: LedgerCheckpoint(
                        at: isForgotten ? horizon : whole.from - .seconds(1800)))),
            .site(
                SiteRow(
                    clock: Self.now, next: 4,
                    coverage: [RoomTime(room: hall, seconds: listened)], clocks: [],
                    listeningSince: whole.from - .seconds(3600))),
        ])
    }

    /// Asks for something and returns what was done, or the code of the refusal.
    func ask(
        _ call: BooksCall, by actor: String = "mia", at now: Timestamp = now
    ) throws -> BooksOutcome {
        try Books(store).perform(call, by: actor, via: .cli, at: now).get()
    }

    /// Asks for a change with a reason and returns the correction.
    func request(_ change: SessionChange, at now: Timestamp = now) throws -> CorrectionRow {
        guard case .correction(let row) = try ask(.request(change, reason: "forgot"), at: now)
        else { throw BooksRefusal(.unavailable, "no correction") }
        return row
    }

    /// Asks for a change and approves it.
    @discardableResult
    func correct(_ change: SessionChange, at now: Timestamp = now) throws -> CorrectionRow {
        let id = try request(change, at: now).id
        guard case .correction(let row) = try ask(.approve(id, reason: "seen"), at: now) else {
            throw BooksRefusal(.unavailable, "no correction")
        }
        return row
    }

    /// The code a call is refused with, or `nil` if it is not.
    func code(_ call: BooksCall, at now: Timestamp = now) throws -> String? {
        switch try Books(store).perform(call, by: "mia", via: .cli, at: now) {
        case .success: nil
        case .failure(let refusal): refusal.code.rawValue
        }
    }

    /// Every stored row that a call may change.
    func rows() throws -> [String] {
        try [
            "attendance_session", "correction", "period_lock", "session_review", "audit_log",
            "audit_value", "revision", "site", "node_excuse",
            "overrides",
        ].flatMap { try store.texts("SELECT * FROM \($0)") }
    }
}
