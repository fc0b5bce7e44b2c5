import SiteModel

/// The intervals that approved corrections fixed: evidence decides nothing within them.
struct Walls {
    /// The stretches, oldest first; they do not overlap.
    let hulls: [Interval]
    /// The sessions stated in them, oldest first; they do not overlap.
    let stated: [Interval]
    /// What stays a break within what is stated, oldest first.
    private let breaks: [Interval]
    /// When sessions that go on begin, oldest first: at an end of a hull or within.
    private let opens: [Timestamp]
    /// When the sessions began that corrections replaced.
    private let began: [Timestamp]

    /// What corrections moved to another time: from the first to the last moment of both.
    private let moves: [Interval]
    /// What corrections replaced, whole: what was said in it belonged to that.
    private let replaced: [Interval]

    init(_ amendments: [Amendment]) {
        var hulls: [Interval] = []
        var stated: [Interval] = []
        var breaks: [Interval] = []
        var opened: [Amendment] = []
        for amendment in amendments.sorted(by: { $0.id < $1.id })
        where amendment.opens == nil || amendment.opens != amendment.began {
            // The same session, by the start that it had before an earlier correction or has by it.
            opened.removeAll { $0.began == amendment.began || $0.opens == amendment.began }
            for part in [amendment.replaced, amendment.stated].compactMap(\.self)
            where part.length.milliseconds > 0 {
                hulls = hulls.flatMap { $0.without(part) }
                stated = stated.flatMap { $0.without(part) }
                breaks = breaks.flatMap { $0.without(part) }
                opened.removeAll { other in
                    other.opens.map { part.from <= $0 && $0 < part.to } ?? false
                }
            }
            hulls += amendment.overruled
            breaks += amendment.breaks ?? []
            if amendment.opens != nil { opened.append(amendment) }
            if let session = amendment.stated, session.length.milliseconds > 0 {
                stated.append(session)
            }
        }
        self.hulls = IntervalSet(hulls, joining: .milliseconds(0)).intervals
        self.stated = stated.sorted { $0.from < $1.from }
        self.breaks = breaks.sorted { $0.from < $1.from }
        opens = opened.compactMap(\.opens).sorted()
        began = amendments.compactMap(\.began)
        replaced = amendments.compactMap(\.replaced)
        moves = amendments.filter(\.isMoved).compactMap { amendment in
            guard let old = amendment.replaced, let new = amendment.stated else { return nil }
            return Interval(from: min(old.from, new.from), to: max(old.to, new.to))
        }
    }

    /// When a session begins in a hull that goes on after it, or `nil` if none does: what is stated
    /// later in the same stretch holds.
    func opening(in hull: Interval) -> Timestamp? {
        let last = stated.last { hull.common(with: $0) != nil }
        return opens.last { start in
            hull.from <= start && start <= hull.to && last.map { $0.to <= start } ?? true
        }
    }

    /// The session that is stated in a stretch.
    func session(_ stated: Interval) -> Attended {
        var session = Attended(stated: stated)
        session.breaks = breaks.compactMap { $0.common(with: stated) }
        return session
    }

    /// Whether a hull begins with a session that was replaced, so that what was heard shortly before
    /// would belong to that; else a session may end there that nobody corrected.
    func replaces(from hull: Interval) -> Bool { began.contains(hull.from) }

    /// Whether a statement has no say: a check-out at the start of a hull is of a session before it, and
    /// a check-in within a replaced session was part of that.
    func covers(_ statement: Statement) -> Bool {
        switch statement.kind {
        case .checkIn:
            Self.covers(statement.at, hulls)
                || Self.covers(statement.at, replaced.filter { statement.said <= $0.to })
        case .checkOut:
            Self.covers(statement.at, hulls) && !hulls.contains { $0.from == statement.at }
        }
    }

    /// Whether what was heard before a moment is forgotten in parts of what a correction states, so that it
    /// could not be told any more what was heard beside it.
    func splits(at moment: Timestamp) -> Bool {
        hulls.contains { hull in
            guard hull.from < moment, moment < hull.to else { return false }
            return moment < hull.from + Ledger.joining
                || stated.contains { hull.common(with: $0) != nil }
        } || moves.contains { $0.from < moment && moment < $0.to }
    }

    var isEmpty: Bool { hulls.isEmpty }

    private static func covers(_ moment: Timestamp, _ parts: [Interval]) -> Bool {
        parts.contains { $0.from <= moment && moment < $0.to }
    }

    /// What of heard seconds still counts.
    func outside(_ interval: Interval) -> [Interval] {
        hulls.reduce([interval]) { parts, hull in parts.flatMap { $0.without(hull) } }
    }
}

extension Amendment {
    /// Whether it states the session at another time altogether.
    var isMoved: Bool {
        guard let replaced, let stated else { return false }
        return replaced.common(with: stated) == nil
    }

    /// The stretches in which nothing that was heard counts: what is stated, and what it replaces up to the
    /// end that is stated. What was heard in a replaced session after that end runs on beside the stated
    /// one, or is a session of its own if they had been away in between; where nothing is stated within
    /// what was replaced, nothing of that holds.
    var overruled: [Interval] {
        guard let replaced, let stated, !isMoved else {
            return [replaced, stated].compactMap(\.self)
        }
        return [Interval(from: min(replaced.from, stated.from), to: stated.to)]
    }
}

extension [Amendment] {
    /// Whether a correction took the place of all that was decided of a session.
    func replace(_ session: Session) -> Bool {
        contains { amendment in
            guard amendment.opens == nil else { return false }
            return amendment.overruled.contains { part in
                part.from <= session.from && (session.to.map { $0 <= part.to } ?? true)
            }
        }
    }

    /// The stored session that a correction states at another time altogether, as `span` does.
    func session(movedTo span: Attended, among sessions: [Session]) -> Session? {
        guard let to = span.to else { return nil }
        let moved = last { $0.isMoved && $0.stated == Interval(from: span.from, to: to) }
        return sessions.first { $0.from == moved?.began }
    }
}
