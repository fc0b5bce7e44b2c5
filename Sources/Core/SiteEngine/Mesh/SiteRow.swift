/// The state of a site that belongs to nobody in particular.
public struct SiteRow: Equatable, Sendable, Codable {
    /// The moment of the newest input whose facts are stored.
    public var clock: Timestamp
    /// The next unused row number of sessions, stays, workouts, claims and events.
    public var next: Int64
    /// When each room was listened to, sorted by room.
    public var coverage: [RoomTime]
    /// How far the clocks of each node's last processes are off, sorted by node, a node's newest
    /// last.
    public var clocks: [NodeClock]
    /// Grows when this state is another one than the nodes have seen: restored from a backup, or
    /// taken over. From 1.
    public var epoch: Int64
    /// Through when each node has told what it heard, without a gap, sorted by node. Only nodes that
    /// ever told.
    public var watermarks: [Watermark]
    /// Before this moment no evidence changes anything any more.
    public var watermark: Timestamp
    /// The first second in which anybody ever listened at the site, as far as it is known by now;
    /// `nil` before.
    public var listeningSince: Timestamp?

    /// A site's row.
    public init(
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
