/// Knows who listens: which node, which room, and since when; and what time a node means.
///
/// A frame is the proof of listening, so a node whose radio is silent still covers its place, and
/// one whose scan has died does not. A node is down when no frame came for 6 s.
public struct Coverage: Sendable {
    /// Frames this far apart still mean uninterrupted listening, and a node is down after it.
    public static let joining = Timestamp.Span.seconds(6)
    /// A frame older than this on arrival is too late for live decisions.
    public static let latest = Timestamp.Span.seconds(10)
    /// When all frames of a process have been too late for so long, it is not the frames that are
    /// wrong but the offset: our own clock was set, or the node once told an impossible time.
    static let patience = Timestamp.Span.seconds(30)

    private struct Watch {
        let node: Node
        var clock: NodeClock?
        var heardAt: Timestamp?
        /// Frames that kept coming, all too late: since when, until when, their least difference.
        var late: (since: Timestamp, newest: Timestamp, least: Timestamp.Span)?
    }

    private var watches: [Watch]
    /// Rooms where beacons are fixed.
    private let anchored: Set<RoomID>
    /// When each room was listened to, and each mobile node listened (`Node.ear`), sorted; those
    /// without a frame so far are missing.
    public private(set) var rooms: [RoomTime]

    /// Watches the nodes of a plan, from where the stored row left off.
    public init(plan: Plan, saved: SiteRow) {
        watches = plan.nodes.map { node in
            Watch(node: node, clock: saved.clocks.first { $0.node == node.id }, heardAt: nil)
        }
        anchored = Set(plan.beacons.compactMap { $0.anchor?.room })
        rooms = saved.coverage
    }

    /// A frame arrived. Returns its time in our own clock, or `nil` if it is of no use any more
    /// or comes from a node that is not in the plan.
    public mutating func heard(_ frame: Frame, from node: NodeID, at now: Timestamp) -> Timestamp? {
        guard let index = index(of: node) else { return nil }
        let difference = now - frame.at
        var offset = difference
        if let clock = watches[index].clock, clock.boot == frame.boot {
            // The quickest delivery tells the offset best. Creeping up 1 ms a frame follows
            // a drift of up to 1,000 ppm; crystals stay below 100.
            offset = min(difference, clock.offset + .milliseconds(1))
        }
        if difference > offset + Self.latest {
            // A backlog after a gap is no such run: it arrives at once.
            var late = watches[index].late ?? (now, now, difference)
            if now - late.newest > Self.joining { late = (now, now, difference) }
            late = (late.since, now, min(late.least, difference))
            watches[index].late = late
            guard now - late.since >= Self.patience, difference <= late.least + Self.latest
            else { return nil }
            offset = late.least
        }
        let at = frame.at + offset
        watches[index].late = nil
        watches[index].clock = NodeClock(node: node, boot: frame.boot, offset: offset)
        watches[index].heardAt = max(watches[index].heardAt ?? at, at)
        let second = Timestamp(second: (at - .milliseconds(1)).second)
        rooms.add(
            Interval(from: second, to: second + .seconds(1)), to: watches[index].node.ear,
            joining: Self.joining)
        return at
    }

    /// A node's process went away: it listens no longer.
    public mutating func lost(_ node: NodeID) {
        guard let index = index(of: node) else { return }
        watches[index].heardAt = nil
    }

    /// Whether the node at `index` of the plan listens at `now`.
    public func isListening(_ index: Int, at now: Timestamp) -> Bool {
        watches[index].heardAt.map { now - $0 <= Self.joining } ?? false
    }

    /// Whether anybody could be heard in the room at `now`: a node that hangs there listens, or
    /// beacons are fixed there and any mobile node listens.
    public func isListening(in room: RoomID, at now: Timestamp) -> Bool {
        let isAnchored = anchored.contains(room)
        return watches.indices.contains {
            let node = watches[$0].node
            return (node.isMobile ? isAnchored : node.room == room) && isListening($0, at: now)
        }
    }

    /// The number of nodes that listen at `now`.
    public func listeners(at now: Timestamp) -> Int {
        watches.indices.reduce(0) { $0 + (isListening($1, at: now) ? 1 : 0) }
    }

    /// The clocks known so far, sorted by node.
    public var clocks: [NodeClock] { watches.compactMap(\.clock) }

    /// Forgets what is too old to decide anything.
    public mutating func forget(before moment: Timestamp) {
        for index in rooms.indices { rooms[index].seconds.forget(before: moment) }
    }

    private func index(of node: NodeID) -> Int? {
        watches.firstIndex { $0.node.id == node }
    }
}

extension [RoomTime] {
    /// Adds an interval to the seconds of `room`, keeping the list sorted.
    /// Returns whether anything changed.
    @discardableResult
    mutating func add(_ interval: Interval, to room: RoomID, joining: Timestamp.Span) -> Bool {
        for index in indices {
            if self[index].room == room { return self[index].seconds.insert(interval) }
            if self[index].room > room {
                insert(
                    RoomTime(room: room, seconds: IntervalSet([interval], joining: joining)),
                    at: index)
                return true
            }
        }
        append(RoomTime(room: room, seconds: IntervalSet([interval], joining: joining)))
        return true
    }
}
