import Scheduling
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

    /// Two refusals of facts of one user within this time mean that starting from what is stored did not
    /// help, as it does where a counter is behind.
    private static let suspicion = Timestamp.Span.seconds(60)

    /// When a fact of a user was refused last.
    private var refused: [UserID: Timestamp] = [:]
    /// What people decided, whole, as it was given last.
    private var decided: Overrides?

    package init() {}

    /// The database refused a fact of a user. Once again, and what it follows from is left out: the
    /// corrections of theirs that nothing was stored of before, else the user. Returns whether there was
    /// anything that could be left out.
    mutating func refuse(
        _ user: UserID, new corrections: [Int64], at now: Timestamp
    ) -> Bool {
        guard !paused.contains(user) else { return false }
        let last = refused.updateValue(now, forKey: user)
        guard let last, now - last < Self.suspicion else { return true }
        if corrections.isEmpty {
            paused = (paused + [user]).sorted()
        } else {
            self.corrections = (self.corrections + corrections).sorted()
        }
        if !users.contains(user) { users = (users + [user]).sorted() }
        return true
    }

    /// People decided something. What is left out is tried again if it was about its user, or if it changes
    /// nothing: then somebody asked for just that. Returns the users of whom all is tried again.
    mutating func decide(_ new: Overrides) -> [UserID] {
        defer { decided = new }
        guard let old = decided, new.revision > old.revision else { return [] }
        var same = new
        same.revision = old.revision
        let released = users.filter { user in
            same == old
                || new.amendments.filter { $0.user == user }
                    != old.amendments.filter { $0.user == user }
        }
        users.removeAll { released.contains($0) }
        paused.removeAll { released.contains($0) }
        for amendment in old.amendments where released.contains(amendment.user) {
            corrections.removeAll { $0 == amendment.id }
        }
        return released
    }
}
