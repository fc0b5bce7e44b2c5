import Basics
import SiteModel

/// Somebody who carries one iBeacon tag.
package struct Person: Equatable, Sendable {
    /// The pseudonym, as on topics: `u-` and six base32 digits.
    package var slug: String
    /// A first name and an initial.
    package var name: String
    /// The slug of the tag, as on topics: `b-` and the first name.
    package var beaconSlug: String
    /// The minor of the tag's iBeacon identity, from 1; its UUID and major are `Person.uuid`, 1.
    package var minor: UInt16
    /// The tag's static random address (its two highest bits are set), in the low 48 bits.
    package var address: UInt64

    package init(slug: String, name: String, beaconSlug: String, minor: UInt16, address: UInt64) {
        self.slug = slug
        self.name = name
        self.beaconSlug = beaconSlug
        self.minor = minor
        self.address = address
    }

    /// The UUID of every simulated tag, drawn once for this project.
    package static let uuid = Identity.Bytes16(
        high: 0x7C1D_9A52_3E60_4B8F, low: 0xA4D7_5E2B_90C6_F318)
    /// The major of every simulated tag.
    package static let major: UInt16 = 1
    /// The tag's level at one metre, as it advertises it.
    package static let measuredPower = RSSI(dBm: -59)

    /// What the tag is recognised by.
    package var identity: Identity {
        .iBeacon(uuid: Self.uuid, major: Self.major, minor: minor)
    }
}

extension Layout {
    /// The first `count` people of a seed, at most 65,535: names from a fixed list in its order
    /// (numbered when it repeats), pseudonyms and addresses from the seed.
    package static func people(count: Int, seed: UInt64) -> [Person] {
        precondition((0...65_535).contains(count), "minors count to 65,535")
        var random = SeededRandom(seed: seed, stream: 1)
        var slugs: Set<String> = []
        return (0..<count).map { index in
            let (name, initial) = names[index % names.count]
            let round = index / names.count
            var slug = pseudonym(&random)
            while !slugs.insert(slug).inserted { slug = pseudonym(&random) }
            let suffix = round == 0 ? "" : "-\(round + 1)"
            return Person(
                slug: slug, name: "\(name) \(initial).\(round == 0 ? "" : " \(round + 1)")",
                beaconSlug: "b-\(name.lowercased())\(suffix)", minor: UInt16(index + 1),
                address: 0xC000_0000_0000 | random.next() >> 16)
        }
    }

    private static func pseudonym(_ random: inout SeededRandom) -> String {
        let digits = Array("abcdefghijklmnopqrstuvwxyz234567")
        return "u-" + String((0..<6).map { _ in digits[random.index(below: digits.count)] })
    }

    /// ASCII only, because the slugs of the tags are made from them.
    private static let names = [
        ("Anna", "B"), ("Emre", "K"), ("Lena", "S"), ("Jonas", "W"), ("Mia", "T"), ("Paul", "R"),
        ("Sofia", "M"), ("Tariq", "A"), ("Clara", "H"), ("Felix", "D"), ("Nora", "V"),
        ("Igor", "P"), ("Yuki", "O"), ("Marta", "L"), ("Oscar", "G"), ("Ines", "C"), ("Samir", "F"),
        ("Greta", "N"), ("Luca", "E"), ("Hanna", "J"), ("David", "Z"), ("Zoe", "Q"), ("Erik", "U"),
        ("Amina", "Y"),
    ]
}

/// One packet as one node received it.
package struct Emission: Equatable, Sendable {
    /// Who sent it.
    package enum Sender: Equatable, Sendable {
        /// The tag of a person, by index.
        case person(Int)
        /// Somebody's phone, under a resolvable address that changes every quarter of an hour.
        case phone(address: UInt64)
        /// A machine with a public address and no beacon format.
        case machine(address: UInt64)
        /// Nobody: an event no controller should send, made from these bits.
        case broken(UInt64)
    }

    /// The receiving node, an index into the layout's.
    package var node: Int
    package var at: Timestamp
    /// The level as an HCI event carries it: a signed number of dBm.
    package var rssi: UInt8
    /// Who sent it.
    package var sender: Sender

    package init(node: Int, at: Timestamp, rssi: UInt8, sender: Sender) {
        self.node = node
        self.at = at
        self.rssi = rssi
        self.sender = sender
    }

    /// The person whose tag sent it, by index, or `nil`.
    package var person: Int? {
        if case .person(let index) = sender { index } else { nil }
    }

    /// The H4 packet the controller hands up: an LE Advertising Report event with one report.
    ///
    ///     04 3e len 02 01 type kind address(6, low byte first) length data… rssi
    ///
    /// - Parameter people: those the world was made with.
    package func packet(of people: [Person]) -> [UInt8] {
        switch sender {
        case .person(let index):
            report(type: .unconnectable, kind: 1, people[index].address, people[index].data)
        case .phone(let address):
            // Flags, and an Apple “nearby” message as phones send all day long.
            report(
                type: .connectable, kind: 1, address,
                [0x02, 0x01, 0x1A, 0x06, 0xFF, 0x4C, 0x00, 0x10, 0x01, 0x18])
        case .machine(let address):
            // Flags, and the complete list of one 16-bit service: Fitness Machine, 0x1826.
            report(
                type: .connectable, kind: 0, address, [0x02, 0x01, 0x06, 0x03, 0x03, 0x26, 0x18])
        case .broken(let bits): broken(bits)
        }
    }

    private enum EventType: UInt8 {
        case connectable = 0x00
        case unconnectable = 0x03
    }

    private func report(
        type: EventType, kind: UInt8, _ address: UInt64, _ data: [UInt8]
    ) -> [UInt8] {
        var packet: [UInt8] = [
            0x04, 0x3E, UInt8(12 + data.count), 0x02, 0x01, type.rawValue, kind,
        ]
        packet.reserveCapacity(15 + data.count)
        for shift in stride(from: UInt64(0), to: 48, by: 8) {
            packet.append(UInt8(truncatingIfNeeded: address >> shift))
        }
        packet.append(UInt8(data.count))
        packet.append(contentsOf: data)
        packet.append(rssi)
        return packet
    }

    /// A sound report with one thing wrong.
    private func broken(_ bits: UInt64) -> [UInt8] {
        let address = bits >> 16 | 0xC000_0000_0000
        var packet = report(type: .unconnectable, kind: 1, address, [0x02, 0x01, 0x06])
        switch bits % 5 {
        case 0: packet.removeLast(1 + Int(bits >> 8 & 7))  // Ends too early.
        case 1: packet[4] = 0x19  // Says it holds 25 reports.
        case 2: packet[13] = 0xF0  // Says the data is 240 bytes long.
        case 3: packet[2] = 0xFF  // Says the event is 255 bytes long.
        default: packet = Array(packet.prefix(3))  // Nothing after the header.
        }
        return packet
    }
}

extension Person {
    /// Advertising data: flags, then manufacturer data with the iBeacon.
    ///
    ///     02 01 06   1a ff 4c 00 02 15 uuid(16) major(2) minor(2) power
    fileprivate var data: [UInt8] {
        var data: [UInt8] = [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15]
        data.reserveCapacity(30)
        for half in [Self.uuid.high, Self.uuid.low] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                data.append(UInt8(truncatingIfNeeded: half >> shift))
            }
        }
        for number in [Self.major, minor] {
            data.append(UInt8(number >> 8))
            data.append(UInt8(number & 0xFF))
        }
        data.append(UInt8(bitPattern: Int8(Self.measuredPower.dBm)))
        return data
    }
}
