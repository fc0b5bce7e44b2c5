import Basics
import BeaconDecoding
import Foundation
import Platform
import Simulation
import SiteModel

/// `decode`: from the bytes of an HCI packet to identity and level, an advertisement.
enum DecodeBench {
    private static let packets = 20_000

    static func run(_ context: BenchContext) throws -> [Figure] {
        let folder = try context.directory("decode")
        let walk = try CWalk(into: folder, searchPath: context.searchPath)
        let corpus = DecodeCorpus(seed: context.seed, count: packets)
        let file = folder + "/packets"
        try corpus.file.write(to: URL(fileURLWithPath: file))

        let milliseconds = context.amount(quick: 100, full: 400)
        let expected = DecodeTotals(decoding: corpus)
        var walks: [Double] = []
        let samples = try context.samples { _ in
            let best = try walk.run(file, milliseconds: milliseconds)
            guard best.totals == expected else {
                throw BenchFailure.failed(
                    "the walk in C finds \(best.totals), the decoder \(expected)")
            }
            walks.append(best.each)
            return time(corpus, milliseconds: Double(milliseconds))
        }
        return [
            Figure(
                "decode", unit: "ns/advertisement", samples,
                limit: Figure.Limit(name: "c-walk", value: Samples(rounds: walks).value),
                bar: .atMost(40), ceiling: .atMost(300))
        ]
    }

    /// Nanoseconds of one advertisement, measured over at least `milliseconds`.
    private static func time(_ corpus: DecodeCorpus, milliseconds: Double) -> Double {
        let watch = Stopwatch()
        var reports: UInt64 = 0
        repeat {
            reports += DecodeTotals(decoding: corpus).reports
        } while watch.nanoseconds < milliseconds * 1e6
        return watch.nanoseconds / Double(max(reports, 1))
    }
}

/// HCI packets as a node in a busy gym receives them: tags, phones, a machine, broken events, and
/// now and then the other formats, one after the other in one buffer.
struct DecodeCorpus: Equatable {
    /// All packets without anything between them.
    private(set) var bytes: [UInt8] = []
    /// Where each packet ends in `bytes`.
    private(set) var ends: [Int] = []

    /// At least `count` packets; the same seed gives the same bytes.
    init(seed: UInt64, count: Int) {
        let people = Layout.people(count: 12, seed: seed)
        var world = World(
            .gym, people: people, pace: .live, seed: seed, from: BenchContext.start, strays: 40)
        var random = SeededRandom(seed: seed, stream: 90)
        // By then most people have come in.
        var second = BenchContext.start.second + 60
        world.advance(to: Timestamp(second: second)) { _ in }
        while ends.count < count {
            second += 1
            world.advance(to: Timestamp(second: second)) { emission in
                add(emission.packet(of: people))
                // One of sixteen advertisements is of another format.
                guard random.index(below: 16) == 0 else { return }
                add(Self.other(rssi: emission.rssi, &random))
            }
        }
    }

    /// The number of packets.
    var count: Int { ends.count }

    /// The packets for the walk in C: of each its length in two bytes, low one first, and itself.
    var file: Data {
        var data = Data(capacity: bytes.count + 2 * ends.count)
        var start = 0
        for end in ends {
            data.append(UInt8(truncatingIfNeeded: end - start))
            data.append(UInt8(truncatingIfNeeded: (end - start) >> 8))
            data.append(contentsOf: bytes[start..<end])
            start = end
        }
        return data
    }

    private mutating func add(_ packet: [UInt8]) {
        bytes += packet
        ends.append(bytes.count)
    }

