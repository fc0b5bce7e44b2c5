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
