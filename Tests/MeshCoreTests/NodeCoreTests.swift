import Testing

@testable import NodeEngine
@testable import SiteModel

struct NodeCoreTests {
    let start = Timestamp(milliseconds: 1_700_000_000_000)

    private func at(_ seconds: Double) -> Timestamp { start + .seconds(seconds) }

    /// Ticks once a second up to and including `seconds`.
    private func run(
        _ core: inout NodeCore, _ seconds: ClosedRange<Int>,
        _ each: (inout NodeCore, Int) -> Void = { _, _ in }
    ) -> [NodeCore.Effect] {
        var effects: [NodeCore.Effect] = []
        for second in seconds {
            effects += core.tick(at: at(Double(second)))
            each(&core, second)
        }
        return effects
    }

    @Test func `a frame a second tells the median, the count and the strongest`() {
        var core = NodeCore.listening(at: start)
        for (level, moment) in [(-70, 0.1), (-60, 0.2), (-80, 0.9)] as [(Int8, Double)] {
            core.heard(Packet.iBeacon(1, level), at: at(moment))
        }
        core.heard(Packet.iBeacon(0, -50), at: at(0.95))
        core.heard(Packet.iBeacon(0, -53), at: at(0.96))
        #expect(core.tick(at: at(0.999)) == [])
        let frames = core.tick(at: at(1)).frames
        #expect(
            frames == [
                NodeFrame(
                    sequence: 1, at: at(1),
                    entries: [
                        .init(
                            beacon: .known(0), median: RSSI(dBm: -51.5), count: 2,
                            strongest: RSSI(dBm: -50)),
                        .init(
                            beacon: .known(1), median: RSSI(dBm: -70), count: 3,
                            strongest: RSSI(dBm: -60)),
                    ])
            ])
    }

    @Test func `a second of silence is a frame too`() {
        var core = NodeCore.listening(at: start)
        let frames = run(&core, 1...3).frames
        #expect(frames.map(\.sequence) == [1, 2, 3])
        #expect(frames.allSatisfy { $0.entries.isEmpty })
    }

    @Test func `seconds in which the radio did not listen throughout have no frame`() {
        var core = NodeCore.listening(at: start)
        _ = core.tick(at: at(1))
        _ = core.adapter(.down, at: at(1.5))
        _ = core.adapter(.up, at: at(1.7))
        #expect(core.tick(at: at(2)).frames == [])
        #expect(core.tick(at: at(3)).frames.map(\.at) == [at(3)])
        #expect(core.adapter(.absent, at: at(4)).frames.map(\.at) == [at(4)])
        #expect(run(&core, 5...8).frames == [])
    }

    @Test func `a process that did not run has not listened`() {
        var core = NodeCore.listening(at: start)
        _ = core.tick(at: at(1))
        #expect(core.tick(at: at(100.5)).frames == [])
        #expect(core.tick(at: at(101)).frames == [])
        #expect(core.tick(at: at(102)).frames.map(\.at) == [at(102)])
    }

    @Test func `transmitters nobody registered are told only if asked for, by identity`() {
        for isAsked in [false, true] {
            var core = NodeCore.listening(known: 1, unregistered: isAsked, at: start)
            core.heard(Packet.device(0xB, -60), at: at(0.1))
            core.heard(Packet.device(0xA, -60), at: at(0.2))
            core.heard(Packet.iBeacon(9, -60), at: at(0.3))
            core.heard(Packet.device(0xC000_0000_0001, -60, isRandom: true), at: at(0.4))
            core.heard(Packet.device(0x4000_0000_0001, -60, isRandom: true), at: at(0.5))
            core.heard(Packet.iBeacon(0, -60), at: at(0.6))
            let effects = core.tick(at: at(1))
            let others: [BeaconReference] = [
                .unregistered(Packet.identity(9)), .unregistered(.address(0xA)),
                .unregistered(.address(0xB)), .unregistered(.address(0xC000_0000_0001)),
            ]
            let expected = [.known(0)] + (isAsked ? others : [])
            #expect(effects.frames.first?.entries.map(\.beacon) == expected)
            #expect(effects.readings.map(\.beacon) == expected)
            let health = core.adapter(.down, at: at(1)).healths.first
            #expect(health?.registered == 1 && health?.unregistered == 4)
        }
    }

    @Test func `a rolling minor and a registered address are found`() {
        let rolling = Identity.iBeaconRolling(uuid: Packet.uuid, major: 5)
        let policy = NodePolicy(
            revision: 1, profile: .ranging, publishesUnregistered: false, maximumRange: 100,
            known: [.address(0x1_0000_0002), rolling])
        var core = NodeCore(boot: 1, policy: policy, at: start)
        _ = core.adapter(.up, at: start)
        core.heard(Packet.iBeacon(1, -60, major: 5), at: at(0.1))
        core.heard(Packet.iBeacon(2, -70, major: 5), at: at(0.2))
        core.heard(Packet.device(0x1_0000_0002, -80), at: at(0.3))
        let entries = core.tick(at: at(1)).frames.first?.entries ?? []
        #expect(entries.map(\.beacon) == [.known(0), .known(1)])
        #expect(entries.map(\.count) == [1, 2])
    }

    @Test func `readings come on change, at least every ten seconds, at most one a second`() {
        var core = NodeCore.listening(at: start)
        let still = run(&core, 0...35) { core, second in
            core.heard(Packet.iBeacon(0, -60), at: at(Double(second) + 0.5))
            core.heard(Packet.iBeacon(0, -61), at: at(Double(second) + 0.6))
        }.readings
        #expect(still.map(\.at) == [0.6, 10.6, 20.6, 30.6].map(at))
        #expect(still.map(\.sequence) == [1, 2, 3, 4])
        let moved = run(&core, 36...40) { core, second in
            for part in 1...9 {
                core.heard(Packet.iBeacon(0, -80), at: at(Double(second) + Double(part) / 10))
            }
        }.readings
        #expect((1...3).contains(moved.count))
        #expect(abs((moved.last?.level.dBm ?? 0) - -80) < 1)
        let silent = run(&core, 41...80).readings
        #expect(silent.count <= 1 && silent.allSatisfy { $0.at <= at(40.9) })
    }

    @Test func `the sparse profile has no frames and a reading every thirty seconds`() {
        var core = NodeCore.listening(profile: .sparse, at: start)
        let effects = run(&core, 0...95) { core, second in
            let level: Int8 = second % 2 == 0 ? -50 : -90
            core.heard(Packet.iBeacon(0, level), at: at(Double(second) + 0.5))
        }
        #expect(effects.frames == [])
        #expect(effects.readings.map(\.at) == [0.5, 30.5, 60.5, 90.5].map(at))
        #expect(effects.beats.count == 47)
    }

    @Test func `beats come every two seconds and health every thirty`() {
        var core = NodeCore.listening(at: start)
        core.heard(Packet.device(1, -60), at: at(0.5))
        let effects = run(&core, 1...60)
        #expect(effects.beats.map(\.at) == stride(from: 2, through: 60, by: 2).map { at($0) })
        #expect(effects.beats.map(\.frameSequence) == (1...30).map { $0 * 2 })
        #expect(effects.beats.first?.radioAge == .seconds(1.5))
        #expect(effects.healths.map(\.at) == [at(30), at(60)])
    }

    @Test func `a beacon beyond the range is not heard, a device is`() {
        var core = NodeCore.listening(unregistered: true, range: 10, at: start)
        core.heard(Packet.iBeacon(0, -84), at: at(0.1))  // −59 − 25 dB: ten metres.
        core.heard(Packet.iBeacon(1, -85), at: at(0.2))
        core.heard(Packet.iBeacon(7, -85, power: -70), at: at(0.3))
        core.heard(Packet.device(1, -99), at: at(0.4))
        #expect(
            core.tick(at: at(1)).frames.first?.entries.map(\.beacon) == [
                .known(0), .unregistered(Packet.identity(7)), .unregistered(.address(1)),
            ])
    }

    @Test func `what the controller could not measure is counted, not heard`() {
        var core = NodeCore.listening(at: start)
        core.heard(Packet.iBeacon(0, 127), at: at(0.1))
        core.heard([0x04, 0x3E, 0x05, 0x02], at: at(0.2))
        #expect(core.tick(at: at(1)).frames.first?.entries == [])
        let health = core.adapter(.down, at: at(1)).healths.first
        #expect(health?.levelless == 1 && health?.malformed == 1)
    }

    @Test func `a new policy keeps the state of what stays registered`() {
        var core = NodeCore.listening(known: 3, at: start)
        _ = run(&core, 0...5) { core, second in
            core.heard(Packet.iBeacon(2, -60), at: at(Double(second) + 0.5))
        }
        var policy = core.policy
        policy.revision = 2
        policy.known = [Packet.identity(9), Packet.identity(2)]
        let effects = core.apply(policy, at: at(5.7))
        #expect(effects.last == .applied(revision: 2, error: nil, at: at(5.7)))
        core.heard(Packet.iBeacon(2, -60), at: at(6.5))
        let after = run(&core, 6...7)
        #expect(after.readings == [])  // Told already, and not changed.
        #expect(after.frames.map(\.at) == [at(7)])  // Half of second 5 was for other beacons.
        #expect(after.frames.first?.entries.map(\.beacon) == [.known(1)])
    }

    @Test func `after connecting everything the broker keeps is told`() {
        var core = NodeCore.listening(at: start)
        let effects = core.connected(at: at(0.5))
        #expect(effects.contains(.online(since: start)))
        #expect(effects.contains(.applied(revision: 1, error: nil, at: start)))
        #expect(effects.healths.count == 1)
    }

    @Test func `a flood of made-up addresses stays bounded and loses no registered beacon`() {
        var core = NodeCore.listening(unregistered: true, at: start)
        core.heard(Packet.iBeacon(1, -60), at: at(0))
        for number in 0..<20_000 {
            core.heard(
                Packet.device(0xC000_0000_0000 | UInt64(number), -60, isRandom: true),
                at: at(Double(number) / 20_000))
        }
        let frame = core.tick(at: at(1)).frames.first
        #expect(frame?.entries.count == NodeFrame.capacity)
        #expect(frame?.entries.first?.beacon == .known(1))
        let health = core.adapter(.down, at: at(1)).healths.first
        #expect((health?.unregistered ?? 0) <= 4096)
        #expect((health?.dropped ?? 0) >= 20_000 - 4096)
    }

    @Test(arguments: Int8.min...Int8.max)
    func `no claim makes a tag harder to receive than one that claims what is usual`(claim: Int8) {
        var core = NodeCore.listening(range: NodePolicy.usualRange, at: start)
        core.heard(Packet.iBeacon(0, -91, power: claim), at: at(0.1))
        #expect(core.tick(at: at(1)).frames.first?.entries.map(\.beacon) == [.known(0)])
        #expect(core.health(at: at(1)).outOfRange == 0)
    }

    @Test func `what the range keeps out is counted, by beacon`() {
        var core = NodeCore.listening(known: 3, range: 10, at: start)
        for moment in [0.1, 0.2, 0.3] { core.heard(Packet.iBeacon(1, -90), at: at(moment)) }
        core.heard(Packet.iBeacon(2, -86, power: -20), at: at(0.4))
        core.heard(Packet.iBeacon(7, -99), at: at(0.5))
        core.heard(Packet.iBeacon(0, -60), at: at(0.6))
        _ = core.tick(at: at(1))
        let health = core.health(at: at(1))
        #expect(health.outOfRange == 5)
        #expect(health.farBeacons.map(\.beacon) == [2, 1])
        #expect(health.farBeacons.map(\.count) == [1, 3])
        #expect(health.farBeacons.first?.level == RSSI(dBm: -86))
        #expect(health.farBeacons.first?.power == RSSI(dBm: -20))
        _ = (2...70).map { core.tick(at: at(Double($0))) }
        #expect(core.health(at: at(70)).farBeacons == [])
        #expect(core.health(at: at(70)).outOfRange == 5)
        var policy = core.policy
        policy.known.removeFirst()
        _ = core.apply(policy, at: at(71))
        #expect(core.health(at: at(71)).farBeacons == [])
    }
}
