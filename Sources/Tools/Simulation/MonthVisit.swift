import SiteModel

/// Somebody's time at one of the two sites of a simulated month, in whole seconds.
package struct MonthVisit: Equatable, Sendable {
    /// A room, from a moment on.
    package struct Step: Equatable, Sendable {
        /// The first second there.
        package var since: Int64
        /// The room, an index.
        package var room: Int

        package init(since: Int64, room: Int) {
            self.since = since
            self.room = room
        }
    }

    /// Who, an index.
    package var person: Int
    /// Where: 0 the gym, 1 the workshop.
    package var site: Int
    /// From the first second inside to the first one outside.
    package var interval: Interval
    /// The rooms they are in, in order; the first step is the arrival.
    package var steps: [Step]
    /// When something stands between the tag and every node, in order.
    package var shadows: [Interval]
    /// They have no tag with them, and say when they come and go.
    package var isTagless = false
    /// They say that they leave, at the door.
    package var checksOut = false

    /// The room somebody is in, of a second of the visit.
    package func room(at second: Int64) -> Int {
        (steps.last { $0.since <= second } ?? steps[0]).room
    }

    /// Whether the tag is in a shadow.
    func isShadowed(at second: Int64) -> Bool {
        let moment = Timestamp(second: second)
        return shadows.contains { $0.from <= moment && moment < $0.to }
    }
}

/// What somebody says at the door, by themselves.
package struct MonthStatement: Equatable, Sendable {
    /// Who, an index.
    package var person: Int
    /// Where, an index.
    package var site: Int
    /// In or out.
    package var kind: Statement.Kind
    package var at: Timestamp
    /// Whether there is a tag that tells it, too.
    package var isTagged: Bool
}
