/// When one user was heard, and the sessions that follow from it.
///
/// `sessions` is a function of the sets alone: any order, duplication or delay of the same
/// seconds gives the same sessions.
public struct Ledger: Equatable, Sendable {
    /// A beacon unheard for up to this long was there all the same.
    public static let joining = Timestamp.Span.seconds(10)

    /// The seconds each room heard the user, sorted by room.
    public private(set) var heard: [RoomTime]

    /// A stored ledger, or an empty one.
    public init(heard: [RoomTime] = []) { self.heard = heard }

    /// A node of `room` heard the user in the whole second that starts at `second`.
    /// Returns whether that was news.
    public mutating func add(second: Timestamp, room: RoomID) -> Bool {
        add(Interval(from: second, to: second + .seconds(1)), room: room)
    }

    /// A node of `room` heard the user in all seconds of an interval, but for silences up to
    /// `joining`. Returns whether that was news.
    public mutating func add(_ interval: Interval, room: RoomID) -> Bool {
        heard.add(interval, to: room, joining: Self.joining)
    }

    /// The end of the last heard second, or `nil`.
    public var lastHeard: Timestamp? { heard.compactMap { $0.seconds.last?.to }.max() }

    /// Forgets what lies before `moment`.
    public mutating func forget(before moment: Timestamp) {
        for index in heard.indices { heard[index].seconds.forget(before: moment) }
        heard.removeAll { $0.seconds.intervals.isEmpty }
    }

    /// The sessions, oldest first; only the last can be open (`to` is `nil`).
    ///
    /// Two heard intervals belong to one session unless the silence between them was *listened
    /// to* for `timing.leave` by a room that had heard the user last; but whoever was unheard for the
    /// whole horizon was away, even if nobody listened. A session must have been heard over at
    /// least `timing.enter`.
    public func sessions(
        coverage: [RoomTime], timing: Policy.Timing, now: Timestamp
    ) -> [(from: Timestamp, to: Timestamp?)] {
        var result: [(from: Timestamp, to: Timestamp?)] = []
        var group: Interval?
        for interval in union.intervals {
            if let open = group {
                let gap = Interval(from: open.to, to: max(interval.from, open.to))
                if isAbsence(gap, coverage: coverage, timing: timing) {
                    if open.length >= timing.enter { result.append((open.from, open.to)) }
                    group = interval
                } else {
                    group = Interval(from: open.from, to: max(open.to, interval.to))
                }
            } else {
                group = interval
            }
        }
        guard let group, group.length >= timing.enter else { return result }
        let rest = Interval(from: group.to, to: max(group.to, now))
        let isOver = isAbsence(rest, coverage: coverage, timing: timing)
        result.append((group.from, isOver ? group.to : nil))
        return result
    }

    private func isAbsence(
        _ gap: Interval, coverage: [RoomTime], timing: Policy.Timing
    ) -> Bool {
        gap.length >= Saved.horizon || silence(in: gap, coverage: coverage) >= timing.leave
    }

    /// How long the rooms that heard the user just before `gap` listened in it: the best of them.
    public func silence(in gap: Interval, coverage: [RoomTime]) -> Timestamp.Span {
        var longest = Timestamp.Span.milliseconds(0)
        let window = Interval(from: gap.from - Self.joining, to: gap.from)
        for room in heard where room.seconds.covered(in: window).milliseconds > 0 {
            guard let listened = coverage.first(where: { $0.room == room.room }) else { continue }
            longest = max(longest, listened.seconds.covered(in: gap))
        }
        return longest
    }

    private var union: IntervalSet {
        var all = IntervalSet(joining: Self.joining)
        // Inserted in order of time, so that each insertion is at the end.
        for interval in heard.flatMap(\.seconds.intervals).sorted(by: { $0.from < $1.from }) {
            all.insert(interval)
        }
        return all
    }
}