    /// An AltBeacon, an Eddystone UID, an extended report, an answer to a scan, or an event with
    /// two reports.
    private static func other(rssi: UInt8, _ random: inout SeededRandom) -> [UInt8] {
        let noise = (0..<20).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let address = Array(noise.prefix(5)) + [0xC0 | noise[5]]
        let flags: [UInt8] = [0x02, 0x01, 0x06]
        let altBeacon = [0x1B, 0xFF, 0x18, 0x01, 0xBE, 0xAC] + noise + [0xC5, 0x00]
        let eddystone =
            flags + [0x03, 0x03, 0xAA, 0xFE, 0x15, 0x16, 0xAA, 0xFE, 0x00, 0xEB] + noise.prefix(16)
        let name = [0x09, 0x09] + Array("Treadmil".utf8)
        switch random.index(below: 5) {
        case 0: return event(0x02, [legacy(0x03, address, altBeacon, rssi)])
        case 1: return event(0x02, [legacy(0x00, address, eddystone, rssi)])
        case 2: return event(0x0D, [extended(address, altBeacon, rssi)])
        case 3: return event(0x02, [legacy(0x04, address, name, rssi)])
        default:
            return event(
                0x02, [legacy(0x00, address, flags, rssi), legacy(0x04, address, name, rssi)])
        }
    }

    /// An H4 packet with an LE meta event of these reports.
    static func event(_ subevent: UInt8, _ reports: [[UInt8]]) -> [UInt8] {
        let body = [subevent, UInt8(reports.count)] + reports.flatMap { $0 }
        return [0x04, 0x3E, UInt8(body.count)] + body
    }

    /// A report of a random address, low byte first.
    static func legacy(
        _ type: UInt8, _ address: [UInt8], _ data: [UInt8], _ rssi: UInt8
    ) -> [UInt8] {
        [type, 0x01] + address + [UInt8(data.count)] + data + [rssi]
    }

    /// Not connectable, on the 1M and 2M channels, set 0, no power stated, no interval, no target.
    static func extended(_ address: [UInt8], _ data: [UInt8], _ rssi: UInt8) -> [UInt8] {
        [0x00, 0x00, 0x01] + address + [0x01, 0x02, 0x00, 0x7F, rssi, 0x00, 0x00, 0x00]
            + [UInt8](repeating: 0, count: 6) + [UInt8(data.count)] + data
    }
}

/// What a walk over a corpus found. Two walks that found the same did the same work.
struct DecodeTotals: Equatable {
    /// Advertising reports.
    var reports: UInt64 = 0
    /// Those with an identity.
    var identified: UInt64 = 0
    /// The sum of all levels in dBm.
    var levels: Int64 = 0
    /// The sum of all identities, each folded into 64 bits.
    var identities: UInt64 = 0

    /// Walks a corpus with the decoder of the nodes.
    init(decoding corpus: DecodeCorpus) {
        var totals = self
        let bytes = corpus.bytes.span
        var start = 0
        for end in corpus.ends {
            _ = AdvertisingEvent.forEachReport(in: bytes.extracting(start..<end)) { report, data in
                totals.reports += 1
                if let level = report.rssi { totals.levels += Int64(level.dBm) }
                guard let found = Identification.identity(of: report, data: data) else { return }
                totals.identified += 1
                totals.identities &+= Self.folded(found.identity)
            }
            start = end
        }
        self = totals
    }

    /// Reads the line of the walk in C: reports, identified, levels, identities.
    init?(words: [Substring]) {
        guard words.count >= 4, let reports = UInt64(words[0]), let identified = UInt64(words[1]),
            let levels = Int64(words[2]), let identities = UInt64(words[3])
        else { return nil }
        self.reports = reports
        self.identified = identified
        self.levels = levels
        self.identities = identities
    }

    private static func folded(_ identity: Identity) -> UInt64 {
        switch identity {
        case .iBeacon(let uuid, let major, let minor):
            uuid.high ^ (uuid.low &+ UInt64(major) << 16 &+ UInt64(minor))
        case .iBeaconRolling(let uuid, let major): uuid.high ^ (uuid.low &+ UInt64(major) << 16)
        case .altBeacon(let head, let tail): head.high ^ (head.low &+ UInt64(tail))
        case .eddystoneUID(let bytes): bytes.high ^ bytes.low
        case .address(let address): address
        // Rules and keys: nobody's name before it is looked up, which the walk does not.
        case .iBeaconAnyDigit, .iBeaconRegion, .eddystoneNamespace, .eddystoneEID, .irk, .name: 0
        }
    }
}
