/// An interval a user counted as attending the site. `to` is `nil` while it is open.
public struct Session: Equatable, Sendable, Codable {
    /// Its row.
    public var id: Int64
    /// Whose.
    public var user: UserID
    /// The first heard second.
    public var from: Timestamp
    /// The end of the last heard second, or `nil` while open.
    public var to: Timestamp?
    /// Withdrawn: later evidence showed that there was no such session.
    public var isVoid: Bool

    /// A session.
    public init(id: Int64, user: UserID, from: Timestamp, to: Timestamp?, isVoid: Bool = false) {
        self.id = id
        self.user = user
        self.from = from
        self.to = to
        self.isVoid = isVoid
    }
}

extension Session {
    /// Whether it shares a moment with the stretch from `from` to `to`, or touches it.
    func overlaps(_ from: Timestamp, _ to: Timestamp?) -> Bool {
        (to.map { self.from <= $0 } ?? true) && (self.to.map { from <= $0 } ?? true)
    }

    /// The session cut to what it shares with a stretch that it overlaps, or `nil` if that is all
    /// of it.
    func common(with from: Timestamp, _ to: Timestamp?) -> Session? {
        var rest = self
        rest.from = max(self.from, from)
        rest.to = [self.to, to].compactMap(\.self).min()
        return rest == self ? nil : rest
    }
}
