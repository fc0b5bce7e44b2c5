import Basics
import SiteModel

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
