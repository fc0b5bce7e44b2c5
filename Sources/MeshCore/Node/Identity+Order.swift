extension Identity {
    /// An order that is the same in every run: by kind, then by value.
    static func precedes(_ a: Identity, _ b: Identity) -> Bool { a.rank < b.rank }

    private var rank: (UInt8, UInt64, UInt64, UInt32) {
        switch self {
        case .iBeacon(let uuid, let major, let minor):
            (0, uuid.high, uuid.low, UInt32(major) << 16 | UInt32(minor))
        case .iBeaconRolling(let uuid, let major): (1, uuid.high, uuid.low, UInt32(major))
        case .altBeacon(let head, let tail): (2, head.high, head.low, tail)
        case .eddystoneUID(let name): (3, name.high, name.low, 0)
        case .address(let address): (4, address, 0, 0)
        }
    }
}
