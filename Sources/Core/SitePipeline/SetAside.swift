import SiteEngine
import SiteModel

/// What the machines leave out, because the database refused for good what they made of it: everybody
/// else's attendance goes on.
///
/// It is not stored: a start tries all of it again, because a newer release may be able to.
package struct SetAside: Equatable, Sendable {
    /// Approved corrections that are not applied, by row, sorted.
    package private(set) var corrections: [Int64] = []
    /// The users they are about, and those of whom nothing is decided, sorted.
    package private(set) var users: [UserID] = []
    /// The users of whom nothing is decided any more: no presence, no session; sorted.
    package private(set) var paused: [UserID] = []

    package init() {}

    /// Whether nothing is left out.
    package var isEmpty: Bool { users.isEmpty }

    /// Leaves out what a refused fact follows from: the corrections of its user that nothing was stored
    /// of before, else the user.
    package mutating func add(user: UserID, new corrections: [Int64]) {
        if !corrections.isEmpty {
            self.corrections = (self.corrections + corrections).sorted()
        } else if !paused.contains(user) {
            paused = (paused + [user]).sorted()
        }
        if !users.contains(user) { users = (users + [user]).sorted() }
    }

    /// People decided something about a user since: all of it is tried again.
    package mutating func release(_ user: UserID, corrections mine: [Int64]) {
        users.removeAll { $0 == user }
        paused.removeAll { $0 == user }
        corrections.removeAll { mine.contains($0) }
    }
}

extension Fact {
    /// Whose it is; `nil` if it is nobody's.
    package var user: UserID? {
        switch self {
        case .ledger(let row): row.user
        case .statement(let statement): statement.user
        case .dispute(let dispute): dispute.user
        case .presence(let row): row.user
        case .session(let session): session.user
        case .stay(let stay): stay.user
        case .workout(let workout): workout.user
        case .claim(let claim): claim.user
        case .event(let event): event.user
        case .answer(let answer): answer.request.verb.user
        case .reasons(let reasons): reasons.user
        case .notification(let row): row.user
        case .site, .evidence, .nodeEvent, .cursor, .offset, .overrides: nil
        }
    }
}
