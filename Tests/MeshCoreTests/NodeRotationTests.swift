import Synchronization
import Testing

@testable import NodeEngine
@testable import SiteModel

/// A day of changing numbers, names and addresses, and an hour of made-up ones.
struct NodeRotationTests {
    let start = Timestamp(milliseconds: 1_700_000_000_000)

    /// A packet every other second of a day: a gap in the state would show as a reading out of turn,
    /// as every first one comes at once, or as a smaller window.
    private func expectNoGap(
        _ identity: Identity, keys: NodeKeys? = nil, _ packet: (_ second: UInt64) -> [UInt8]
    ) {
        var core = NodeCore.recognising([identity], keys: keys, at: start)
        var readings: [NodeReading] = []
        var heard = 0
        for second in stride(from: 0, to: 86_400, by: 2) {
            core.heard(packet(UInt64(second)), at: start + .seconds(Double(second) + 0.5))
            let effects = core.tick(at: start + .seconds(Double(second) + 2))
            readings += effects.readings
            heard += effects.frames.count { $0.entries.map(\.beacon) == [.known(0)] }
        }
        #expect(heard == 43_200)
        let moments = (0..<8640).map { start + .seconds(Double($0) * 10 + 0.5) }
        let isRegular = readings.map(\.at) == moments
        #expect(isRegular)
        #expect(Set(readings.dropFirst(3).map(\.count)).count == 1)
    }

    @Test func `a minor that changes every five minutes of a day leaves no gap`() {
        expectNoGap(.iBeaconRolling(uuid: Packet.uuid, major: 5)) { second in
            Packet.iBeacon(UInt16(second / 300 &* 40_503 & 0xFFFF), -60, major: 5)
        }
    }

    @Test func `an address that changes every fifteen minutes of a day leaves no gap`() {
        let keys = NodeKeys(
            resolving: (0..<20).map {
                .init(label: Keyring.label("key-\($0)"), key: Keyring.key(UInt64($0)))
            }, ephemeral: [], cryptography: Keyring.scramble)
        expectNoGap(.irk(.label(Keyring.label("key-17"))), keys: keys) { second in
            Packet.device(Keyring.address(17, turn: second / 900), -60, isRandom: true)
        }
    }

    /// The temporary key changes after 18 hours, and the clock is 40 s fast.
    @Test func `a name that changes every sixteen seconds of a day leaves no gap`() throws {
        let key = try #require(
            NodeKeys.Ephemeral(
                label: Keyring.label("tag"), key: Keyring.key(3), exponent: 4,
                zero: start - .seconds(1000), window: 3))
        let keys = NodeKeys(
            resolving: [], ephemeral: [key], cryptography: Keyring.scramble)
        expectNoGap(.eddystoneEID(.label(Keyring.label("tag"))), keys: keys) { second in
            Packet.ephemeral(Keyring.name(3, time: second + 1040, exponent: 4))
        }
    }

    @Test func `a name outside the window is nobody's`() throws {
        let key = try #require(
            NodeKeys.Ephemeral(
                label: Keyring.label("tag"), key: Keyring.key(3), exponent: 4,
                zero: start - .seconds(1000), window: 3))
        let keys = NodeKeys(resolving: [], ephemeral: [key], cryptography: Keyring.scramble)
        for (shift, isHeard) in [(-64, false), (-48, true), (0, true), (48, true), (64, false)] {
            var core = NodeCore.recognising([keys.ownName(ephemeral: 0)], keys: keys, at: start)
            let time = UInt64(1000 + shift)
            let packet = Packet.ephemeral(Keyring.name(3, time: time, exponent: 4))
            #expect(
                core.told(of: [packet], at: start) == (isHeard ? [.known(0)] : []), "\(shift) s")
        }
        #expect(
            NodeKeys.Ephemeral(
                label: key.label, key: key.key, exponent: 16, zero: start, window: 0) == nil)
        #expect(
            NodeKeys.Ephemeral(
                label: key.label, key: key.key, exponent: 0, zero: start, window: 33) == nil)
    }

    @Test func `a hundred thousand addresses in an hour are bounded and cost no beacon`() {
        let known: [Identity] = [Packet.identity(1), .name(Keyring.label("Tag *"))]
        var core = NodeCore.recognising(known, unregistered: true, at: start)
        var dice = Dice(seed: 11)
        var healths: [NodeHealth] = []
        var frames: [NodeFrame] = []
        let tag = Packet.named("Tag 7", address: 0x4123_4567_89AB)
        for second in 0..<3600 {
            let now = start + .seconds(Double(second))
            for _ in 0..<28 {
                core.heard(
                    Packet.device(dice.next() & 0xFFFF_FFFF_FFFF, -60, isRandom: true), at: now)
            }
            core.heard(Packet.iBeacon(1, -60), at: now)
            if second % 30 == 0 { core.heard(tag, at: now) }
            core.heard(Packet.device(0x4123_4567_89AB, -60, isRandom: true), at: now)
            let effects = core.tick(at: now + .seconds(1))
            healths += effects.healths
            frames += effects.frames
        }
        #expect(frames.count == 3600)
        // The name was said twice a minute only, and never forgotten between.
        #expect(frames.allSatisfy { $0.entries.prefix(2).map(\.beacon) == [.known(0), .known(1)] })
        // 28 a second for a minute, and the two beacons.
        for health in healths.dropFirst(2) {
            #expect(abs(health.devices - 1682) < 40, "\(health.devices)")
            #expect(health.unregistered < 28 * 11)
        }
        // Some sets fill up earlier than others.
        #expect((healths.last?.addressesForgotten ?? 0) < 500)
    }

    @Test func `more than a table holds is pushed out and counted, with few ciphers`() {
        let ciphers = Atomic(0)
        let counting = Cryptography(
            encrypt: { block, key in
                ciphers.add(1, ordering: .relaxed)
                return Keyring.scramble.encrypt(block, key)
            }, open: { _, _ in nil })
        let keys = NodeKeys(
            resolving: (0..<100).map {
                .init(label: Keyring.label("key-\($0)"), key: Keyring.key(UInt64($0)))
            }, ephemeral: [], cryptography: counting)
        let watch = Packet.device(Keyring.address(99, turn: 1), -60, isRandom: true)
        var core = NodeCore.recognising(
            [.irk(.label(Keyring.label("key-99")))], keys: keys, at: start)
        let made = ciphers.load(ordering: .relaxed)
        core.heard(watch, at: start)
        var dice = Dice(seed: 12)
        for number in 0..<20_000 {
            let address = 0x4000_0000_0000 | dice.next() & 0x3FFF_FFFF_FFFF
            core.heard(Packet.device(address, -60, isRandom: true), at: start)
            if number % 100 == 0 { core.heard(watch, at: start) }
        }
        #expect(ciphers.load(ordering: .relaxed) - made <= 20_000)
        #expect(core.tick(at: start + .seconds(1)).frames.first?.entries.map(\.count) == [201])
        let health = core.adapter(.down, at: start + .seconds(1)).healths.first
        #expect((health?.devices ?? 0) <= 4096)
        #expect((health?.addressesForgotten ?? 0) >= 20_000 - 4096)
    }
}
