@testable import AnomalyDetection
@testable import SiteEngine
@testable import SiteModel

/// Three rooms in a row: node 0 at the entrance, node 1 in the hall, node 2 at the station of the back
/// room, 20 m and 40 m from the entrance. User n carries beacon n.
struct DoubtsRun {
    /// What one node heard of one beacon in a second, by index.
    typealias Heard = (beacon: Int, node: Int, level: Double, count: Int)

    static let people = 10

    private(set) var doubts: Doubts
    /// Everything that was doubted.
    private(set) var told: [Doubt] = []
    /// Whole seconds after the start of every test.
    private(set) var now = 0
    /// Who is at the station, and whose sessions are open since when.
    var atStation: Set<Int> = []
    var sessions: [Int: Double] = [:]
    /// Nodes that do not listen.
    var dead: Set<Int> = []

    static func plan(_ policy: DoubtPolicy? = nil, isMeasured: Bool = true) -> Plan {
        let rooms = (1...3).map { RoomID($0) }
        return Plan(
            revision: 1, site: SiteID(1), rooms: rooms.map { Room(id: $0) },
            stations: [Station(id: StationID(1), room: rooms[2], slots: 1)],
            nodes: (0..<3).map { node in
                Node(
                    id: NodeID(Int64(node + 1)), room: rooms[node],
                    station: node == 2 ? StationID(1) : nil,
                    position: isMeasured ? Position(x: 20 * Double(node), y: 0) : nil)
            },
            users: (0..<people).map { User(id: UserID(Int64($0 + 1))) },
            beacons: (0..<people).map {
                Beacon(id: BeaconID(Int64($0 + 1)), identity: .address(UInt64($0)))
            }, bindings: [], policy: Policy(doubts: policy))
    }

    init(plan: Plan = Self.plan(), stored: [Doubt] = []) {
        doubts = Doubts(plan: plan, stored: stored)
    }

    /// The same with what was learnt forgotten.
    mutating func restart(plan: Plan = Self.plan()) { doubts = Doubts(plan: plan, stored: told) }

    /// The same under another plan.
    mutating func adopt(_ plan: Plan) {
        doubts = Doubts(plan: plan, stored: told, keeping: doubts)
    }

    /// A second in which this was heard. Returns what was doubted.
    @discardableResult
    mutating func second(_ heard: [Heard] = []) -> [Doubt] {
        let start = moment(Double(now))
        for node in 0..<3 where !dead.contains(node) { doubts.listened(node: node, in: start) }
        for (beacon, node, level, count) in heard {
            doubts.heard(
                beacon: beacon, user: beacon, node: node, level: RSSI(dBm: level), count: count,
                in: start)
        }
        now += 1
        let (sessions, atStation) = (sessions, atStation)
        let new = doubts.step(at: moment(Double(now))) { user in
            Doubts.Standing(
                session: sessions[user].map {
                    Session(
                        id: Int64(user + 1), user: UserID(Int64(user + 1)), from: moment($0),
                        to: nil)
                }, room: RoomID(3), station: atStation.contains(user) ? StationID(1) : nil)
        }
        told += new
        return new
    }

    /// So many seconds of the same.
    mutating func seconds(_ count: Int, _ heard: [Heard] = []) {
        for _ in 0..<count { second(heard) }
    }

    mutating func tell(fingerprintOf user: Int, at node: Int) {
        if let doubt = doubts.fingerprintChanged(of: user, at: node, moment(Double(now))) {
            told.append(doubt)
        }
    }

    var kinds: [Review] { told.map(\.kind) }
}
