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

/// A list of identities made ready for look-ups, with those that keys make. A look-up allocates
/// nothing.
struct IdentityTable: Sendable {
    /// All that needs no key.
    let rules: IdentityRules
    /// By place of the key.
    private var ofOwner: [Int?]
    private var ofEphemeral: [Int?]

    /// Identities of keys that are not in `keys` are never found.
    init(_ identities: [Identity], keys: NodeKeys?) {
        rules = IdentityRules(identities)
        ofOwner = Array(repeating: nil, count: keys?.resolving.count ?? 0)
        ofEphemeral = Array(repeating: nil, count: keys?.ephemeral.count ?? 0)
        for (place, identity) in identities.enumerated() {
            switch identity {
            case .irk(let name):
                guard let key = keys?.resolvingPlace(of: name) else { continue }
                ofOwner[key] = ofOwner[key] ?? place
            case .eddystoneEID(let name):
                guard let key = keys?.ephemeralPlace(of: name) else { continue }
                ofEphemeral[key] = ofEphemeral[key] ?? place
            default: continue
            }
        }
    }

    /// The place of what the sender is by its own name, or by one without the part that rolls.
    func place(of clues: MatchKeys) -> Int? {
        if let beacon = clues.beacon, let place = rules.place(of: beacon) { return place }
        if let key = clues.ephemeral, let place = ofEphemeral[key] { return place }
        if let address = clues.address, let place = rules.place(of: .address(address)) {
            return place
        }
        if let key = clues.owner { return ofOwner[key] }
        return nil
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
        case .iBeaconAnyDigit(let uuid, let major, let minor):
            (12, uuid.high, uuid.low, UInt64(major) << 16 | UInt64(minor))
        }
    }
}
