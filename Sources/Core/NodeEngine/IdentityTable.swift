import SiteModel

/// What is known of the sender of one advertisement.
struct MatchKeys: Sendable {
    /// The beacon it sends.
    var beacon: Identity?
    /// The place of the key that makes its changing name.
    var ephemeral: Int?
    /// Its address, if that is fixed.
    var address: UInt64?
    /// The place of the key that resolves its address.
    var owner: Int?
}

/// A list of identities made ready for look-ups: own names by hash, then rules in their order. A
/// look-up allocates nothing.
struct IdentityTable: Sendable {
    private struct Region: Sendable {
        var place: Int
        var uuid: Identity.Bytes16
        var major: Identity.Masked
        var minor: Identity.Masked
    }

    /// Places of everything that is looked up; of two equal ones the first.
    private var places: [Identity: Int] = [:]
    /// By place of the key.
    private var ofOwner: [Int?]
    private var ofEphemeral: [Int?]
    /// With their places, in order.
    private var regions: [Region] = []
    private var names: [(place: Int, pattern: ShortText)] = []
    private var hasExactNames = false

    /// Whether names matter at all.
    var hasNames: Bool { hasExactNames || !names.isEmpty }

    /// Identities of keys that are not in `keys` are never found.
    init(_ identities: [Identity], keys: NodeKeys?) {
        ofOwner = Array(repeating: nil, count: keys?.resolving.count ?? 0)
        ofEphemeral = Array(repeating: nil, count: keys?.ephemeral.count ?? 0)
        for (place, identity) in identities.enumerated() where places[identity] == nil {
            add(identity, at: place, keys)
        }
    }

    /// The place of what the sender is by its own name, or by one without the part that rolls.
    func place(of clues: MatchKeys) -> Int? {
        if let beacon = clues.beacon, let place = place(ofBeacon: beacon) { return place }
        if let key = clues.ephemeral, let place = ofEphemeral[key] { return place }
        if let address = clues.address, let place = places[.address(address)] { return place }
        if let key = clues.owner { return ofOwner[key] }
        return nil
    }

    /// The place of the first region that a beacon is in.
    func region(of beacon: Identity?) -> Int? {
        guard case .iBeacon(let uuid, let major, let minor) = beacon else { return nil }
        return regions.first {
            $0.uuid == uuid && $0.major.holds(major) && $0.minor.holds(minor)
        }?.place
    }

    /// The place of a name, else of the first pattern it fits.
    func place(ofName name: Span<UInt8>, isComplete: Bool) -> Int? {
        if isComplete, hasExactNames, let text = ShortText(name), let place = places[.name(text)] {
            return place
        }
        for (place, pattern) in names where pattern.fits(name, isComplete: isComplete) {
            return place
        }
        return nil
    }

    /// Whether the name at a place is meant as it stands, and so goes before rules.
    func isExactName(at place: Int) -> Bool { !names.contains { $0.place == place } }

    private func place(ofBeacon beacon: Identity) -> Int? {
        if let place = places[beacon] { return place }
        switch beacon {
        case .iBeacon(let uuid, let major, _):
            return places[.iBeaconRolling(uuid: uuid, major: major)]
        case .eddystoneUID(let name): return places[.eddystoneNamespace(name.namespace)]
        default: return nil
        }
    }

    private mutating func add(_ identity: Identity, at place: Int, _ keys: NodeKeys?) {
        places[identity] = place
        switch identity {
        case .iBeaconRegion(let uuid, let major, let minor):
            regions.append(Region(place: place, uuid: uuid, major: major, minor: minor))
        case .name(let text):
            if text.hasWildcards { names.append((place, text)) } else { hasExactNames = true }
        case .irk(let name):
            guard let key = keys?.resolvingPlace(of: name), ofOwner[key] == nil else { return }
            ofOwner[key] = place
        case .eddystoneEID(let name):
            guard let key = keys?.ephemeralPlace(of: name), ofEphemeral[key] == nil else { return }
            ofEphemeral[key] = place
        case .iBeacon, .iBeaconRolling, .altBeacon, .eddystoneUID, .eddystoneNamespace, .address:
            break
        }
    }
}

extension Identity.Bytes16 {
    /// The first ten bytes, which are the namespace of an Eddystone UID.
    package var namespace: Identity.Bytes16 {
        Identity.Bytes16(high: high, low: low & 0xFFFF_0000_0000_0000)
    }
}

extension Identity {
    /// An order that is the same in every run: by kind, then by value.
    package static func precedes(_ a: Identity, _ b: Identity) -> Bool {
        switch (a, b) {
        case (.name(let first), .name(let second)),
            (.irk(.label(let first)), .irk(.label(let second))),
            (.eddystoneEID(.label(let first)), .eddystoneEID(.label(let second))):
            ShortText.precedes(first, second)
        default: a.rank < b.rank
        }
    }

    /// Texts of one kind have one rank.
    private var rank: (UInt8, UInt64, UInt64, UInt64) {
        switch self {
        case .iBeacon(let uuid, let major, let minor):
            (0, uuid.high, uuid.low, UInt64(major) << 16 | UInt64(minor))
        case .iBeaconRolling(let uuid, let major): (1, uuid.high, uuid.low, UInt64(major))
        case .iBeaconRegion(let uuid, let major, let minor):
            (
                2, uuid.high, uuid.low,
                UInt64(major.value) << 48 | UInt64(major.mask) << 32 | UInt64(minor.value) << 16
                    | UInt64(minor.mask)
            )
        case .altBeacon(let head, let tail): (3, head.high, head.low, UInt64(tail))
        case .eddystoneUID(let name): (4, name.high, name.low, 0)
        case .eddystoneNamespace(let name): (5, name.high, name.low, 0)
        case .eddystoneEID(.digits(let digits)): (6, UInt64(digits), 0, 0)
        case .eddystoneEID(.label): (7, 0, 0, 0)
        case .address(let address): (8, address, 0, 0)
        case .irk(.digits(let digits)): (9, UInt64(digits), 0, 0)
        case .irk(.label): (10, 0, 0, 0)
        case .name: (11, 0, 0, 0)
        }
    }
}
