import Testing

@testable import NodeEngine
@testable import SiteEngine
@testable import SiteModel

/// A day of changing numbers, names and addresses through the whole chain, from packets to sessions: one
/// person, one session, one stay.
struct RolloverTests {
    /// Two rooms, a node in each; the person stays in the first.
    private struct Chain {
        var nodes: [NodeCore]
        var mesh: Mesh
        var facts: [Fact] = []
        var notices: [BeaconNotice] = []

        init(_ identity: Identity, keys: NodeKeys?) {
            let rooms = [RoomID(1), RoomID(2)]
            let user = UserID(1)
            let plan = Plan(
                revision: 1, site: SiteID(1), rooms: rooms.map { Room(id: $0) }, stations: [],
                nodes: rooms.map { Node(id: NodeID($0.row), room: $0, station: nil) },
                users: [User(id: user)], beacons: [Beacon(id: BeaconID(1), identity: identity)],
                bindings: [
                    Binding(
                        beacon: BeaconID(1), user: user, from: Timestamp(milliseconds: 0), to: nil)
                ], policy: Policy())
            mesh = Mesh(plan: plan, restoring: Saved())
            nodes = rooms.map { _ in NodeCore.recognising([identity], keys: keys, at: moment(0)) }
        }

        /// Two seconds pass, in which a packet was sent.
        mutating func pass(to second: Int, _ packet: (_ level: Int8) -> [UInt8]) {
            var decisions: [Decision] = []
            for index in nodes.indices {
                let level: Int8 = index == 0 ? -55 : -82
                nodes[index].heard(packet(level), at: moment(Double(second) - 1.5))
                let effects = nodes[index].tick(at: moment(Double(second)))
                notices += effects.notices
                for frame in effects.frames {
                    mesh.handle(
                        .frame(told(frame), from: NodeID(Int64(index + 1))),
                        at: moment(Double(second)), into: &decisions)
                }
            }
            mesh.handle(.tick, at: moment(Double(second)), into: &decisions)
            facts += decisions.facts.happenings
        }

        private func told(_ frame: NodeFrame) -> Frame {
            Frame(
                boot: 7, sequence: frame.sequence, at: frame.at,
                entries: frame.entries.map { entry in
                    Frame.Entry(
                        beacon: BeaconID(1), median: entry.median, count: entry.count,
                        strongest: entry.strongest)
                })
        }
    }

    private func expectOneDay(
        _ identity: Identity, keys: NodeKeys? = nil,
        _ packet: (_ second: UInt64, _ level: Int8) -> [UInt8]
    ) {
        var chain = Chain(identity, keys: keys)
        for second in stride(from: 2, through: 86_400, by: 2) {
            chain.pass(to: second) { packet(UInt64(second - 2), $0) }
        }
        let sessions = chain.mesh.saved.sessions
        #expect(sessions.count == 1)
        #expect(sessions.first.map { $0.from <= moment(2) } ?? false)
        #expect(sessions.first?.to == nil)
        // Fourteen hours at a stretch are long enough to ask; nothing else is wrong with it.
        #expect(sessions.first?.review.filter { $0 != .tooLong && $0 != .coverageGap } == [])
        #expect(chain.mesh.saved.stays.map(\.place) == [.room(RoomID(1))])
        #expect(chain.mesh.saved.stays.first.map { $0.from <= moment(3) } ?? false)
        #expect(chain.facts.stays.count == 1)
        let exits = chain.facts.events.map(\.kind).filter { $0 == .checkedOut || $0 == .left }
        #expect(exits == [])
        #expect(chain.notices == [])
    }

    @Test func `a minor that changes all day is one session and one stay`() {
        expectOneDay(.iBeaconRolling(uuid: Packet.uuid, major: 5)) { second, level in
            Packet.iBeacon(UInt16(second / 300 &* 40_503 & 0xFFFF), level, major: 5)
        }
    }

    @Test func `an address that changes all day is one session and one stay`() {
        let keys = NodeKeys(
            resolving: (0..<20).map {
                .init(label: Keyring.label("key-\($0)"), key: Keyring.key(UInt64($0)))
            }, ephemeral: [], cryptography: Keyring.scramble)
        expectOneDay(.irk(.label(Keyring.label("key-17"))), keys: keys) { second, level in
            Packet.device(Keyring.address(17, turn: second / 900), level, isRandom: true)
        }
    }

    /// Its clock is 40 s fast, and the key of its hours changes in between.
    @Test func `a name that changes all day is one session and one stay`() throws {
        let key = try #require(
            NodeKeys.Ephemeral(
                label: Keyring.label("tag"), key: Keyring.key(3), exponent: 4,
                zero: moment(-1000), window: 3))
        let keys = NodeKeys(resolving: [], ephemeral: [key], cryptography: Keyring.scramble)
        expectOneDay(.eddystoneEID(.label(Keyring.label("tag"))), keys: keys) { second, level in
            Packet.ephemeral(Keyring.name(3, time: second + 1040, exponent: 4), level)
        }
    }
}
