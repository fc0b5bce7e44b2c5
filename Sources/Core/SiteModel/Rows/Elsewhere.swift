/// A session of a user at another site, as that site tells it.
public struct Elsewhere: Hashable, Sendable, Codable {
    /// Which site: a number made from its slug.
    public var site: Int
    /// Since when.
    public var from: Timestamp
    /// Until when, or `nil` while it is open.
    public var to: Timestamp?

    /// A session elsewhere.
    public init(site: Int, from: Timestamp, to: Timestamp?) {
        self.site = site
        self.from = from
        self.to = to
    }

    var key: Key { Key(site: site, from: from) }

    /// A site tells a session again when it changes.
    struct Key: Comparable {
        let site: Int
        let from: Timestamp

        static func < (a: Key, b: Key) -> Bool { (a.from, a.site) < (b.from, b.site) }
    }
}
