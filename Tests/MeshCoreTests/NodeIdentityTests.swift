import Testing

@testable import NodeEngine
@testable import SiteModel

/// Who is who: what a node takes an advertisement for.
struct NodeIdentityTests {
    typealias Masked = Identity.Masked
    let start = Timestamp(milliseconds: 1_700_000_000_000)
    let uuid = Packet.uuid
    let namespace = Identity.Bytes16(high: 0x1122_3344_5566_7788, low: 0x99AA_0000_0000_0000)

    private func name(_ text: String) -> Identity { .name(Keyring.label(text)) }

    @Test func `each kind of rule finds what it is for`() {
        let keys = NodeKeys(
            resolving: [.init(label: Keyring.label("watch"), key: Keyring.key(1))],
            ephemeral: [
                NodeKeys.Ephemeral(
                    label: Keyring.label("tag"), key: Keyring.key(2), exponent: 4,
                    zero: start - .seconds(1000), window: 2)
            ].compactMap(\.self), cryptography: Keyring.scramble)
        let rules: [(Identity, [UInt8])] = [
            (.region(uuid: uuid, major: .any, minor: .any), Packet.iBeacon(1, -60, major: 1)),
            (
                .region(uuid: uuid, major: Masked(2), minor: Masked(0x1200, mask: 0xFF00)),
                Packet.iBeacon(0x12FE, -60, major: 2)
            ),
            (.iBeaconRolling(uuid: uuid, major: 3), Packet.iBeacon(77, -60, major: 3)),
            (
                .eddystoneNamespace(namespace),
                Packet.eddystone(.init(high: namespace.high, low: namespace.low | 5))
            ),
            (name("Tag *"), Packet.named("Tag 7", address: 0x4000_0000_0001)),
            (name("Rower"), Packet.named("Rower", address: 0x4000_0000_0002)),
            (.address(0xC000_0000_0003), Packet.device(0xC000_0000_0003, -60, isRandom: true)),
            (
                .irk(.label(Keyring.label("watch"))),
                Packet.device(Keyring.address(1, turn: 9), -60, isRandom: true)
            ),
            (
                .eddystoneEID(.label(Keyring.label("tag"))),
                Packet.ephemeral(Keyring.name(2, time: 1000, exponent: 4))
            ),
        ]
        for (identity, packet) in rules {
            var core = NodeCore.recognising([identity], keys: keys, at: start)
            #expect(core.told(of: [packet], at: start) == [.known(0)], "\(identity)")
            // Alone each of them is also not found by any of the others.
            for (other, _) in rules where other != identity {
                var core = NodeCore.recognising([other], keys: keys, at: start)
                let isInside = other == rules[0].0 && identity.isOfUUID(uuid)
                #expect(core.told(of: [packet], at: start) == (isInside ? [.known(0)] : []))
            }
        }
    }

    @Test func `whole identities come before rules, and the first rule that fits counts`() {
        let exact = Identity.iBeacon(uuid: uuid, major: 1, minor: 1)
        let low = Identity.region(uuid: uuid, major: Masked(1), minor: Masked(0, mask: 0xFFF0))
        let all = Identity.region(uuid: uuid, major: .any, minor: .any)
        var core = NodeCore.recognising([low, all, exact], at: start)
        #expect(core.told(of: [Packet.iBeacon(1, -60)], at: start) == [.known(2)])
        #expect(core.told(of: [Packet.iBeacon(2, -60)], at: start + .seconds(1)) == [.known(0)])
        #expect(core.told(of: [Packet.iBeacon(99, -60)], at: start + .seconds(2)) == [.known(1)])
        var patterns = NodeCore.recognising([name("T*"), name("Tag 7"), name("*")], at: start)
        let told = ["Tag 7", "Tag 8", "Bike"].enumerated().flatMap { place, shown in
            patterns.told(
                of: [Packet.named(shown, address: 0x4000_0000_0000 | UInt64(place))],
                at: start + .seconds(Double(place)))
        }
        #expect(told == [.known(1), .known(0), .known(2)])
    }

    @Test func `the key's digits and its label are one`() throws {
        let keys = NodeKeys(
            resolving: [.init(label: Keyring.label("watch"), key: Keyring.key(1))], ephemeral: [],
            cryptography: Keyring.scramble)
        let digits = keys.ownName(resolving: 0)
        let packet = Packet.device(Keyring.address(1, turn: 1), -60, isRandom: true)
        for identity in [digits, .irk(.label(Keyring.label("watch")))] {
            var core = NodeCore.recognising([identity], keys: keys, at: start)
            #expect(core.told(of: [packet], at: start) == [.known(0)])
            #expect(keys.hold(identity))
        }
        var stranger = NodeCore.recognising([], unregistered: true, keys: keys, at: start)
        #expect(stranger.told(of: [packet], at: start) == [.unregistered(digits)])
        var without = NodeCore.recognising([digits], unregistered: true, at: start)
        #expect(without.told(of: [packet], at: start) == [])
        #expect(!keys.hold(.irk(.label(Keyring.label("other")))))
    }

    @Test func `a name in an answer counts for what the address sends, until it has another`() {
        var core = NodeCore.recognising([name("Tag *")], at: start)
        let address: UInt64 = 0x4000_0000_0001
        let plain = Packet.device(address, -60, isRandom: true)
        func answer(_ name: String) -> [UInt8] { Packet.named(name, address: address, type: 0x04) }
        #expect(core.told(of: [plain, answer("Tag 7")], at: start) == [])
        #expect(core.told(of: [plain], at: start + .seconds(1)) == [.known(0)])
        #expect(core.told(of: [answer("Tag 7")], at: start + .seconds(2)) == [])
        #expect(core.told(of: [answer("Bike"), plain], at: start + .seconds(3)) == [])
        // And not longer than the address is remembered.
        #expect(core.told(of: [answer("Tag 7"), plain], at: start + .seconds(4)) == [.known(0)])
        _ = (5...70).map { core.tick(at: start + .seconds(Double($0))) }
        #expect(core.told(of: [plain], at: start + .seconds(70)) == [])
    }

