import Settings
import SiteModel
import SiteStore
import Registry

/// Reads users, then the beacons they carry.
struct SitePeople {
    private(set) var users: Set<String> = []
    private var beacons: Set<String> = []
    /// The beacon of each identity.
    private var beaconOfIdentity: [Identity: String] = [:]
    /// The first beacon with a fixed minor of each iBeacon name without it.
    private var beaconOfStem: [Identity: String] = [:]
    /// What is tried in order, and by which beacon.
    private var rules: [(identity: Identity, beacon: String)] = []

    mutating func user(_ item: inout SettingsReader) -> SiteDocument.User {
        let slug = item.newSlug(&users)
        let name = item.name(default: slug)
        let consent = item.stringIfPresent("consent", length: 64)
        if consent == "" {
            item.refuse("consent", "expected the version of a text, like \"2026-1\"")
        }
        return SiteDocument.User(slug: slug, name: name, consent: consent)
    }

    /// `nil` if the identity is faulty, which has been reported.
    mutating func beacon(
        _ item: inout SettingsReader, at places: SitePlaces
    ) -> SiteDocument.Beacon? {
        let slug = item.newSlug(&beacons)
        if Identity(text: slug)?.isOwnName == true {
            item.refuse("id", "is what an unregistered beacon is called, expected another name")
        }
        let title = item.name("title", default: slug)
        let user = item.reference("user", to: users, "user")
        let place = places.place(&item)
        if user != nil, place.room != nil || place.station != nil {
            item.refuse("user", "a beacon is carried or fixed at a place, not both")
        }
        let threshold = item.numberIfPresent("threshold_dbm", in: -127...20)
        guard let identity = SiteIdentity.read(&item) else { return nil }
        if let other = claim(identity, for: slug) {
            item.refuse("identity", "beacon \"\(other)\" has it already")
        } else if identity.isTriedInOrder {
            add(rule: identity, of: slug, &item)
        }
        return SiteDocument.Beacon(
            slug: slug, title: title, identity: identity, user: user, room: place.room,
            station: place.station, threshold: threshold.map { RSSI(dBm: $0) })
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
        case .iBeaconRegion, .altBeacon, .eddystoneUID, .eddystoneNamespace, .eddystoneEID,
            .address, .irk, .name:
            return nil
        }
    }

    private mutating func add(
        rule identity: Identity, of slug: String, _ item: inout SettingsReader
    ) {
        if let other = rules.first(where: { $0.identity.hides(identity) }) {
            item.refuse(
                "identity",
                "could never be heard: beacon \"\(other.beacon)\" comes first and takes all of it")
        }
        rules.append((identity, slug))
        if rules.count == NodePolicy.mostRules + 1 {
            item.refuse("identity", "more than \(NodePolicy.mostRules) masks and name patterns")
        }
    }
}
