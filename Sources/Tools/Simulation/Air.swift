import Basics
import SiteModel

/// The radio between transmitters and nodes, by the log-distance model with walls and shadows.
///
///     level = −59 − 22·log₁₀ max(d, 0.3 m) − 5 per wall + node + shadow + fading    (dBm)
///
/// `node` is a constant of each node (deviation 1.5 dB unless told otherwise); `shadow` drifts for each transmitter and
/// node (3 dB, 5 s: bodies and machines); `fading` differs for each packet (2.5 dB, and for 3 % of
/// them a notch of −10 dB). Above −85 dBm 95 % of the packets are heard, below −97 dBm none.
package struct Air: Equatable, Sendable {
    private static let fadingDeviation = 2.5
    private static let shadowDeviation = 3.0
    private static let shadowSeconds = 5.0
    private static let surely = -85.0
    private static let never = -97.0

    private let nodes: [Layout.Node]
    private let offsets: [Double]
    /// The shadow of transmitter t at node n, at `t * nodes.count + n`; `means` likewise.
    private var shadows: [Double]
    /// The level without shadow and fading.
    private var means: [Double]
    /// How much of a shadow is left after one advertising interval, and what comes new.
    private let memory: Double
    private let novelty: Double

    /// Air between `transmitters` and the nodes of a layout, with a packet every `interval`.
    package init(
        _ layout: Layout, transmitters: Int, interval: Timestamp.Span, nodeDeviation: Double,
        _ random: inout SeededRandom
    ) {
        nodes = layout.nodes
        var offsets: [Double] = []
        for _ in layout.nodes { offsets.append(random.normal() * nodeDeviation) }
        self.offsets = offsets
        var shadows: [Double] = []
        for _ in 0..<transmitters * layout.nodes.count {
            shadows.append(random.normal() * Self.shadowDeviation)
        }
        self.shadows = shadows
        means = Array(repeating: -.infinity, count: shadows.count)
        memory = Exponential.exp(-interval.seconds / Self.shadowSeconds)
        novelty = (1 - memory * memory).squareRoot() * Self.shadowDeviation
    }

    /// A transmitter is now at `point`.
    package mutating func move(_ transmitter: Int, to point: Layout.Point, in layout: Layout) {
        for (index, node) in nodes.enumerated() {
            let distance = max(point.distance(to: node.position), 0.3)
            let walls = layout.boundaries(from: point, to: node.position)
            means[transmitter * nodes.count + index] =
                -59 - 22 * Exponential.log10(distance) - 5 * Double(walls) + offsets[index]
        }
    }

    /// One packet of a transmitter: calls `heard` with each node that received it and the level in
    /// whole dBm, in the order of the nodes.
    @inline(__always)
    package mutating func send(
        from transmitter: Int, _ random: inout SeededRandom, _ heard: (Int, Int8) -> Void
    ) {
        let first = transmitter * nodes.count
        for node in nodes.indices {
            let pair = first + node
            let shadow = shadows[pair] * memory + random.normal() * novelty
            shadows[pair] = shadow
            var level = means[pair] + shadow + random.normal() * Self.fadingDeviation
            // One draw decides both: its high half the notch, its low half the reception.
            let bits = random.next()
            if Double(bits >> 32) < 0.03 * 0x1p32 { level -= 10 }
            let part = min((level - Self.never) / (Self.surely - Self.never), 1)
            guard Double(bits & 0xFFFF_FFFF) < 0.95 * part * 0x1p32 else { continue }
            heard(node, Int8(min(level.rounded(), 20)))
        }
    }
}

/// A transmitter nobody registered. It stays where it is.
struct Stray: Equatable, Sendable {
    private enum Kind: Equatable, Sendable {
        case phone(salt: UInt64)
        case machine(address: UInt64)
        case broken
    }

    private let kind: Kind
    /// Where it is.
    let position: Layout.Point

    /// The stray of a number: the second is a machine with a public address, the third a source of
    /// broken events, all others are phones.
    init(number: Int, in layout: Layout, _ random: inout SeededRandom) {
        kind =
            switch number {
            // 00-00-5E-00-53-xx is set aside for examples (RFC 7042, section 2.1.2).
            case 1: .machine(address: 0x0000_5E00_5300 | random.next() & 0xFF)
            case 2: .broken
            default: .phone(salt: random.next())
            }
        let room = layout.rooms[random.index(below: layout.rooms.count)]
        position = Layout.Point(
            random.number(in: room.low.x...room.high.x),
            random.number(in: room.low.y...room.high.y))
    }

    /// Milliseconds until the next packet.
    func pause(_ random: inout SeededRandom) -> Timestamp.Span {
        switch kind {
        case .phone: random.span(seconds: 0.3...1.5)
        case .machine: random.span(seconds: 1...1.01)
        case .broken: random.span(seconds: 2...20)
        }
    }

    /// Who sends at a moment.
    func sender(at now: Timestamp, _ random: inout SeededRandom) -> Emission.Sender {
        switch kind {
        case .phone(let salt):
            // Bits 01 on top: a resolvable private address, new every quarter of an hour.
            let quarter = UInt64(bitPattern: now.second / 900)
            var dice = SeededRandom(seed: salt, stream: quarter)
            return .phone(address: dice.next() >> 18 | 0x4000_0000_0000)
        case .machine(let address): return .machine(address: address)
        case .broken: return .broken(random.next())
        }
    }
}
