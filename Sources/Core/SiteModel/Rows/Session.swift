/// An interval a user counted as attending the site. `to` is `nil` while it is open.
package struct Session: Equatable, Sendable, Codable {
    /// What a beginning rests on.
    package enum InCause: String, Sendable, Codable, CaseIterable {
        /// They were heard.
        case heard
        /// Somebody said so.
        case manual
        /// A correction was approved.
        case corrected
    }

    /// What an end rests on.
    package enum OutCause: String, Sendable, Codable, CaseIterable {
        /// They were heard until then.
        case lastHeard = "last-heard"
        /// Somebody said so.
        case manual
        /// A correction was approved.
        case corrected
        /// They were heard until then, and next at another site.
        case superseded
    }

    /// Its row.
    package var id: Int64
    /// Whose.
    package var user: UserID
    /// The first heard second, or what was stated.
    package var from: Timestamp
    /// The end of the last heard second, or what was stated; `nil` while open.
    package var to: Timestamp?
    /// Withdrawn: later evidence or a correction showed that there was no such session.
    package var isVoid: Bool
    /// What its beginning rests on.
    package var inCause: InCause
    /// What its end rests on; `nil` while it is open.
    package var outCause: OutCause?
    /// The end of the last second they were heard in or right after it; `nil` while it is open, and
    /// if they were never heard.
    package var lastHeard: Timestamp?
    /// Absences that count as breaks, oldest first.
    package var breaks: [Interval]
    /// Why a person should look at it, sorted; empty if there is nothing to look at.
    package var review: [Review]
    /// From 1; grows with each change.
    package var revision: Int64

    /// A session. What an end rests on is the last heard second where nothing else is said.
    package init(
        id: Int64, user: UserID, from: Timestamp, to: Timestamp?, isVoid: Bool = false,
        inCause: InCause = .heard, outCause: OutCause? = nil, lastHeard: Timestamp? = nil,
        breaks: [Interval] = [], review: [Review] = [], revision: Int64 = 1
    ) {
        self.id = id
        self.user = user
        self.from = from
        self.to = to
        self.isVoid = isVoid
        self.inCause = inCause
        self.outCause = outCause ?? (to == nil ? nil : .lastHeard)
        self.lastHeard = lastHeard ?? (self.outCause == .lastHeard ? to : nil)
        self.breaks = breaks
        self.review = review
        self.revision = revision
    }
}

extension Session {
    /// Whether it shares a moment with the stretch from `from` to `to`, or touches it.
    package func overlaps(_ from: Timestamp, _ to: Timestamp?) -> Bool {
        (to.map { self.from <= $0 } ?? true) && (self.to.map { from <= $0 } ?? true)
    }

    /// Whether it shares more than a moment with a computed one, or begins with it.
    package func shares(_ other: Attended) -> Bool {
        from == other.from
            || ((other.to.map { from < $0 } ?? true) && (to.map { other.from < $0 } ?? true))
    }

    /// The session cut to what it shares with a stretch that it overlaps, or `nil` if that is all
    /// of it.
    package func common(with from: Timestamp, _ to: Timestamp?) -> Session? {
        var rest = self
        rest.from = max(self.from, from)
        rest.to = [self.to, to].compactMap(\.self).min()
        return rest == self ? nil : rest
    }

    /// The session as `attended` says it was.
    package func becoming(_ attended: Attended) -> Session {
        var new = self
        new.from = attended.from
        new.to = attended.to
        new.inCause = attended.inCause
        new.outCause = attended.outCause
        new.lastHeard = attended.to == nil ? nil : attended.lastHeard
        new.breaks = attended.breaks
        new.review = attended.review.sorted()
        return new
    }
}
