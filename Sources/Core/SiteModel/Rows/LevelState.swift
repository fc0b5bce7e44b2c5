/// Where one presence machine stands. Each case carries only what is true in it.
package enum LevelState<Place: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    /// Nothing is known yet.
    case unknown
    /// Not at any place of this level.
    case notPresent
    /// Evidence for a place, not yet long enough.
    case entering(Place, since: Timestamp, heard: Timestamp, quiet: Int)
    /// At a place. `quiet` is the listened silence since it was last heard there, in seconds;
    /// `rival` is another place that has begun to win.
    case present(Place, since: Timestamp, heard: Timestamp, quiet: Int, rival: Rival<Place>?)
    /// At a place, but silent.
    case leaving(Place, since: Timestamp, heard: Timestamp, quiet: Int)
}

/// A place that has begun to win over the present one.
package struct Rival<Place: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    package var place: Place
    /// The first evidence for it.
    package var since: Timestamp

    package init(place: Place, since: Timestamp) {
        self.place = place
        self.since = since
    }
}
