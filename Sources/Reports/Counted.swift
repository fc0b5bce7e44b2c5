import MeshCore

/// A session, or the part of one that counts for a shift.
struct Counted {
    /// The session it is of.
    var session: Session
    /// From when it counts.
    var from: Timestamp
    /// To when; of an open session up to now.
    var to: Timestamp
    /// Whether it goes on: they are in.
    var isOpen: Bool

    /// All of a session. An open one counts up to `now`.
    init(_ session: Session, at now: Timestamp) {
        self.session = session
        from = session.from
        to = session.to ?? max(session.from, now)
        isOpen = session.to == nil
    }

    /// The part of it inside an interval, which may be empty.
    func part(from: Timestamp, to: Timestamp) -> Counted {
        var part = self
        part.from = min(max(self.from, from), self.to)
        part.to = max(part.from, min(self.to, to))
        part.isOpen = isOpen && part.to == self.to
        return part
    }

    /// Time that was recorded as a break, inside.
    var breaks: Timestamp.Span { length(of: session.breaks) }

    /// Time there without breaks.
    var present: Timestamp.Span {
        .milliseconds((to - from).milliseconds - breaks.milliseconds)
    }

    private func length(of intervals: [Interval]) -> Timestamp.Span {
        .milliseconds(
            intervals.reduce(0) { sum, pause in
                sum + max(0, (min(pause.to, to) - max(pause.from, from)).milliseconds)
            })
    }
}
