/// By how much the clocks of a zone are ahead of UTC, and since when.
package struct TimeZoneTable: Equatable, Sendable, Codable {
    /// A change of the clocks.
    package struct Transition: Equatable, Sendable, Codable {
        /// From this moment on…
        package var at: Timestamp
        /// …local time is UTC plus this; negative west of Greenwich.
        package var offset: Timestamp.Span

        package init(at: Timestamp, offset: Timestamp.Span) {
            self.at = at
            self.offset = offset
        }
    }

    /// Its IANA name, for example `Europe/Berlin`.
    package var name: String
    /// The offset before the first transition.
    package var first: Timestamp.Span
    /// The changes, oldest first.
    package var transitions: [Transition]

    /// A zone. Offsets are less than a day either way, as all that ever were.
    package init(name: String, first: Timestamp.Span, transitions: [Transition]) {
        let day = 86_400_000
        precondition(
            ([first] + transitions.map(\.offset)).allSatisfy {
                abs($0.milliseconds) < day
            }, "an offset of a day or more")
        precondition(
            zip(transitions, transitions.dropFirst()).allSatisfy { $0.at < $1.at },
            "transitions out of order")
        self.name = name
        self.first = first
        self.transitions = transitions
    }

    /// Coordinated universal time, all the year.
    package static let utc = TimeZoneTable(name: "UTC", first: .milliseconds(0), transitions: [])

    /// By how much local time is ahead of UTC at a moment.
    package func offset(at moment: Timestamp) -> Timestamp.Span {
        let index = transitions.count { $0.at <= moment }
        return index == 0 ? first : transitions[index - 1].offset
    }
}
