import SiteModel

/// Which tags come into range of the site and go out of it, of those that somebody wants to be told of.
///
/// A tag is in range from the first time it is heard, and until it was not heard for `patience`; while a node that heard it
/// last does not listen, nobody could know, and it stays. What is in range when the watch begins is no news.
package struct RangeWatch: Sendable {
    /// What came or went.
    package struct Crossing: Equatable, Sendable {
        package var beacon: String
        package var isIn: Bool
        /// When it was first heard, or last.
        package var at: Timestamp
    }

    /// What is heard of a tag.
    package struct Heard: Equatable, Sendable {
        package var beacon: String
        /// By which nodes.
        package var nodes: Set<String>
        /// When last.
        package var at: Timestamp

        package init(beacon: String, nodes: Set<String>, at: Timestamp) {
            self.beacon = beacon
            self.nodes = nodes
            self.at = at
        }
    }

    /// So long a silence is none: levels are told every ten seconds.
    package static let patience = Timestamp.Span.seconds(60)
    /// So long what a node hears is found, and not news: after it, or the watch of a tag, began.
    package static let settling = Timestamp.Span.seconds(30)
    /// After so long nobody waits any more for a node that heard it last.
    package static let oblivion = Timestamp.Span.seconds(86_400)

    private var last: [String: Heard] = [:]
    /// Since when each is watched.
    private var since: [String: Timestamp] = [:]
    /// Since when each node listens.
    private var listeningSince: [String: Timestamp] = [:]
    /// Whether a tag that is not heard yet was in range when that was told last: what happened while nobody watched is
    /// not told, but that it is here again.
    private var known: [String: Bool]

    /// - Parameter known: Which were in range when that was told last.
    package init(known: [String: Bool] = [:]) { self.known = known }

    /// What came and went, of the tags that are watched, by slug.
    ///
    /// - Parameter listening: The nodes that listen.
    package mutating func step(
        _ watched: Set<String>, _ heard: [Heard], listening: Set<String>, at now: Timestamp
    ) -> [Crossing] {
        for beacon in since.keys where !watched.contains(beacon) {
            since[beacon] = nil
            last[beacon] = nil
            known[beacon] = nil
        }
        for beacon in watched where since[beacon] == nil { since[beacon] = now }
        for node in listeningSince.keys where !listening.contains(node) {
            listeningSince[node] = nil
        }
        for node in listening where listeningSince[node] == nil { listeningSince[node] = now }
        var crossings: [Crossing] = []
        for one in heard where watched.contains(one.beacon) && now - one.at < Self.patience {
            if last[one.beacon] == nil {
                let wasIn = known.removeValue(forKey: one.beacon)
                if wasIn == false || wasIn == nil && !isFound(one, at: now) {
                    crossings.append(Crossing(beacon: one.beacon, isIn: true, at: one.at))
                }
            }
            last[one.beacon] = one
        }
        for (beacon, one) in last where now - one.at >= Self.patience {
            guard one.nodes.isSubset(of: listening) || now - one.at >= Self.oblivion else {
                continue
            }
            last[beacon] = nil
            crossings.append(Crossing(beacon: beacon, isIn: false, at: one.at))
        }
        return crossings.sorted { $0.beacon < $1.beacon }
    }

    /// Whether a tag may have been there before anybody could hear it.
    private func isFound(_ one: Heard, at now: Timestamp) -> Bool {
        if now - (since[one.beacon] ?? now) < Self.settling { return true }
        return one.nodes.allSatisfy { now - (listeningSince[$0] ?? now) < Self.settling }
    }
}
