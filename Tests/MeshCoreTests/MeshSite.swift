@testable import SiteEngine
@testable import SiteModel

/// Seconds after the start of every test, which lies on a whole second.
func moment(_ seconds: Double) -> Timestamp {
    Timestamp(milliseconds: 1_700_000_000_000) + .seconds(seconds)
}

/// A stretch in seconds after the start of every test.
func stretch(_ from: Double, _ to: Double) -> Interval {
    Interval(from: moment(from), to: moment(to))
}

/// A gym of two rooms: the hall with a bench and a rack, and the yard. Node 1 hangs in the hall, 2 at
/// the bench, 3 at the rack, 4 and 5 in the yard. User n carries beacon n; user 1 beacon 4, too.
enum MeshSite {
    static let hall = RoomID(1)
    static let yard = RoomID(2)
    static let bench = StationID(1)
    static let rack = StationID(2)
    static let users = (1...3).map { UserID($0) }

    /// Without a word on attendance, every absence counts.
    static func plan(_ policy: Policy = Policy(), revision: Int64 = 1) -> Plan {
        var policy = policy
        policy.attendance = policy.attendance ?? AttendancePolicy(mergeGap: .seconds(0))
        let carried: [(beacon: Int64, user: Int64)] = [(1, 1), (2, 2), (3, 3), (4, 1)]
        return Plan(
            revision: revision, site: SiteID(1), rooms: [Room(id: hall), Room(id: yard)],
            stations: [
                Station(id: bench, room: hall, slots: 1), Station(id: rack, room: hall, slots: 2),
            ],
            nodes: [
                Node(id: NodeID(1), room: hall, station: nil),
                Node(id: NodeID(2), room: hall, station: bench),
                Node(id: NodeID(3), room: hall, station: rack),
                Node(id: NodeID(4), room: yard, station: nil),
                Node(id: NodeID(5), room: yard, station: nil),
            ],
            users: users.map { User(id: $0) },
            beacons: (1...5).map { Beacon(id: BeaconID($0), identity: .address(UInt64($0))) },
            bindings: carried.map {
                Binding(
                    beacon: BeaconID($0.beacon), user: UserID($0.user),
                    from: Timestamp(milliseconds: 0), to: nil)
            },
            policy: policy)
    }

    static func frame(
        _ at: Timestamp, boot: UInt64 = 1, _ levels: [(beacon: Int64, level: Double)] = []
    ) -> Frame {
        Frame(
            boot: boot, sequence: 1, at: at,
            entries: levels.map {
                Frame.Entry(
                    beacon: BeaconID($0.beacon), median: RSSI(dBm: $0.level), count: 1,
                    strongest: RSSI(dBm: $0.level))
            })
    }
}

/// A mesh and all it decided so far.
struct SiteRun {
    var mesh: Mesh
    private(set) var decisions: [Decision] = []

    init(plan: Plan = MeshSite.plan(), saved: Saved = Saved()) {
        mesh = Mesh(plan: plan, restoring: saved)
    }

    /// Tells the mesh something. Returns what it decided now.
    @discardableResult
    mutating func tell(_ input: Input, _ at: Double) -> [Decision] {
        var made: [Decision] = []
        mesh.handle(input, at: moment(at), into: &made)
        decisions += made
        return made
    }

    /// Every node of the site reports one second; those named heard something.
    mutating func second(
        _ at: Double, _ heard: [Int64: [(beacon: Int64, level: Double)]] = [:],
        nodes: ClosedRange<Int64> = 1...5
    ) {
        for node in nodes {
            tell(.frame(MeshSite.frame(moment(at), heard[node] ?? []), from: NodeID(node)), at)
        }
        tell(.tick, at)
    }

    /// User 1 stands close to a node from one second until another, both included.
    mutating func stand(at node: Int64, from: Int, to: Int) {
        for second in from...to {
            self.second(Double(second), [node: [(beacon: 1, level: -50)]])
        }
    }

    @discardableResult
    mutating func ask(
        _ verb: Request.Verb, id: String, client: String = "kiosk", _ at: Double
    ) -> [Decision] {
        tell(.request(Request(client: client, id: id, name: "asked", verb: verb)), at)
    }
}

extension [Decision] {
    var facts: [Fact] { compactMap { if case .fact(let fact) = $0 { fact } else { nil } } }
    var lives: [Live] { compactMap { if case .live(let live) = $0 { live } else { nil } } }
}

extension [Fact] {
    var sessions: [Session] {
        compactMap { if case .session(let session) = $0 { session } else { nil } }
    }
    var stays: [Stay] { compactMap { if case .stay(let stay) = $0 { stay } else { nil } } }
    var claims: [Claim] { compactMap { if case .claim(let claim) = $0 { claim } else { nil } } }
    var workouts: [Workout] {
        compactMap { if case .workout(let workout) = $0 { workout } else { nil } }
    }
    var events: [Event] { compactMap { if case .event(let event) = $0 { event } else { nil } } }
    var answers: [Answer] {
        compactMap { if case .answer(let answer) = $0 { answer } else { nil } }
    }

    /// Without the rows that say only how far the machines have got.
    var happenings: [Fact] {
        filter { !$0.isProgress }
    }
}
