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
