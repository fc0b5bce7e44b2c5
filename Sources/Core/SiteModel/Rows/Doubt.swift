/// Something about a user's beacon that does not happen to honest people.
package struct Doubt: Hashable, Sendable, Codable {
    /// Whose beacon.
    package var user: UserID
    /// When it showed.
    package var at: Timestamp
    /// What showed.
    package var kind: Review
    /// The nodes that show it, sorted.
    package var nodes: [NodeID]

    package init(user: UserID, at: Timestamp, kind: Review, nodes: [NodeID]) {
        self.user = user
        self.at = at
        self.kind = kind
        self.nodes = nodes
    }
}

/// Evidence that came too late to change a session by itself: somebody must decide.
package struct Dispute: Hashable, Sendable, Codable {
    /// Why it changes nothing by itself.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// It is older than what may still change.
        case late
        /// The day is locked.
        case locked
        /// Nobody can say exactly when it was.
        case uncertain
    }

    /// Whose attendance.
    package var user: UserID
    /// Why it changes nothing by itself.
    package var kind: Kind
    /// The session that would have changed, or `nil`.
    package var session: Int64?
    /// What the session would be; of uncertain evidence the bounds of when it can have been. No length
    /// where a session would be withdrawn.
    package var interval: Interval
    /// How long they were heard; 0 if nothing says so.
    package var heard: Timestamp.Span

    package init(
        user: UserID, kind: Kind, session: Int64?, interval: Interval, heard: Timestamp.Span
    ) {
        self.user = user
        self.kind = kind
        self.session = session
        self.interval = interval
        self.heard = heard
    }
}

/// A session of a user at another site, as that site tells it.
package struct Elsewhere: Hashable, Sendable, Codable {
    /// Which site: a number made from its slug.
    package var site: Int
    /// Since when.
    package var from: Timestamp
    /// Until when, or `nil` while it is open.
    package var to: Timestamp?

    package init(site: Int, from: Timestamp, to: Timestamp?) {
        self.site = site
        self.from = from
        self.to = to
    }

    package var key: Key { Key(site: site, from: from) }

    /// A site tells a session again when it changes.
    package struct Key: Comparable {
        package let site: Int
        package let from: Timestamp

        package init(site: Int, from: Timestamp) {
            self.site = site
            self.from = from
        }

        package static func < (a: Key, b: Key) -> Bool { (a.from, a.site) < (b.from, b.site) }
    }
}
