import SiteModel

/// The state of a site that belongs to nobody in particular.
package struct SiteRow: Equatable, Sendable, Codable {
    /// The moment of the newest input whose facts are stored.
    package var clock: Timestamp
    /// The next unused row number of sessions, stays, workouts, claims and events.
    package var next: Int64
    /// When each room was listened to, sorted by room.
    package var coverage: [RoomTime]
    /// How far the clocks of each node's last processes are off, sorted by node, a node's newest
    /// last.
    package var clocks: [NodeClock]
    /// Grows when this state is another one than the nodes have seen: restored from a backup, or
    /// taken over. From 1.
    package var epoch: Int64
    /// Through when each node has told what it heard, without a gap, sorted by node. Only nodes that
    /// ever told.
    package var watermarks: [Watermark]
    /// Before this moment no evidence changes anything any more.
    package var watermark: Timestamp
    /// The first second in which anybody ever listened at the site, as far as it is known by now;
    /// `nil` before.
    package var listeningSince: Timestamp?

    package init(
        clock: Timestamp, next: Int64, coverage: [RoomTime], clocks: [NodeClock], epoch: Int64 = 1,
        watermarks: [Watermark] = [], watermark: Timestamp = Timestamp(milliseconds: 0),
        listeningSince: Timestamp? = nil
    ) {
        self.clock = clock
        self.next = next
        self.coverage = coverage
        self.clocks = clocks
        self.epoch = epoch
        self.watermarks = watermarks
        self.watermark = watermark
        self.listeningSince = listeningSince
    }
}
