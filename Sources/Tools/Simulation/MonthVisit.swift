import MeshCore

/// Somebody's time at one of the two sites of a simulated month, in whole seconds.
public struct MonthVisit: Equatable, Sendable {
    /// A room, from a moment on.
    public struct Step: Equatable, Sendable {
        /// The first second there.
        public var since: Int64
        /// The room, an index.
        public var room: Int
    }

    /// Who, an index.
    public var person: Int
    /// Where: 0 the gym, 1 the workshop.
    public var site: Int
    /// From the first second inside to the first one outside.
    public var interval: Interval
    /// The rooms they are in, in order; the first step is the arrival.
    public var steps: [Step]
    /// When something stands between the tag and every node, in order.
    public var shadows: [Interval]
    /// They have no tag with them, and say when they come and go.
    public var isTagless = false
    /// They say that they leave, at the door.
    public var checksOut = false

    /// The room somebody is in, of a second of the visit.
    func room(at second: Int64) -> Int {
        (steps.last { $0.since <= second } ?? steps[0]).room
    }

    /// Whether the tag is in a shadow.
    func isShadowed(at second: Int64) -> Bool {
        let moment = Timestamp(second: second)
        return shadows.contains { $0.from <= moment && moment < $0.to }
    }
}

/// What somebody says at the door, by themselves.
public struct MonthStatement: Equatable, Sendable {
    /// Who, an index.
    public var person: Int
    /// Where, an index.
    public var site: Int
    /// In or out.
    public var kind: Statement.Kind
    /// When.
    public var at: Timestamp
    /// Whether there is a tag that tells it, too.
    public var isTagged: Bool
}
