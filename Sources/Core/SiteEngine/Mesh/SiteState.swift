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
    /// The first second in which anybody ever listened at the site; `nil` before.
    public var listeningSince: Timestamp?

    /// A site's counts.
    public init(
        present: Int, nodesListening: Int, workouts: Int, since: Timestamp,
        listeningSince: Timestamp? = nil
    ) {
        self.present = present
        self.nodesListening = nodesListening
        self.workouts = workouts
        self.since = since
        self.listeningSince = listeningSince
    }
}
