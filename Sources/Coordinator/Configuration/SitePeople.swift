import MeshCore
import MeshWire
import Settings
import Storage

/// Reads users, then the beacons they carry.
struct SitePeople {
    private(set) var users: Set<String> = []
    private var beacons: Set<String> = []
    /// The beacon of each identity.
    private var beaconOfIdentity: [Identity: String] = [:]
    /// The first beacon with a fixed minor of each iBeacon name without it.
    private var beaconOfStem: [Identity: String] = [:]

    mutating func user(_ item: inout SettingsReader) -> SiteDocument.User {
        let slug = item.newSlug(&users)
        return SiteDocument.User(slug: slug, name: item.name(default: slug))
    }

    /// `nil` if the identity is faulty, which has been reported.
    mutating func beacon(
        _ item: inout SettingsReader, at places: SitePlaces
    ) -> SiteDocument.Beacon? {
        let slug = item.newSlug(&beacons)
        if Identity(text: slug) != nil {
            item.refuse("id", "is what an unregistered beacon is called, expected another name")
        }
        let title = item.name("title", default: slug)
        let user = item.reference("user", to: users, "user")
        let place = places.place(&item)
        if user != nil, place.room != nil || place.station != nil {
            item.refuse("user", "a beacon is carried or fixed at a place, not both")
        }
        guard let identity = Self.identity(&item) else { return nil }
        if let other = claim(identity, for: slug) {
            item.refuse("identity", "beacon \"\(other)\" has it already")
        }
        return SiteDocument.Beacon(
            slug: slug, title: title, identity: identity, user: user, room: place.room,
            station: place.station)
    }

    /// Returns the beacon that would answer to the same advertisement, if there is one.
    private mutating func claim(_ identity: Identity, for slug: String) -> String? {
        if let other = beaconOfIdentity[identity] { return other }
        beaconOfIdentity[identity] = slug
        switch identity {
        case .iBeacon(let uuid, let major, _):
            let stem = Identity.iBeaconRolling(uuid: uuid, major: major)
            if beaconOfStem[stem] == nil { beaconOfStem[stem] = slug }
            return beaconOfIdentity[stem]
        case .iBeaconRolling: return beaconOfStem[identity]
        case .altBeacon, .eddystoneUID, .address: return nil
        }
    }

    /// Either the text that topics use or, for an iBeacon, its three numbers.
    private static func identity(_ item: inout SettingsReader) -> Identity? {
        if item.holdsSection("identity") { return item.section("identity") { iBeacon(&$0) } }
        let text = item.word("identity")
        if text.isEmpty { return nil }
        let identity = Identity(text: text)
        if identity == nil {
            item.refuse(
                "identity",
                "expected ib-<32 hex>-<major>-<minor>, ib-<32 hex>-<major>, ab-<40 hex>,"
                    + " eu-<20 hex>-<12 hex>, mac-<12 hex> (lower case) or uuid, major, minor")
        }
        return identity
    }

    private static func iBeacon(_ identity: inout SettingsReader) -> Identity? {
        let word = identity.word("uuid")
        let major = identity.int("major", in: 0...65535)
        let isRolling = identity.bool("rolling", default: false)
        // Of a rolling minor nothing can be said, so the key is not even known then.
        let minor = isRolling ? nil : identity.int("minor", in: 0...65535)
        if word.isEmpty { return nil }
        let hex = word.lowercased().filter { $0 != "-" }
        let text = "ib-\(hex)-\(major)" + (minor.map { "-\($0)" } ?? "")
        let read = Identity(text: text)
        if read == nil { identity.refuse("uuid", "expected 32 hexadecimal digits") }
        return read
    }
}
