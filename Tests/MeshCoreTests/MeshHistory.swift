@testable import SiteEngine
@testable import SiteModel

/// A hundred seconds of a busy site, from a seed: people change places, nodes miss seconds, die and
/// come back, requests come in between.
struct MeshHistory {
    let steps: [(at: Double, input: Input)]

    /// Presence that is believed and given up within seconds.
    static let impatient = Policy(
        site: Policy.Timing(enter: .seconds(4), lost: .seconds(4), leave: .seconds(9)),
        room: Policy.Timing(enter: .seconds(2), lost: .seconds(2), leave: .seconds(4)),
        station: Policy.Timing(enter: .seconds(1.5), lost: .seconds(1.5), leave: .seconds(3)))

    init(seed: UInt64, seconds: Int = 100) {
        var dice = Dice(seed: seed)
        var places: [Int64] = [0, 0, 0]
        var dead: Set<Int64> = []
        var steps: [(at: Double, input: Input)] = []
        for second in 1...seconds {
            for user in 0..<3 where Int.random(in: 0..<12, using: &dice) == 0 {
                places[user] = .random(in: 0...5, using: &dice)
            }
            for node in Int64(1)...5 {
                if Int.random(in: 0..<60, using: &dice) == 0 {
                    if dead.remove(node) == nil { dead.insert(node) }
                    let isOnline = !dead.contains(node)
                    steps.append((Double(second), .node(NodeID(node), isOnline: isOnline)))
                }
                guard !dead.contains(node), Int.random(in: 0..<20, using: &dice) > 0 else {
                    continue
                }
                let delay = Double.random(in: 0...0.9, using: &dice)
                let frame = MeshSite.frame(
                    moment(Double(second)), Self.levels(node, places, &dice))
                steps.append((Double(second) + delay, .frame(frame, from: NodeID(node))))
            }
            if Int.random(in: 0..<6, using: &dice) == 0 {
                let at = Double(second) + .random(in: 0...0.9, using: &dice)
                steps.append((at, .request(Self.request(second, &dice))))
            }
        }
        self.steps = steps.sorted { $0.at < $1.at }
    }

    private static func levels(
        _ node: Int64, _ places: [Int64], _ dice: inout Dice
    ) -> [(beacon: Int64, level: Double)] {
        places.indices.compactMap { user in
            guard places[user] != 0, Int.random(in: 0..<4, using: &dice) > 0 else { return nil }
            let range: ClosedRange<Double> =
                places[user] == node ? -62 ... -50 : -92 ... -72
            return (Int64(user + 1), .random(in: range, using: &dice))
        }
    }

    private static func request(_ number: Int, _ dice: inout Dice) -> Request {
        let user = UserID(.random(in: 1...3, using: &dice))
        let verb: Request.Verb
        switch Int.random(in: 0..<6, using: &dice) {
        case 0: verb = .training(user, .start(nil))
        case 1: verb = .training(user, .start(StationID(.random(in: 1...2, using: &dice))))
        case 2: verb = .training(user, .pause)
        case 3: verb = .training(user, .resume)
        case 4: verb = .training(user, .cancel)
        default: verb = .training(user, .complete())
        }
        // Some ids are used again.
        return Request(client: "kiosk", id: "\(number % 40)", name: "asked", verb: verb)
    }
}
