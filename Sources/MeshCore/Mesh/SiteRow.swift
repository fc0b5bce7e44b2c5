/// The state of a site that belongs to nobody in particular.
public struct SiteRow: Equatable, Sendable, Codable {
    /// The moment of the newest input whose facts are stored.
    public var clock: Timestamp
    /// The next unused row number of sessions, stays, workouts, claims and events.
    public var next: Int64
    /// When each room was listened to, sorted by room.
    public var coverage: [RoomTime]
    /// How far the clock of each node's process is off, sorted by node.
    public var clocks: [NodeClock]

    /// A site's row.
    public init(clock: Timestamp, next: Int64, coverage: [RoomTime], clocks: [NodeClock]) {
        self.clock = clock
        self.next = next
        self.coverage = coverage
        self.clocks = clocks
    }
}
