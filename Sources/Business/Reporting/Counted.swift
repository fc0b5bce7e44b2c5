import SiteModel

/// A session, or the part of one that counts for a shift.
struct Counted {
    var session: Session
    var from: Timestamp
    /// To when; of an open session as far as it is known that they are there.
    var to: Timestamp
    /// Of an open session, how long nobody has known since.
    var unknown: Timestamp.Span
    /// Whether it goes on: they are in.
    var isOpen: Bool

    /// All of a session. `knownThrough`: see `PersonRecord`.
    init(_ session: Session, knownThrough: Timestamp?, _ context: ReportContext) {
        self.session = session
        from = session.from
        to = context.end(of: session, knownThrough: knownThrough)
        isOpen = session.to == nil
        unknown = isOpen ? max(.milliseconds(0), context.now - to) : .milliseconds(0)
    }

    /// The part of it inside an interval, which may be empty.
    func part(from: Timestamp, to: Timestamp) -> Counted {
        var part = self
        part.from = min(max(self.from, from), self.to)
        part.to = max(part.from, min(self.to, to))
        part.isOpen = isOpen && part.to == self.to
        if !part.isOpen { part.unknown = .milliseconds(0) }
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