    @Test func `a shortened name fits only what any ending of it would`() {
        for (pattern, isHeard) in [("Tag *", true), ("Tag ?", false), ("Tag 1", false)] {
            var core = NodeCore.recognising([name(pattern)], at: start)
            let packet = Packet.named("Tag 1", address: 0x4000_0000_0001, isComplete: false)
            #expect(core.told(of: [packet], at: start) == (isHeard ? [.known(0)] : []))
        }
    }

    @Test func `what is not allowed is counted and not told; registered beacons always are`() {
        let allowed: [Identity] = [.iBeaconRolling(uuid: uuid, major: 2), name("Tag *")]
        var core = NodeCore.recognising(
            [Packet.identity(1)], allowed: allowed, unregistered: true, at: start)
        let told = core.told(
            of: [
                Packet.iBeacon(1, -60), Packet.iBeacon(2, -60), Packet.iBeacon(3, -60, major: 2),
                Packet.device(0xA, -60), Packet.named("Tag 7", address: 0xC000_0000_0001),
                Packet.device(0xC000_0000_0001, -60, isRandom: true),
            ], at: start)
        #expect(
            told == [
                .known(0), .unregistered(.iBeacon(uuid: uuid, major: 2, minor: 3)),
                .unregistered(.address(0xC000_0000_0001)),
            ])
        let health = core.adapter(.down, at: start + .seconds(1)).healths.first
        #expect(health?.excluded == 2)
    }

    @Test func `who is registered by a new rule is no stranger any more`() {
        var core = NodeCore.recognising([], unregistered: true, at: start)
        core.heard(Packet.iBeacon(5, -60), at: start)
        var policy = core.policy
        policy.known = [.region(uuid: uuid, major: .any, minor: .any)]
        _ = core.apply(policy, at: start + .seconds(1))
        let health = core.adapter(.down, at: start + .seconds(2)).healths.first
        #expect(health?.unregistered == 0)
    }

    @Test func `a device heard under two names is one, and counted once`() {
        var core = NodeCore.recognising([], unregistered: true, at: start)
        for turn in 0..<50 as Range<UInt64> {
            // Not resolvable, not resolved, public: each an address.
            core.heard(Packet.device(turn, -60, isRandom: true), at: start)
            core.heard(Packet.device(0x4000_0000_0000 | turn, -60, isRandom: true), at: start)
            core.heard(Packet.device(turn, -60), at: start)
            core.heard(Packet.device(turn, -60), at: start)
        }
        let health = core.adapter(.down, at: start).healths.first
        #expect(health?.devices == 150)
        #expect(health?.unregistered == 50)
        #expect(core.adapter(.up, at: start + .seconds(61)).healths.first?.devices == 0)
    }

    @Test func `a tag that changes the last digit of its UUID is one`() {
        let tag = Identity.anyDigit(uuid: uuid, major: 1, minor: 3)
        var core = NodeCore.recognising([.iBeaconRolling(uuid: uuid, major: 1), tag], at: start)
        for digit in UInt8(0)...15 {
            var packet = Packet.iBeacon(3, -60)
            packet[Self.lastDigit] = packet[Self.lastDigit] & 0xF0 | digit
            let told = core.told(of: [packet], at: start + .seconds(Double(digit)))
            #expect(told == [.known(1)], "\(digit)")
        }
        var other = Packet.iBeacon(3, -60)
        other[Self.lastDigit - 1] ^= 1
        #expect(core.told(of: [other], at: start + .seconds(20)) == [])
        #expect(core.told(of: [Packet.iBeacon(4, -60)], at: start + .seconds(21)) == [.known(0)])
    }

    /// The last byte of an iBeacon's UUID in a packet: behind 14 bytes of event and sender, and 9 of data.
    private static let lastDigit = 14 + 9 + 15

    @Test(arguments: [(UInt64(0xC4A7_F10B_2204), true), (0x4000_0000_0001, false)])
    func `another identity from the same lasting address is the same tag`(
        address: UInt64, isOne: Bool
    ) {
        func data(_ last: UInt8) -> [UInt8] {
            [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + (1...15) + [last]
                + [0, 1, 0, 3, 0xC5]
        }
        var core = NodeCore.recognising([Packet.identity(3)], at: start)
        let rest = Packet.report(address: address, isRandom: true, data(16), -60)
        let moving = Packet.report(address: address, isRandom: true, data(21), -60)
        #expect(core.told(of: [moving], at: start) == [], "nothing is known of it yet")
        #expect(core.told(of: [rest], at: start + .seconds(1)) == [.known(0)])
        for second in 2...200 {
            let told = core.told(of: [moving], at: start + .seconds(Double(second)))
            #expect(told == (isOne ? [.known(0)] : []), "second \(second)")
        }
        // Whoever is registered by itself is itself.
        core = NodeCore.recognising(
            [Packet.identity(3), .iBeacon(uuid: uuid, major: 1, minor: 4)], at: start)
        let second = Packet.report(
            address: address, isRandom: true, Array(data(16).dropLast(2)) + [4, 0xC5], -60)
        #expect(core.told(of: [rest, second], at: start) == [.known(0), .known(1)])
    }
}

extension Identity {
    fileprivate func isOfUUID(_ uuid: Bytes16) -> Bool {
        switch self {
        case .iBeaconRolling(uuid, _), .iBeaconRegion(uuid, _, _): true
        default: false
        }
    }
}
