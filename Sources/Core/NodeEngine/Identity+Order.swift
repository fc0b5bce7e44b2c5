import SiteModel

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
