import SiteModel

/// Tracks which nodes and rooms are listening, and since when, and the offset of each node's clock.
///
/// A frame is the proof of listening, so a node whose radio is silent still covers its place, and
/// one whose scan has died does not. A node is down when no frame came for 6 s. Evidence says the
/// same afterwards, to the very second.
package struct Coverage: Sendable {
    /// A frame older than this on arrival is too late for live decisions.
    package static let latest = Timestamp.Span.seconds(10)
    /// The most processes of a node whose clocks are remembered.
    package static let mostClocks = 8
    /// When all frames of a process were too late for this long, the offset is wrong and not the
    /// frames: our own clock was set, or the node once sent an impossible time.
    package static let patience = Timestamp.Span.seconds(30)
    /// The same for a node of which no frame was in time yet: after a start it is likely that our own clock is
    /// another one than before.
    package static let startPatience = Timestamp.Span.seconds(5)
    /// So long evidence waits until the offset is known.
    package static let longestWait = Timestamp.Span.seconds(60)
    /// From a start that stood still for longer than this, or began earlier than what is stored, nobody knows
    /// whether our own clock is the one that is stored.
    package static let pause = Timestamp.Span.seconds(15)
    /// A node's offset that differs by this much after a start is another clock of ours, and no slow message.
    package static let clockChange = Timestamp.Span.seconds(60)

    private struct Watch {
        let node: Node
        /// The newest process last.
        var clocks: [NodeClock]
        var heardAt: Timestamp?
        /// Since when it has listened without a pause.
        var since: Timestamp?
        /// Messages that kept coming, all too late: since when, until when, their least difference,
        /// and the node's second of the first.
        var late: (since: Timestamp, newest: Timestamp, least: Timestamp.Span, second: Int64)?
        /// Since a start: the node's first second that was not placed before it. `nil` as soon as a message says
        /// what the newest process's clock is worth to our present one.
        var resumes: Int64?
    }

    /// When a second of a node's listening was, in our own time.
    package struct Moment: Equatable, Sendable {
        /// Its end, as exactly as is known.
        package var at: Timestamp
        /// The whole second it counts as: the same one in a frame and in evidence.
        package var second: Timestamp
    }

    private var watches: [Watch]
    private let nodes: RowIndex<Node>
    /// Rooms where beacons are fixed.
    private let anchored: Set<RoomID>
    /// When each room was listened to, and each mobile node listened (`Node.ear`), sorted; those
    /// without a frame so far are missing.
    package private(set) var rooms: [RoomTime]
    /// The first second in which anybody ever listened, kept when coverage is forgotten.
    package private(set) var began: Timestamp?
    /// Whether something became known afterwards since `takeRevision`.
    private var isRevised = false
    /// When the machines started from `stored`, unless that was at once.
    private var resumed: (at: Timestamp, stored: Timestamp)?
    /// A stretch of our time that was none by a node's clock: ours was set ahead over a start. Until it is taken.
    private var jump: Interval?

    /// Watches the nodes of a plan, from where the stored row left off.
    package init(plan: Plan, saved: SiteRow) {
        nodes = RowIndex(plan.nodes.map(\.id))
        watches = plan.nodes.map { node in
            Watch(node: node, clocks: saved.clocks.filter { $0.node == node.id }, heardAt: nil)
        }
        anchored = Set(plan.beacons.compactMap { $0.anchor?.room })
        rooms = saved.coverage
        let oldest = saved.coverage.compactMap { $0.seconds.intervals.first?.from }.min()
        began = [saved.listeningSince, oldest].compactMap(\.self).min()
    }

    /// The machines start at `now` from a row that was stored at `stored`. After a pause our clock may be another
    /// one, so that what the nodes' clocks are worth has to be confirmed by a message of each.
    package mutating func resume(from stored: Timestamp, at now: Timestamp) {
        guard now < stored || now - stored > Self.pause else { return }
        resumed = (now, stored)
        for index in watches.indices {
            watches[index].resumes = watches[index].clocks.last.map { clock in
                (clock.heard - clock.offset).second + 1
            }
        }
    }

    /// Goes on with what was heard under another plan of the nodes that are the same in both.
    mutating func keep(_ old: Coverage) {
        for index in watches.indices {
            guard let place = old.nodes[watches[index].node.id],
                old.watches[place].node == watches[index].node
            else { continue }
            watches[index] = old.watches[place]
        }
        (rooms, began, isRevised, resumed) = (old.rooms, old.began, old.isRevised, old.resumed)
    }

    /// A frame arrived. Returns when its second was, or `nil` if it is of no use any more or comes
    /// from a node that is not in the plan.
    package mutating func heard(_ frame: Frame, from node: NodeID, at now: Timestamp) -> Moment? {
        let told = (frame.at - .milliseconds(1)).second
        guard let index = index(of: node),
            let clock = learn(frame.boot, told: frame.at, of: index, at: now)
        else { return nil }
        let moment = Moment(at: frame.at + clock.offset, second: clock.place(second: told))
        if watches[index].heardAt.map({ moment.at - $0 > Frame.joining }) ?? true {
            watches[index].since = moment.second
        }
        watches[index].heardAt = max(watches[index].heardAt ?? moment.at, moment.at)
        add(
            Interval(from: moment.second, to: moment.second + .seconds(1)),
            to: watches[index].node.ear)
        return moment
    }

    /// A sign of life arrived: it tells the clock, but not that anybody listened.
    package mutating func beat(
        boot: UInt64, at told: Timestamp, from node: NodeID, at now: Timestamp
    ) {
        guard let index = index(of: node) else { return }
        _ = learn(boot, told: told, of: index, at: now)
    }

    /// A node listened, under its `ear`; known afterwards. That may be news about any time: also where
    /// it follows on what is known of the room.
    package mutating func listened(_ interval: Interval, in room: RoomID) {
        if add(interval, to: room) { isRevised = true }
    }

    /// Returns whether that was news.
    @discardableResult
    private mutating func add(_ interval: Interval, to room: RoomID) -> Bool {
        began = min(began ?? interval.from, interval.from)
        return rooms.add(interval, to: room, joining: Frame.joining)
    }

    /// Whether something became known afterwards of what was listened to, since the last call.
    package mutating func takeRevision() -> Bool {
        defer { isRevised = false }
        return isRevised
    }

    /// A node's process went away: it listens no longer.
    package mutating func lost(_ node: NodeID) {
        guard let index = index(of: node) else { return }
        watches[index].heardAt = nil
    }

    /// Whether the node at `index` of the plan listens at `now`.
    package func isListening(_ index: Int, at now: Timestamp) -> Bool {
        watches[index].heardAt.map { now - $0 <= Frame.joining } ?? false
    }

    /// Whether anybody could be heard in the room at `now`: a node that hangs there listens, or
    /// beacons are fixed there and any mobile node listens.
    package func isListening(in room: RoomID, at now: Timestamp) -> Bool {
        let isAnchored = anchored.contains(room)
        return watches.indices.contains {
            let node = watches[$0].node
            return (node.isMobile ? isAnchored : node.room == room) && isListening($0, at: now)
        }
    }

    /// Since when anybody has listened in the room without a pause, as far as is known.
    package func listeningSince(in room: RoomID) -> Timestamp? {
        watches.compactMap { $0.node.ear == room ? $0.since : nil }.min()
    }

    /// The number of nodes that listen at `now`.
    package func listeners(at now: Timestamp) -> Int {
        watches.indices.reduce(0) { $0 + (isListening($1, at: now) ? 1 : 0) }
    }

    /// The clock of a process of a node, or `nil` if nothing was heard of it while it ran.
    package func clock(of node: NodeID, boot: UInt64) -> NodeClock? {
        index(of: node).flatMap { index in watches[index].clocks.first { $0.boot == boot } }
    }

    /// Whether the clock of the process that a node has now may be worth something else within seconds: all its
    /// messages come too late, or none came since a start. Evidence of it waits, or it would be placed by two
    /// clocks; but not what was heard before the stored moment, and none longer than a minute.
    package func isUndecided(
        _ node: NodeID, boot: UInt64, until end: Timestamp? = nil, at now: Timestamp
    ) -> Bool {
        guard let index = index(of: node), watches[index].clocks.last?.boot == boot
        else { return false }
        if let resumed, watches[index].resumes != nil, now - resumed.at <= Self.longestWait,
            end.map({ $0 > resumed.stored }) ?? true
        {
            return true
        }
        guard let late = watches[index].late else { return false }
        return now - late.newest <= Frame.joining && now - late.since <= Self.longestWait
    }

    /// Whether the clock of the process a node has now was heard lately.
    package func isHeard(_ node: NodeID, at now: Timestamp) -> Bool {
        guard let index = index(of: node), let clock = watches[index].clocks.last else {
            return false
        }
        return now - clock.heard <= Self.latest
    }

    /// The clocks known so far, sorted by node, a node's newest process last.
    package var clocks: [NodeClock] { watches.flatMap(\.clocks) }

    /// Forgets what is too old to decide anything; of the clocks, each node's newest stays.
    package mutating func forget(before moment: Timestamp) {
        for index in rooms.indices { rooms[index].seconds.forget(before: moment) }
        for index in watches.indices {
            let newest = watches[index].clocks.last?.boot
            watches[index].clocks.removeAll { $0.heard < moment && $0.boot != newest }
        }
    }

    /// Learns from a time stamp what a process's clock is worth. `nil` if it came too late, or says
    /// alone that the process is far ahead of what it said before.
    private mutating func learn(
        _ boot: UInt64, told: Timestamp, of index: Int, at now: Timestamp
    ) -> NodeClock? {
        let difference = now - told
        let message = NodeClock.Witness(told: told, difference: difference, at: now)
        guard let old = watches[index].clocks.firstIndex(where: { $0.boot == boot }) else {
            let clock = NodeClock(node: watches[index].node.id, boot: boot, first: message)
            watches[index].late = nil
            watches[index].resumes = nil
            watches[index].clocks.append(clock)
            watches[index].clocks.removeFirst(max(0, watches[index].clocks.count - Self.mostClocks))
            return clock
        }
        var clock = watches[index].clocks[old]
        var isBelieved = true
        // All that nobody has placed yet is placed by the same clock.
        let isOther =
            abs(difference.milliseconds - clock.offset.milliseconds)
            >= Self.clockChange.milliseconds
        let resumes = isOther ? watches[index].resumes : nil
        if difference > clock.offset + .milliseconds(1) + Self.latest {
            // A backlog after a gap is no such run: it arrives at once.
            var late = watches[index].late ?? (now, now, difference, message.second)
            if now - late.newest > Frame.joining { late = (now, now, difference, message.second) }
            late = (late.since, now, min(late.least, difference), late.second)
            watches[index].late = late
            let patience =
                watches[index].heardAt == nil ? Self.startPatience : Self.patience
            guard now - late.since >= patience, difference <= late.least + Self.latest
            else { return nil }
            clock.learn(
                late.least, from: message.second, since: min(late.second, resumes ?? late.second),
                at: now)
        } else {
            isBelieved = clock.learn(message, resuming: resumes)
        }
        watches[index].late = nil
        if isBelieved {
            if let resumes {
                let before = watches[index].clocks[old].place(second: resumes)
                let after = clock.place(second: resumes)
                if before < after {
                    // It listened all along, and there was nothing to hear.
                    jump = Interval(from: before, to: after)
                    listened(Interval(from: before, to: after), in: watches[index].node.ear)
                }
            }
            watches[index].resumes = nil
        }
        watches[index].clocks.remove(at: old)
        watches[index].clocks.append(clock)
        return isBelieved ? clock : nil
    }

    /// Such a stretch, once.
    package mutating func takeJump() -> Interval? { jump.take() }

    private func index(of node: NodeID) -> Int? { nodes[node] }
}

