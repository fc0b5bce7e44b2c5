import SiteModel

/// Counts of the whole site.
package struct SiteState: Equatable, Sendable, Codable {
    /// People in open sessions.
    package var present: Int
    package var nodesListening: Int
    /// Open workouts.
    package var workouts: Int
    /// Since when these counts hold.
    package var since: Timestamp
    /// The first second in which anybody ever listened at the site; `nil` before.
    package var listeningSince: Timestamp?

    package init(
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
