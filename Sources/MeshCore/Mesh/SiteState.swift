/// Counts of the whole site.
public struct SiteState: Equatable, Sendable, Codable {
    /// People in open sessions.
    public var present: Int
    /// Nodes that listen.
    public var nodesListening: Int
    /// Open workouts.
    public var workouts: Int
    /// Since when these counts hold.
    public var since: Timestamp

    /// A site's counts.
    public init(present: Int, nodesListening: Int, workouts: Int, since: Timestamp) {
        self.present = present
        self.nodesListening = nodesListening
        self.workouts = workouts
        self.since = since
    }
}
