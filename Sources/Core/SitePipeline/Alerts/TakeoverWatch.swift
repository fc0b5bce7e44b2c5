import SiteModel

/// Tells that another client signs in at the broker as the coordinator, by which the broker ends our
/// connection, from a broker or a line that fails: there the next attempt fails, too, or the connection
/// had lasted. mosquitto 2.0 does not tell whom it throws off, so that only this shows it.
struct TakeoverWatch: Sendable {
    /// So many connections that ended soon make another client,
    static let returns = 3
    /// soon after they were made,
    static let brief = Timestamp.Span.seconds(60)
    /// within this time. When the last of them is as long ago, it is over.
    static let memory = Timestamp.Span.seconds(600)

    private var connectedAt: Timestamp?
    /// When a brief connection ended; `nil` if an attempt failed since then.
    private var ended: Timestamp?
    /// The last ends after which the broker took us at once.
    private var ends: [Timestamp] = []
    private var since: Timestamp?

    /// The broker accepted us.
    mutating func connected(at now: Timestamp) {
        connectedAt = now
        guard let ended else { return }
        self.ended = nil
        ends = ends.suffix(Self.returns - 1) + [ended]
        since = began(at: now).map { since ?? $0 }
    }

    /// The connection ended, or an attempt failed.
    mutating func lost(at now: Timestamp) {
        ended = connectedAt.flatMap { now - $0 <= Self.brief ? now : nil }
        connectedAt = nil
    }

    /// The alert, about the coordinator itself.
    func raised(at now: Timestamp) -> [RaisedSiteAlert] {
        guard let since, began(at: now) != nil else { return [] }
        return [RaisedSiteAlert(.duplicateID, since: since)]
    }

    private func began(at now: Timestamp) -> Timestamp? {
        guard ends.count == Self.returns, let first = ends.first, let last = ends.last,
            last - first <= Self.memory, now - last <= Self.memory
        else { return nil }
        return first
    }
}
