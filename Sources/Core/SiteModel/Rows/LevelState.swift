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

    /// As the compiler would write it; written out because what it derives is not specialised in other
    /// targets, and every user's two machines are compared each second.
    @inlinable package static func == (a: LevelState, b: LevelState) -> Bool {
        switch a {
        case .unknown:
            if case .unknown = b { true } else { false }
        case .notPresent:
            if case .notPresent = b { true } else { false }
        case .entering(let place, let since, let heard, let quiet):
            if case .entering(place, since, heard, quiet) = b { true } else { false }
        case .present(let place, let since, let heard, let quiet, let rival):
            if case .present(place, since, heard, quiet, rival) = b { true } else { false }
        case .leaving(let place, let since, let heard, let quiet):
            if case .leaving(place, since, heard, quiet) = b { true } else { false }
        }
    }
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

    @inlinable package static func == (a: Rival, b: Rival) -> Bool {
        a.place == b.place && a.since == b.since
    }
}