/// Who would be heard where at one moment, if they were there: what tells silence from not knowing.
///
/// A user who carries a beacon is heard by the fixed nodes of a room. A user who carries a node is
/// heard by that node, in rooms with fixed beacons, as long as it listens. Either one covers a user
/// who has both; a user whose only node is silent is covered nowhere, so that their silence means
/// nothing.
package struct CoverageMap: Sendable {
    private let fixedRooms: Set<RoomID>
    private let anchoredRooms: Set<RoomID>
    private let ownNodes: [(isListening: Bool, isTagged: Bool)?]

    init(plan: Plan, carriers: BindingIndex, coverage: Coverage, at now: Timestamp) {
        var fixed: Set<RoomID> = []
        for index in plan.nodes.indices
        where !plan.nodes[index].isMobile && coverage.isListening(index, at: now) {
            fixed.insert(plan.nodes[index].room)
        }
        fixedRooms = fixed
        anchoredRooms = Set(plan.beacons.compactMap { $0.anchor?.room })
        guard plan.nodes.contains(where: \.isMobile) else {
            ownNodes = plan.users.map { _ in nil }
            return
        }
        ownNodes = plan.users.indices.map { user in
            let nodes = carriers.nodes(of: user)
            guard !nodes.isEmpty else { return nil }
            return (
                nodes.contains { coverage.isListening($0, at: now) },
                !carriers.beacons(of: user, at: now).isEmpty
            )
        }
    }

    /// Whether the user at index `user` would be heard in a room.
    func covers(_ room: RoomID, for user: Int) -> Bool {
        guard let own = ownNodes[user] else { return fixedRooms.contains(room) }
        return own.isListening && anchoredRooms.contains(room)
            || own.isTagged && fixedRooms.contains(room)
    }

    /// Whether the user at index `user` would be heard anywhere.
    func coversAnything(for user: Int) -> Bool {
        guard let own = ownNodes[user] else { return !fixedRooms.isEmpty }
        return own.isListening || own.isTagged && !fixedRooms.isEmpty
    }
}
