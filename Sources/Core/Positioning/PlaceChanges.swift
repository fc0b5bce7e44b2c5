import SiteModel

/// How often a decided place changed within the last hour.
package struct ChangeCounts: Hashable, Sendable, Codable {
    /// Changes from one place to another. Silence in between is no place.
    package var changes: Int
    /// Those of them that went back, within a minute, to the place before: the place flapped.
    package var flaps: Int

    package init(changes: Int = 0, flaps: Int = 0) {
        self.changes = changes
        self.flaps = flaps
    }
}

/// Counts how often the decided place of each user changes: what a locator that cannot make up its
/// mind gives itself away by. Nothing is decided by it and nothing of it is stored.
package struct PlaceChanges: Equatable, Sendable {
    /// A change back within this time is a flap.
    static let flap = Timestamp.Span.seconds(60)
    /// The hour moves on by whole minutes, so that a user takes no more room however often they change.
    package static let window: Int64 = 60

    fileprivate struct Track: Equatable {
        var user: UserID
        var place: Place?
        var before: Place?
        var changed = Timestamp(milliseconds: 0)
        /// The minutes with changes, oldest first, at most `window` of them.
        var minutes: [(minute: Int64, counts: ChangeCounts)] = []

        static func == (a: Track, b: Track) -> Bool {
            (a.user, a.place, a.before, a.changed) == (b.user, b.place, b.before, b.changed)
                && a.minutes.elementsEqual(b.minutes) { $0 == $1 }
        }
    }

    /// Of all users since this began to count.
    package private(set) var total = ChangeCounts()
    /// By index of the plan's users.
    private var tracks: [Track]

    /// Counters of a plan's users. Those whom `old` knows keep theirs.
    package init(plan: Plan, keeping old: PlaceChanges? = nil) {
        total = old?.total ?? ChangeCounts()
        let known = old?.tracks ?? []
        let places = RowIndex(known.map(\.user))
        tracks = plan.users.map { user in
            places[user.id].map { known[$0] } ?? Track(user: user.id)
        }
    }

    /// The decided place of the user at an index in the second that ended at `now`, `nil` if nobody
    /// hears them.
    package mutating func saw(user: Int, at place: Place?, _ now: Timestamp) {
        guard let place, place != tracks[user].place else { return }
        defer {
            tracks[user].before = tracks[user].place
            tracks[user].place = place
            tracks[user].changed = now
        }
        guard tracks[user].place != nil else { return }
        let isFlap = tracks[user].before == place && now - tracks[user].changed <= Self.flap
        let one = ChangeCounts(changes: 1, flaps: isFlap ? 1 : 0)
        total.add(one)
        tracks[user].count(one, at: now)
    }

    /// What the user at an index did in the last 60 minutes.
    package func lastHour(of user: Int, at now: Timestamp) -> ChangeCounts {
        var sum = ChangeCounts()
        for (minute, counts) in tracks[user].minutes where minute > now.minute - Self.window {
            sum.add(counts)
        }
        return sum
    }
}

extension PlaceChanges.Track {
    fileprivate mutating func count(_ one: ChangeCounts, at now: Timestamp) {
        minutes.removeAll { $0.minute <= now.minute - PlaceChanges.window }
        if minutes.last?.minute == now.minute {
            minutes[minutes.count - 1].counts.add(one)
        } else {
            minutes.append((now.minute, one))
        }
    }
}

extension ChangeCounts {
    fileprivate mutating func add(_ other: ChangeCounts) {
        changes += other.changes
        flaps += other.flaps
    }
}

extension Timestamp {
    fileprivate var minute: Int64 { second / 60 }
}
