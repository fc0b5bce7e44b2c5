import SiteModel

/// Notices a beacon that is near one node, and too soon near another one far away.
///
/// The limit is 3 m/s between rooms. What is near is within `reach` of a node, whatever the
/// transmitter's power, so that only the rest of the way must be walked. After a doubt the new
/// place is believed (Traccar's skip limit), so that no error lasts.
struct SpeedGate: Sendable {
    /// A mean level over five seconds that means near: within 4 m of a common tag (−59 dBm at 1 m,
    /// falling with the power 2.2), within `reach` of one that is 8 dB louder.
    static let near = -65.0
    /// In metres.
    static let reach = 10.0
    /// In metres a second.
    static let fastest = 3.0
    /// The seconds for which it must be near the other node.
    static let confirmations = 3

    private var node: Int?
    private var second: Int64 = 0
    private var other: (node: Int, count: Int)?

    /// The loudest node of a second, near which the beacon is. Returns where it was before if it
    /// cannot have come from there. `distance` is that of two nodes in metres, `nil` if unknown.
    mutating func near(
        _ new: Int, in now: Int64, distance: (Int, Int) -> Double?
    ) -> Int? {
        guard let old = node, old != new, let way = distance(old, new),
            Double(now - second) < (way - 2 * Self.reach) / Self.fastest
        else {
            (node, second, other) = (new, now, nil)
            return nil
        }
        let count = (other?.node == new ? other?.count ?? 0 : 0) + 1
        other = (new, count)
        guard count >= Self.confirmations else { return nil }
        (node, second, other) = (new, now, nil)
        return old
    }
}

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

/// In which rooms people are first heard when they come.
///
/// An entrance is where people arrive; nobody says which rooms have one. Somebody who is near a
/// node within seconds of being heard at all, in a room in which nobody else has ever arrived, was
/// carried in shielded, or is no person. One false alarm a room is the most there can be: from then
/// on people have arrived there.
struct Arrivals: Sendable {
    /// Somebody unheard for this long, in seconds, is away.
    static let absence: Int64 = 600
    /// The seconds in which an arrival is judged.
    static let seconds: Int64 = 5
    /// The number of arrivals to learn from before anything is doubted.
    static let lessons = 100

    private var total = 0
    /// By room: the first two people who arrived there.
    private var users: [[Int]]

    init(rooms: Int) { users = Array(repeating: [], count: rooms) }

    /// Somebody arrived in a room. Returns whether nobody else ever did, if that is known.
    mutating func add(_ user: Int, in room: Int) -> Bool {
        let isNew = total >= Self.lessons && !users[room].contains { $0 != user }
        total += 1
        if users[room].count < 2, !users[room].contains(user) { users[room].append(user) }
        return isNew
    }
}

/// How long somebody who is present has been in rooms with stations, and never at one of them.
///
/// Only seconds count in which they would have been noticed at a station. Nothing of it is stored: of
/// a session that was open before, nobody knows, and it is not doubted.
struct Inactivity: Sendable {
    private var session: Int64?
    private var isSettled = true
    private var idle: Int64 = 0

    /// A second of a session. Returns whether it has now lasted so long without a station; once a
    /// session.
    ///
    /// - Parameters:
    ///   - isAtStation: whether they are at one.
    ///   - isSeen: whether they would be noticed at one of the room they are in.
    ///   - began: when we began to look.
    mutating func step(
        _ open: Session, isAtStation: Bool, isSeen: Bool, after limit: Timestamp.Span,
        since began: Timestamp
    ) -> Bool {
        if session != open.id {
            session = open.id
            isSettled = open.from < began
            idle = 0
        }
        if isAtStation { isSettled = true }
        guard !isSettled, isSeen else { return false }
        idle += 1
        guard Timestamp.Span.seconds(Double(idle)) >= limit else { return false }
        isSettled = true
        return true
    }
}
