import Basics

@testable import NodeEngine
@testable import SiteModel

/// Numbers for tests, so that a seed printed by a failing test brings the failure back.
typealias Dice = SplitMix64

/// HCI packets as a controller makes them: one legacy advertising report each.
enum Packet {
    static let uuid = Identity.Bytes16(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10)

    /// An iBeacon from a rotating address.
    static func iBeacon(_ minor: UInt16, _ level: Int8, major: UInt16 = 1, power: Int8 = -59)
        -> [UInt8]
    {
        let data: [UInt8] =
            [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + (1...16).map { UInt8($0) }
            + [UInt8(major >> 8), UInt8(major & 0xFF), UInt8(minor >> 8), UInt8(minor & 0xFF)]
            + [UInt8(bitPattern: power)]
        return report(address: 0x4000_0000_0000 | UInt64(minor), isRandom: true, data, level)
    }

    /// A device with a public address, and nothing to say.
    static func device(_ address: UInt64, _ level: Int8, isRandom: Bool = false) -> [UInt8] {
        report(address: address, isRandom: isRandom, [0x02, 0x01, 0x06], level)
    }

    static func report(
        type: UInt8 = 0x03, address: UInt64, isRandom: Bool, _ data: [UInt8], _ level: Int8
    ) -> [UInt8] {
        let bytes = (0..<6).map { UInt8(truncatingIfNeeded: address >> ($0 * 8)) }
        let event: [UInt8] =
            [0x02, 0x01, type, isRandom ? 1 : 0] + bytes + [UInt8(data.count)] + data
            + [UInt8(bitPattern: level)]
        return [0x04, 0x3E, UInt8(event.count)] + event
    }

    static func identity(_ minor: UInt16) -> Identity {
        .iBeacon(uuid: uuid, major: 1, minor: minor)
    }
}

extension NodeCore {
    /// A node that was up from the start, told to know iBeacons 0 ..< `known`.
    static func listening(
        known: UInt16 = 2, unregistered: Bool = false, range: Double = 1000,
        profile: NodePolicy.Profile = .ranging, floor: RSSI = NodePolicy.presetFloor,
        at start: Timestamp
    ) -> NodeCore {
        let policy = NodePolicy(
            revision: 1, profile: profile, publishesUnregistered: unregistered,
            maximumRange: range, floor: floor, known: (0..<known).map { Packet.identity($0) })
        var core = NodeCore(boot: 7, policy: policy, at: start)
        _ = core.adapter(.up, at: start)
        return core
    }

    mutating func heard(_ packet: [UInt8], at now: Timestamp) { heard(packet.span, at: now) }
}

extension [NodeCore.Effect] {
    var frames: [NodeFrame] { compactMap { if case .frame(let frame) = $0 { frame } else { nil } } }
    var readings: [NodeReading] {
        compactMap { if case .reading(let reading) = $0 { reading } else { nil } }
    }
    var beats: [NodeBeat] { compactMap { if case .beat(let beat) = $0 { beat } else { nil } } }
    var healths: [NodeHealth] {
        compactMap { if case .health(let health) = $0 { health } else { nil } }
    }
}
