import Testing

@testable import NodeEngine
@testable import SiteModel

/// Names and addresses that were recorded and are sent again.
struct NodeReplayTests {
    let start = Timestamp(milliseconds: 1_700_000_000_000)

    private func at(_ seconds: Double) -> Timestamp { start + .seconds(seconds) }

    /// Whether a packet heard at a second is taken for the beacon.
    private func isTaken(_ core: inout NodeCore, _ packet: [UInt8], _ second: Double) -> Bool {
        core.told(of: [packet], at: at(second)) == [.known(0)]
    }

    private func replayed(_ core: inout NodeCore, _ second: Double) -> Int? {
        core.adapter(.down, at: at(second)).healths.first?.replayed
    }

    @Test func `a name older than the newest of its beacon is nobody's`() throws {
        let key = try #require(
            NodeKeys.Ephemeral(
                label: Keyring.label("tag"), key: Keyring.key(3), exponent: 4,
                zero: start - .seconds(1600), window: 3))
        let keys = NodeKeys(resolving: [], ephemeral: [key], cryptography: Keyring.scramble)
        var core = NodeCore.recognising([keys.ownName(ephemeral: 0)], keys: keys, at: start)
        func name(_ time: UInt64) -> [UInt8] {
            Packet.ephemeral(Keyring.name(3, time: 1600 + time, exponent: 4))
        }
        let first = isTaken(&core, name(0), 0)
        let same = isTaken(&core, name(0), 8)
        let next = isTaken(&core, name(16), 17)
        // Both still within the window.
        let old = isTaken(&core, name(0), 18)
        let stillOld = isTaken(&core, name(0), 40)
        let current = isTaken(&core, name(48), 49)
        #expect(
            [first, same, next, old, stillOld, current] == [true, true, true, false, false, true])
        #expect(replayed(&core, 60) == 2)
    }

    private func walker(_ core: inout NodeCore, _ turn: UInt64, _ seconds: [Int]) -> [Bool] {
        let packet = Packet.device(Keyring.address(1, turn: turn), -60, isRandom: true)
        return seconds.map { isTaken(&core, packet, Double($0)) }
    }

    private func core() -> NodeCore {
        let keys = NodeKeys(
            resolving: [.init(label: Keyring.label("watch"), key: Keyring.key(1))], ephemeral: [],
            cryptography: Keyring.scramble)
        return NodeCore.recognising(
            [.irk(.label(Keyring.label("watch")))], keys: keys, at: start)
    }

    @Test func `an address its owner has left is nobody's`() {
        var core = core()
        let first = walker(&core, 1, Array(stride(from: 0, to: 900, by: 2)))
        #expect(first.allSatisfy { $0 })
        let second = walker(&core, 2, Array(stride(from: 900, to: 970, by: 2)))
        #expect(second.allSatisfy { $0 })
        let recorded = walker(&core, 1, [970, 1000, 1600])
        #expect(recorded == [false, false, false])
        let present = walker(&core, 2, [1610])
        #expect(present == [true])
        #expect(replayed(&core, 1620) == 3)
    }

    /// Two sets of advertisements have an address each.
    @Test func `two addresses used at once are both the owner's`() {
        var core = core()
        for second in stride(from: 0, to: 800, by: 2) {
            let both = walker(&core, 1, [second]) + walker(&core, 2, [second + 1])
            #expect(both == [true, true])
        }
    }

    @Test func `who was away and comes back with the same address is taken`() {
        var core = core()
        let before = walker(&core, 1, [0, 2, 4])
        _ = stride(from: 5.0, to: 300, by: 1).map { core.tick(at: at($0)) }
        let after = walker(&core, 1, [301, 303])
        #expect(before + after == [true, true, true, true, true])
    }

    /// Some devices never change it: they are told of, and counted all the same.
    @Test func `an address kept for too long is told of and not refused`() {
        var core = core()
        var notices: [BeaconNotice] = []
        var heard = 0
        for second in stride(from: 0, to: 7200, by: 2) {
            let packet = Packet.device(Keyring.address(1, turn: 1), -60, isRandom: true)
            core.heard(packet, at: at(Double(second) + 0.5))
            let effects = core.tick(at: at(Double(second) + 2))
            notices += effects.notices
            heard += effects.frames.count { !$0.entries.isEmpty }
        }
        #expect(heard == 3600)
        #expect(notices.map(\.detail) == ["address kept"])
        #expect(notices.first.map { $0.at > at(1200) && $0.at < at(1210) } ?? false)
    }

    /// An hour is allowed, and then it is that device's way.
    @Test func `an address is kept for as long as those before it`() {
        var core = core()
        var notices: [BeaconNotice] = []
        for second in stride(from: 0, to: 36_000, by: 5) {
            let packet = Packet.device(
                Keyring.address(1, turn: UInt64(second / 3600)), -60, isRandom: true)
            core.heard(packet, at: at(Double(second)))
            notices += core.tick(at: at(Double(second) + 1)).notices
            for tick in 2...4 { notices += core.tick(at: at(Double(second + tick))).notices }
        }
        #expect(notices.count == 1)
    }
}
