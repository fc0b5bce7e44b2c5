import SiteModel

/// What the nodes of a site heard of one beacon of late, and what is usual of it.
struct Trail: Sendable {
    /// What one node heard.
    struct Ear: Sendable {
        var seconds = HeardSeconds()
        var rate = SendingRate()
    }

    /// By node; empty until the beacon is first heard.
    var ears: [Ear] = []
    /// Who carries it, by index.
    var user = -1
    /// The newest second in which any node heard it.
    var newest: Int64 = 0
    /// Whether it is looked at each second.
    var isActive = false
    /// The first second it was heard in after an absence, until that was judged.
    var arrival: Int64?
    var gate = SpeedGate()
    /// Grows while it is at two places, and falls while it is not.
    var doubled = 0.0

    /// Somebody else carries it: what was is no trail of theirs.
    mutating func pass(to user: Int) {
        self.user = user
        arrival = nil
        gate = SpeedGate()
        doubled = 0
    }
}
