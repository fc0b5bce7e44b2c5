/// What the clock of one process of a node is worth, learned from when its messages arrive.
public struct NodeClock: Equatable, Sendable, Codable {
    /// From a whole second of the node on, how many whole seconds ours is ahead.
    public struct Shift: Equatable, Sendable, Codable {
        /// The second by the node's clock, counted from the Unix epoch.
        public var since: Int64
        /// What to add, in seconds.
        public var seconds: Int64

        /// A shift.
        public init(since: Int64, seconds: Int64) {
            self.since = since
            self.seconds = seconds
        }
    }

    /// The shift stays while the offset is no farther from it than this, in milliseconds. More than
    /// half a second, so that an offset near a half does not sway between two.
    static let patience: Int64 = 600
    /// A crystal off by 100 ppm shifts every three hours: so many cover 36 h.
    static let mostShifts = 16

    /// The node.
    public var node: NodeID
    /// Its process.
    public var boot: UInt64
    /// What to add to its times: the smallest difference of arrival and time stamp seen lately.
    public private(set) var offset: Timestamp.Span
    /// The same in whole seconds, oldest first and never empty; the first one counts for all that
    /// was before it, too. A second that was placed once is placed there for ever, whether it comes
    /// in a frame at once or in evidence a day later.
    public private(set) var shifts: [Shift]
    /// When the node was last heard, by our own clock.
    public private(set) var heard: Timestamp

    private enum CodingKeys: String, CodingKey {
        case node
        case boot
        case offset
        case shifts
        case heard
    }

    /// A clock first heard at `heard`. Small offsets count as none.
    public init(node: NodeID, boot: UInt64, offset: Timestamp.Span, heard: Timestamp) {
        self.node = node
        self.boot = boot
        self.offset = offset
        self.heard = heard
        shifts = [Shift(since: 0, seconds: Self.seconds(nearest: offset, before: 0))]
    }

    /// Takes in a new offset, learned at `now` from a message about the node's whole second
    /// `second`; if that changes the shift, from `since` on where given.
    mutating func learn(
        _ new: Timestamp.Span, from second: Int64, since: Int64? = nil, at now: Timestamp
    ) {
        offset = new
        heard = max(heard, now)
        guard let last = shifts.last else { return }
        let seconds = Self.seconds(nearest: new, before: last.seconds)
        guard seconds != last.seconds else { return }
        // The message's own second has perhaps been placed; a jump is another matter.
        let isStep = abs(seconds - last.seconds) > 1
        let start = since ?? (isStep ? second : second + 1)
        let first = shifts[0]
        shifts.removeAll { $0.since >= start }
        if shifts.isEmpty { shifts = [Shift(since: min(first.since, start), seconds: seconds)] }
        if shifts.last?.seconds != seconds { shifts.append(Shift(since: start, seconds: seconds)) }
        shifts.removeFirst(max(0, shifts.count - Self.mostShifts))
    }

    /// The start, in our time, of a whole second of the node's.
    public func place(second: Int64) -> Timestamp {
        let shift = shifts.last { $0.since <= second } ?? shifts.first
        return Timestamp(second: second + (shift?.seconds ?? 0))
    }

    private static func seconds(nearest offset: Timestamp.Span, before: Int64) -> Int64 {
        if abs(offset.milliseconds - before * 1000) <= patience { return before }
        let half: Int64 = offset.milliseconds < 0 ? -500 : 500
        return (offset.milliseconds + half) / 1000
    }
}

extension NodeClock {
    /// Reads a clock; one stored before there were shifts has that of its offset.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            node: try values.decode(NodeID.self, forKey: .node),
            boot: try values.decode(UInt64.self, forKey: .boot),
            offset: try values.decode(Timestamp.Span.self, forKey: .offset),
            heard: try values.decodeIfPresent(Timestamp.self, forKey: .heard)
                ?? Timestamp(milliseconds: 0))
        if let stored = try values.decodeIfPresent([Shift].self, forKey: .shifts), !stored.isEmpty {
            shifts = stored
        }
    }
}
