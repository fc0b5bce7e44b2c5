/// Who hears a beacon, strongest first.
public struct BeaconState: Equatable, Sendable, Codable {
    /// What one node hears.
    public struct Hearing: Equatable, Sendable, Codable {
        /// The node.
        public var node: NodeID
        /// The smoothed level.
        public var level: RSSI
        /// How long ago the last advertisement was, at the state's moment.
        public var age: Timestamp.Span

        /// What one node hears.
        public init(node: NodeID, level: RSSI, age: Timestamp.Span) {
            self.node = node
            self.level = level
            self.age = age
        }
    }

    /// Which.
    public var beacon: BeaconID
    /// The moment this was so.
    public var at: Timestamp
    /// The nodes that hear it, strongest first.
    public var hearings: [Hearing]
    /// How often the decided place of whoever carries it changed within the last hour, `nil` if
    /// nobody does.
    public var lastHour: ChangeCounts?

    /// A beacon's state.
    public init(
        beacon: BeaconID, at: Timestamp, hearings: [Hearing], lastHour: ChangeCounts? = nil
    ) {
        self.beacon = beacon
        self.at = at
        self.hearings = hearings
        self.lastHour = lastHour
    }
}
