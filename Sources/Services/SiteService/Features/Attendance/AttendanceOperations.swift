import Operations
import Platform
import Records
import Reporting
import SiteModel
import SiteStore

// Corrections and locks, and the nodes that are waited for. The machines take in what is decided before it is answered.

extension Operation {
    static let attendance = [
        Operation(
            "correction-list", "/api/v1/attendance/corrections", .attendanceRead,
            about: .member("user"), "Corrections, the newest first, at most 500.",
            .of(CorrectionQuery.self), answer: .list(), refusals: [.notFound]
        ) { asked, _, store in
            let user = try asked.user.map { slug in
                guard let user = try Books(store).userID(slug) else {
                    throw BooksRefusal(.notFound, "there is no such user")
                }
                return user
            }
            return try Corrections(store).all(in: asked.state, of: user)
        },
        Operation(
            .correct, about: .found, .of(CorrectionWish.self), answer: .row,
            owner: { try ownSession($0, $1, $2) }
        ) { wish, caller, store in
            let row = try caller.decide(.request(try wish.what(), reason: wish.reason), in: store)
            guard case .correction(let row) = row else { throw strange }
            return CorrectionTold(row, to: caller)
        },
        Operation(.decide, .of(Decision.self), answer: .row) { decision, caller, store in
            let (id, reason) = (decision.correction, decision.reason)
            let row = try caller.decide(
                decision.approves ? .approve(id, reason: reason) : .refuse(id, reason: reason),
                in: store)
            guard case .correction(let row) = row else { throw strange }
            return CorrectionTold(row, to: caller)
        },
        Operation(.lock, .of(NewLock.self), answer: .row) { wish, caller, store in
            let date = "\(wish.through)"
            guard let boundary = try end(of: date, store, at: caller.moment) else {
                throw BooksRefusal(.badRequest, "through: a date, 2026-03-31")
            }
            let lock = try caller.decide(
                .lock(
                    through: date, boundary: boundary, reason: wish.reason, force: wish.force,
                    unlocks: wish.unlocks), in: store)
            guard case .lock(let row) = lock else { throw strange }
            return row
        },
        Operation(
            "waiting-list", "/api/v1/attendance/waiting", .attendanceRead,
            "How much each node has told, and whether that is waited for.", .of(Nothing.self),
            answer: .list()
        ) { _, _, store in
            try Excuses(store).told()
        },
        Operation(
            "waiting-excuse", .post, "/api/v1/attendance/waiting/{node}/excuse", .decide,
            "Has nobody wait any longer for what a node has not told.", .of(NewExcuse.self),
            answer: .row, refusals: Verb.decisions
        ) { excuse, caller, store in
            let done = try caller.decide(
                .excuse(node: excuse.node, reason: excuse.reason), in: store)
            guard case .excuse(let row) = done else { throw strange }
            return row
        },
        Operation(
            "waiting-resume", .delete, "/api/v1/attendance/waiting/{node}/excuse", .decide,
            "Has it waited for again.", .of(ExcusedNode.self), answer: .row,
            refusals: Verb.decisions
        ) { excused, caller, store in
            let done = try caller.decide(.endExcuse(node: excused.node), in: store)
            guard case .excuse(let row) = done else { throw strange }
            return row
        },
    ]
}

extension Caller {
    fileprivate func decide(_ call: BooksCall, in store: Store) throws -> BooksOutcome {
        try Books(store).perform(call, by: name, via: via, at: moment).get()
    }
}

private let strange = StoreError.other(code: 0, message: "what was decided is something else")

/// Lets whoever may ask about themselves only name no session of another person; nor one there is not, so that nobody
/// learns which there are.
private func ownSession(
    _ wish: CorrectionWish, _ own: String?, _ store: Store
) throws -> String? {
    guard let own else { return nil }
    let owner: String? =
        switch try wish.what() {
        case .add(let user, _, _): user
        case .times(let id, _, _, _), .remove(let id, _), .reviewed(let id, _):
            try Books(store).owner(of: id)
        }
    guard owner == own else {
        throw BooksRefusal(.forbidden, "You may ask about your own sessions only")
    }
    return owner
}

/// The first moment after a day of the site.
private func end(of date: String, _ store: Store, at now: Timestamp) throws -> Timestamp? {
    do {
        return try StatedMoment(site: store, at: now).end(of: date)
    } catch let error as ZoneError {
        throw BooksRefusal(.unavailable, "\(error)")
    }
}
