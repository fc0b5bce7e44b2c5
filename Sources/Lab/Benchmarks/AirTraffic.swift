import Basics
import NodeEngine
import SiteModel
import Wire

/// What one radio hears of a thousand transmitters: registered tags of three formats, tags nobody
/// registered, and mostly phones under addresses that change.
struct AirTraffic {
    /// Tags the node is told of; the first of the transmitters.
    static let registered = 200
    /// All transmitters.
    static let transmitters = 1000

    private struct Transmitter {
        /// One HCI event with one report.
        var packet: [UInt8]
        /// Where it says the level.
        var levelAt: Int
        /// The level it is usually heard with, in dBm.
        var level: Double
    }

    /// The registered tags as the node is told of them.
    private(set) var beacons: [NodeConfigurationPayload.Beacon] = []
    private var air: [Transmitter] = []
    private var random: SeededRandom

    /// The same seed gives the same air.
    init(seed: UInt64) {
        random = SeededRandom(seed: seed, stream: 91)
        for index in 0..<Self.transmitters {
            let identity: Identity?
            var transmitter: Transmitter
            (transmitter, identity) = Self.transmitter(index, &random)
            transmitter.level = random.number(in: -90 ... -50)
            air.append(transmitter)
            if index < Self.registered, let identity {
                beacons.append(.init(id: "tag-\(index)", identity: identity))
            }
        }
    }

    /// A packet of any of them, each as likely as the other.
    mutating func packet() -> [UInt8] { packet(of: random.index(below: air.count)) }

    /// A packet of a registered tag.
    mutating func registeredPacket() -> [UInt8] {
        packet(of: random.index(below: Self.registered))
    }

    /// A packet of a tag nobody has heard before.
    mutating func newcomer() -> [UInt8] {
        let noise = noise(11)
        let address = Array(noise.prefix(5)) + [0xC0 | noise[5] & 0x3F]
        let data = Self.iBeacon(noise.suffix(5) + [UInt8](repeating: 0x5A, count: 11), noise)
        return DecodeCorpus.event(0x02, [DecodeCorpus.legacy(0x03, address, data, 0xB6)])
    }

    /// A packet of one of them, by index.
    mutating func packet(of index: Int) -> [UInt8] {
        let level = max(-100, min(-30, air[index].level + 4 * random.normal()))
        var packet = air[index].packet
        packet[air[index].levelAt] = UInt8(bitPattern: Int8(level.rounded()))
        return packet
    }

    private mutating func noise(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    private static func transmitter(
        _ index: Int, _ random: inout SeededRandom
    ) -> (Transmitter, Identity?) {
        let noise = (0..<24).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let flags: [UInt8] = [0x02, 0x01, 0x06]
        let fixed = Array(noise.prefix(5)) + [0xC0 | noise[5] & 0x3F]
        // All from 400 on are phones, and some before. Of the tags half are iBeacons.
        if index >= registered, index.isMultiple(of: 8) || index >= 2 * registered {
            let phone = Array(noise.prefix(5)) + [0x40 | noise[5] & 0x3F]
            return legacy(
                0x00, phone, flags + [0x0A, 0xFF, 0x4C, 0x00, 0x10, 0x05, 1, 2, 3, 4, 5], nil)
        }
        switch index % 4 {
        case 0, 1:
            let identity = Identity.iBeacon(
                uuid: bytes16(noise), major: UInt16(index / 256), minor: UInt16(index % 256))
            let tail = [0, UInt8(index / 256), 0, UInt8(index % 256)]
            return legacy(0x03, fixed, iBeacon(noise, tail), identity)
        case 2:
            let data = [0x1B, 0xFF, 0x18, 0x01, 0xBE, 0xAC] + noise.prefix(20) + [0xC5, 0x00]
            let tail = noise[16..<20].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let event = DecodeCorpus.event(0x0D, [DecodeCorpus.extended(fixed, data, 0)])
            // In an extended report the level stands after address, channels, set and power.
            return (
                Transmitter(packet: event, levelAt: 5 + 13, level: 0),
                .altBeacon(head: bytes16(noise), tail: tail)
            )
        default:
            let name: [UInt8] = [0x03, 0x03, 0xAA, 0xFE, 0x15, 0x16, 0xAA, 0xFE, 0x00, 0xEB]
            return legacy(
                0x00, fixed, flags + name + noise.prefix(16), .eddystoneUID(bytes16(noise)))
        }
    }

    private static func legacy(
        _ type: UInt8, _ address: [UInt8], _ data: [UInt8], _ identity: Identity?
    ) -> (Transmitter, Identity?) {
        let packet = DecodeCorpus.event(0x02, [DecodeCorpus.legacy(type, address, data, 0)])
        return (Transmitter(packet: packet, levelAt: packet.count - 1, level: 0), identity)
    }

    /// Flags and an iBeacon: sixteen bytes, then major and minor.
    private static func iBeacon(_ uuid: some Sequence<UInt8>, _ tail: [UInt8]) -> [UInt8] {
        [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + uuid.prefix(16) + tail.prefix(4)
            + [0xC5]
    }

    private static func bytes16(_ bytes: [UInt8]) -> Identity.Bytes16 {
        let half = { (range: Range<Int>) in
            bytes[range].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        return Identity.Bytes16(high: half(0..<8), low: half(8..<16))
    }
}
