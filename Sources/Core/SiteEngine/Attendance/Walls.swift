import SiteModel

/// What approved corrections leave no evidence a say in.
struct Walls {
    /// The stretches, oldest first; they do not overlap.
    let hulls: [Interval]
    /// The sessions stated in them, oldest first; they do not overlap.
    let stated: [Interval]
    /// When sessions that go on begin, oldest first: at an end of a hull or within.
    private let opens: [Timestamp]
    /// When the sessions began that corrections replaced.
    private let began: [Timestamp]

    init(_ amendments: [Amendment]) {
        var hulls = IntervalSet(joining: .milliseconds(0))
        var stated: [Interval] = []
        var opened: [Amendment] = []
        for amendment in amendments.sorted(by: { $0.id < $1.id })
        where amendment.opens == nil || amendment.opens != amendment.began {
            // The same session, by the start that it had before an earlier correction or has by it.
            opened.removeAll { $0.began == amendment.began || $0.opens == amendment.began }
            for part in [amendment.replaced, amendment.stated].compactMap(\.self)
            where part.length.milliseconds > 0 {
                hulls.insert(part)
                stated = stated.flatMap { $0.without(part) }
                opened.removeAll { other in
                    other.opens.map { part.from <= $0 && $0 < part.to } ?? false
                }
            }
            if amendment.opens != nil { opened.append(amendment) }
            if let session = amendment.stated, session.length.milliseconds > 0 {
                stated.append(session)
            }
        }
        self.hulls = hulls.intervals
        self.stated = stated.sorted { $0.from < $1.from }
        opens = opened.compactMap(\.opens).sorted()
        began = amendments.compactMap(\.began)
    }

    /// When a session begins in a hull that goes on after it, or `nil` if none does: what is stated
    /// later in the same stretch holds.
    func opening(in hull: Interval) -> Timestamp? {
        let last = stated.last { hull.common(with: $0) != nil }
        return opens.last { start in
            hull.from <= start && start <= hull.to && last.map { $0.to <= start } ?? true
        }
    }

    /// Whether a hull begins with a session that was replaced, so that what was heard shortly before
    /// would belong to that; else a session may end there that nobody corrected.
    func replaces(from hull: Interval) -> Bool { began.contains(hull.from) }

    /// Whether a statement has no say: a check-out at the start of a hull is of a session before it.
    func covers(_ statement: Statement) -> Bool {
        covers(statement.at)
            && !(statement.kind == .checkOut && hulls.contains { $0.from == statement.at })
    }

    var isEmpty: Bool { hulls.isEmpty }

    private func covers(_ moment: Timestamp) -> Bool {
        hulls.contains { $0.from <= moment && moment < $0.to }
    }

    /// What of heard seconds still counts.
    func outside(_ interval: Interval) -> [Interval] {
        hulls.reduce([interval]) { parts, hull in parts.flatMap { $0.without(hull) } }
    }
}
