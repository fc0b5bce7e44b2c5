@testable import NodeEngine
@testable import SiteModel

extension Packet {
    /// A device that says its name, from a random address unless told otherwise.
    static func named(
        _ name: String, address: UInt64, _ level: Int8 = -60, isComplete: Bool = true,
        type: UInt8 = 0x00
    ) -> [UInt8] {
        let bytes = Array(name.utf8)
        return report(
            type: type, address: address, isRandom: true,
            [UInt8(bytes.count + 1), isComplete ? 0x09 : 0x08] + bytes, level)
    }

    /// An Eddystone UID.
    static func eddystone(_ name: Identity.Bytes16, _ level: Int8 = -60) -> [UInt8] {
        let bytes = [name.high, name.low].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) }
        }
        return report(
            address: 0x4000_0000_0000, isRandom: true,
            [0x15, 0x16, 0xAA, 0xFE, 0x00, 0xEE] + bytes, level)
    }

    /// An Eddystone EID.
    static func ephemeral(_ name: UInt64, _ level: Int8 = -60) -> [UInt8] {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: name >> UInt64(56 - 8 * $0)) }
        return report(
            address: 0x4000_0000_0000, isRandom: true,
            [0x0D, 0x16, 0xAA, 0xFE, 0x30, 0xEE] + bytes, level)
    }
}

extension NodeCore {
    /// A node that was up from the start, told to know `identities`.
    static func recognising(
        _ identities: [Identity], allowed: [Identity]? = nil, unregistered: Bool = false,
        keys: NodeKeys? = nil, at start: Timestamp
    ) -> NodeCore {
        let policy = NodePolicy(
            revision: 1, profile: .ranging, publishesUnregistered: unregistered,
            maximumRange: 1000, known: identities, allowed: allowed)
        var core = NodeCore(boot: 7, policy: policy, keys: keys, at: start)
        _ = core.adapter(.up, at: start)
        return core
    }

    /// Whom the next frame tells of after `packets`, heard at `now`, a whole second before it.
    mutating func told(of packets: [[UInt8]], at now: Timestamp) -> [BeaconReference] {
        for packet in packets { heard(packet, at: now) }
        return tick(at: now + .seconds(1)).frames.last?.entries.map(\.beacon) ?? []
    }
}

/// Keys, and what their holders would send.
enum Keyring {
    /// No cipher, but every bit of what goes in changes what comes out.
    static let scramble = Cryptography(
        encrypt: { block, key in
            let first = mix(block.low ^ mix(key.low ^ mix(block.high ^ mix(key.high))))
            return Identity.Bytes16(high: first, low: mix(first ^ key.high))
        },
        open: { _, _ in nil })

    static func key(_ number: UInt64) -> Identity.Bytes16 {
        Identity.Bytes16(high: mix(number), low: mix(~number))
    }

    /// A private address that key `number` resolves; another one for each `turn`.
    static func address(_ number: UInt64, turn: UInt64) -> UInt64 {
        let random = 0x40_0000 | mix(turn ^ number << 32) & 0x3F_FFFF
        let block = Identity.Bytes16(high: 0, low: random)
        return random << 24 | scramble.encrypt(block, key(number)).low & 0xFF_FFFF
    }

    /// The changing name of key `number` when its clock shows `time` seconds.
    static func name(_ number: UInt64, time: UInt64, exponent: UInt64) -> UInt64 {
        let temporary = scramble.encrypt(
            Identity.Bytes16(high: 0, low: 0xFF << 32 | time >> 16), key(number))
        let start = (time >> exponent) << exponent
        return scramble.encrypt(
            Identity.Bytes16(high: 0, low: exponent << 32 | start), temporary
        ).high
    }

    static func label(_ text: String) -> ShortText {
        guard let text = ShortText(text.utf8) else { preconditionFailure("no label: \(text)") }
        return text
    }

    private static func mix(_ number: UInt64) -> UInt64 {
        var dice = Dice(seed: number)
        return dice.next()
    }
}
