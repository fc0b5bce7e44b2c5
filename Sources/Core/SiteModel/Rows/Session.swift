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
    /// Rows of sessions that corrections state begin after this one: no counter of a site reaches it, and
    /// twice as many are still whole numbers to programs that read JSON.
    package static let firstAdded: Int64 = 1 << 52

    /// Evidence beside what was stated is worth a person's attention from so long on: people say
    /// goodbye at the door.
    package static let grace = Timestamp.Span.seconds(300)

    /// Whether its own times tell that they were heard for long outside of what is stated of it now.
    package func isHeard(outside stated: Interval) -> Bool {
        if inCause == .heard, stated.from - from > Self.grace { return true }
        guard let lastHeard else { return false }
        return lastHeard - stated.to > Self.grace
            || (lastHeard <= stated.from && lastHeard - from > Self.grace)
    }

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

/// A session as it follows from a ledger, before it has a row.
package struct Attended: Equatable, Sendable, Codable {
    /// The first heard second, or what was stated.
    package var from: Timestamp
    /// The end of the last heard second, or what was stated; `nil` while it is open.
    package var to: Timestamp?
    /// What its beginning rests on.
    package var inCause: Session.InCause
    /// What its end rests on; `nil` while it is open.
    package var outCause: Session.OutCause?
    /// The end of the last second they were heard in it or right after it; `nil` if never.
    package var lastHeard: Timestamp?
    /// Absences that count as breaks, oldest first.
    package var breaks: [Interval] = []
    /// Why a person should look at it.
    package var review: Set<Review> = []

    package init(
        from: Timestamp, to: Timestamp? = nil, inCause: Session.InCause,
        outCause: Session.OutCause? = nil, lastHeard: Timestamp? = nil, breaks: [Interval] = [],
        review: Set<Review> = []
    ) {
        self.from = from
        self.to = to
        self.inCause = inCause
        self.outCause = outCause
        self.lastHeard = lastHeard
        self.breaks = breaks
        self.review = review
    }
}

extension Attended {
    /// What an approved correction states.
    package init(stated: Interval) {
        self.init(
            from: stated.from, to: stated.to, inCause: .corrected, outCause: .corrected,
            lastHeard: nil)
    }

    /// Writes it with sorted codes: the order of a set differs from run to run.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(from, forKey: .from)
        try values.encodeIfPresent(to, forKey: .to)
        try values.encode(inCause, forKey: .inCause)
        try values.encodeIfPresent(outCause, forKey: .outCause)
        try values.encodeIfPresent(lastHeard, forKey: .lastHeard)
        try values.encode(breaks, forKey: .breaks)
        try values.encode(review.sorted(), forKey: .review)
    }
}

/// What somebody said of a user's attendance, at a kiosk, a page or a terminal: explicitly in or out.
package struct Statement: Equatable, Sendable, Codable {
    /// What was said.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// They are in, from then on.
        case checkIn = "check-in"
        /// They left then.
        case checkOut = "check-out"
    }

    /// Its row.
    package var id: Int64
    /// Whose attendance.
    package var user: UserID
    /// What was said.
    package var kind: Kind
    /// The moment it is about.
    package var at: Timestamp
    /// When it was said.
    package var said: Timestamp
    /// The client that passed it on.
    package var by: String
    /// Why, in a person's words; hostile text.
    package var reason: String?

    package init(
        id: Int64, user: UserID, kind: Kind, at: Timestamp, said: Timestamp, by: String,
        reason: String? = nil
    ) {
        self.id = id
        self.user = user
        self.kind = kind
        self.at = at
        self.said = said
        self.by = by
        self.reason = reason
    }

    /// The order in which statements are looked at.
    package var key: (Timestamp, Int64) { (at, id) }
}

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
    /// Whether the books have the session in `stated`, or one in its place: the machines make what is
    /// missing, also if all that lies there is forgotten. `nil` without `stated`, and in what releases
    /// wrote that did not know of it.
    package var isMade: Bool?

    /// The breaks of the session that stay, within `stated`. `nil` for none, and in what releases wrote that
    /// did not know of it.
    package var breaks: [Interval]?

    /// A correction of a session that has ended, or ends by it.
    package init(
        id: Int64, user: UserID, replaced: Interval?, stated: Interval?, isMade: Bool? = nil,
        breaks: [Interval]? = nil
    ) {
        self.id = id
        self.user = user
        self.replaced = replaced
        self.stated = stated
        self.isMade = isMade
        self.breaks = breaks
    }

    /// A correction of the start of a session that goes on, from `began` to `opens`.
    package init(id: Int64, user: UserID, began: Timestamp, opens: Timestamp) {
        self.id = id
        self.user = user
        replaced = Interval(from: min(began, opens), to: max(began, opens))
        self.opens = opens
    }

    /// The row of the session in `stated` where that is a new one: the same whoever writes it, so that
    /// one written twice is still one.
    package var row: Int64 { Session.firstAdded + id }

    /// When the session that it is about began before, or `nil` if there was none.
    package var began: Timestamp? {
        guard let opens, let replaced else { return replaced?.from }
        return replaced.from == opens ? replaced.to : replaced.from
    }
}

/// Why a person should look at a session before anybody is paid by it. Its times stay what the
/// evidence says; none is invented.
package enum Review: String, Sendable, Codable, CaseIterable, Comparable {
    /// It is longer than anybody stays: a tag left behind, or a check-out forgotten.
    case tooLong = "too-long"
    /// Nobody listened when it began or ended, or for long in between: it may have been longer, or
    /// two.
    case coverageGap = "coverage-gap"
    /// They were heard for longer than what was stated.
    case heardOutside = "heard-outside"
    /// They were unheard, and that was listened to, long before they were said to have left.
    case silentBeforeOut = "silent-before-out"
    /// It was ended before it began by the coordinator's clock, which had been set back.
    case wrongClock = "wrong-clock"
    /// They were heard at another site at the same time.
    case twoSites = "two-sites"
    /// Their beacon was strong at two far places at once.
    case twoPlaces = "two-places"
    /// They moved faster than people do.
    case speed
    /// Their beacon sent more often than it does.
    case rate
    /// Their beacon appeared in the middle of the building.
    case teleport
    /// Something else sends under their beacon's name.
    case fingerprint
    /// They were there and never did anything.
    case inactive

    /// By code.
    package static func < (a: Review, b: Review) -> Bool { a.rawValue < b.rawValue }
}
