/// An approved correction: nothing that was decided about `replaced` holds, and `stated` is a
/// session, or `opens` begins one. Either may be missing, not all.
package struct Amendment: Hashable, Sendable, Codable {
    /// The row of the correction; of two about the same time the later one holds.
    package var id: Int64
    /// Whose attendance.
    package var user: UserID
    /// The session as it was, or `nil` if there was none. With `opens`: what lies between the start
    /// as it was and the start as it is to be.
    package var replaced: Interval?
    /// The session as it is to be, or `nil` if there was none in truth, or if it goes on.
    package var stated: Interval?
    /// When a session that goes on began in truth: one of the ends of `replaced`. It ends as any
    /// other. `nil` in what releases wrote that did not know of it.
    package var opens: Timestamp?

    /// A correction of a session that has ended, or ends by it.
    package init(id: Int64, user: UserID, replaced: Interval?, stated: Interval?) {
        self.id = id
        self.user = user
        self.replaced = replaced
        self.stated = stated
    }

    /// A correction of the start of a session that goes on, from `began` to `opens`.
    package init(id: Int64, user: UserID, began: Timestamp, opens: Timestamp) {
        self.id = id
        self.user = user
        replaced = Interval(from: min(began, opens), to: max(began, opens))
        self.opens = opens
    }

    /// When the session that it is about began before, or `nil` if there was none.
    package var began: Timestamp? {
        guard let opens, let replaced else { return replaced?.from }
        return replaced.from == opens ? replaced.to : replaced.from
    }
}
