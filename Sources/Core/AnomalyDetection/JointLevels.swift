/// How loud two nodes have ever heard one beacon at once: which nodes cannot both be near.
///
/// Both nodes hear somebody who stands between them, the weaker the farther they are apart. The
/// loudest that anybody else was ever heard by both tells where an honest beacon can be; what is
/// `margin` louder than that for a while is sent by two. Anybody else, so that nobody makes their
/// own clone usual.
struct JointLevels: Sendable {
    /// How much louder than anybody else was ever heard, in dB: how a tag is worn, or another
    /// model, makes 6 to 8 dB.
    static let margin = 8.0
    /// Nodes so far apart are never both near, in metres: 15 m from each of them a tag 10 dB louder
    /// than usual has −75 dBm in the open (falling with the power 2.2).
    static let apart = 30.0
    /// How many seconds of loud beacons, of at least `fewestUsers` people, a node must have heard
    /// before it is known who else hears them: half an hour of one beacon.
    static let lessons = 1800
    /// See `lessons`.
    static let fewestUsers = 3

    private struct Pair: Sendable {
        /// The greatest lesser level of the two, and whose it was.
        var level = -Double.infinity
        var user = -1
        /// The greatest of anybody else.
        var next = -Double.infinity
    }

    private struct Exposure: Sendable {
        var seconds = 0
        var users: [Int] = []
    }

    private let count: Int
    private var pairs: [Pair]
    private var exposures: [Exposure]

    /// A state for `nodes` nodes that have heard nothing yet.
    init(nodes: Int) {
        count = nodes
        pairs = Array(repeating: Pair(), count: nodes * max(nodes - 1, 0) / 2)
        exposures = Array(repeating: Exposure(), count: nodes)
    }

    /// A node heard somebody loudly for a second.
    mutating func heard(_ user: Int, at node: Int) {
        exposures[node].seconds = min(exposures[node].seconds + 1, Self.lessons)
        guard exposures[node].users.count < Self.fewestUsers,
            !exposures[node].users.contains(user)
        else { return }
        exposures[node].users.append(user)
    }

    /// Two nodes, the lower one first, hear somebody at once, both at `level` or louder. Returns
    /// whether that is louder than anybody else was ever heard there, if that is known.
    mutating func heard(_ user: Int, at nodes: (Int, Int), level: Double) -> Bool {
        let place = nodes.1 * (nodes.1 - 1) / 2 + nodes.0
        var pair = pairs[place]
        let others = pair.user == user ? pair.next : pair.level
        if user == pair.user {
            pair.level = max(pair.level, level)
        } else if level > pair.level {
            (pair.next, pair.level, pair.user) = (pair.level, level, user)
        } else {
            pair.next = max(pair.next, level)
        }
        pairs[place] = pair
        return level > others + Self.margin && isKnown(nodes.0) && isKnown(nodes.1)
    }

    private func isKnown(_ node: Int) -> Bool {
        exposures[node].seconds >= Self.lessons
            && exposures[node].users.count >= Self.fewestUsers
    }
}
