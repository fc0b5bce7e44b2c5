import SiteModel

/// What approved corrections leave no evidence a say in.
struct Walls {
    /// The stretches, oldest first; they do not overlap.
    let hulls: [Interval]
    /// The sessions stated in them, oldest first; they do not overlap.
    let stated: [Interval]

    init(_ amendments: [Amendment]) {
        var hulls = IntervalSet(joining: .milliseconds(0))
        var stated: [Interval] = []
        for amendment in amendments.sorted(by: { $0.id < $1.id }) {
            for part in [amendment.replaced, amendment.stated].compactMap(\.self)
            where part.length.milliseconds > 0 {
                hulls.insert(part)
                stated = stated.flatMap { $0.without(part) }
            }
            if let session = amendment.stated, session.length.milliseconds > 0 {
                stated.append(session)
            }
        }
        self.hulls = hulls.intervals
        self.stated = stated.sorted { $0.from < $1.from }
    }

    var isEmpty: Bool { hulls.isEmpty }

    func covers(_ moment: Timestamp) -> Bool {
        hulls.contains { $0.from <= moment && moment < $0.to }
    }

    /// What of heard seconds still counts.
    func outside(_ interval: Interval) -> [Interval] {
        hulls.reduce([interval]) { parts, hull in parts.flatMap { $0.without(hull) } }
    }
}
