/// A list of identities made ready for look-ups: whole ones by hash, then rules in their order. A
/// look-up allocates nothing. Keys are not here: what they make, only who holds them can tell.
package struct IdentityRules: Sendable {
    private struct Region: Sendable {
        var place: Int
        var uuid: Identity.Bytes16
        var major: Identity.Masked
        var minor: Identity.Masked
    }

    /// Places of everything that is looked up; of two equal ones the first.
    private var places: [Identity: Int] = [:]
    /// With their places, in order.
    private var regions: [Region] = []
    private var names: [(place: Int, pattern: ShortText)] = []
    private var hasExactNames = false
    private var hasAnyDigit = false

    /// Whether names matter at all.
    package var hasNames: Bool { hasExactNames || !names.isEmpty }

    package init(_ identities: [Identity]) {
        for (place, identity) in identities.enumerated() where places[identity] == nil {
            places[identity] = place
            switch identity {
            case .iBeaconRegion(let uuid, let major, let minor):
                regions.append(Region(place: place, uuid: uuid, major: major, minor: minor))
            case .name(let text):
                if text.hasWildcards { names.append((place, text)) } else { hasExactNames = true }
            case .iBeaconAnyDigit: hasAnyDigit = true
            case .iBeacon, .iBeaconRolling, .altBeacon, .eddystoneUID, .eddystoneNamespace,
                .eddystoneEID, .address, .irk:
                break
            }
        }
    }

    /// The place of exactly this identity, or of it without the part that changes.
    package func place(of identity: Identity) -> Int? {
        if let place = places[identity] { return place }
        switch identity {
        case .iBeacon(let uuid, let major, let minor):
            if hasAnyDigit, let place = places[.anyDigit(uuid: uuid, major: major, minor: minor)] {
                return place
            }
            return places[.iBeaconRolling(uuid: uuid, major: major)]
        case .eddystoneUID(let name): return places[.eddystoneNamespace(name.namespace)]
        default: return nil
        }
    }

    /// The place of the first region that a beacon is in.
    package func region(of beacon: Identity?) -> Int? {
        guard case .iBeacon(let uuid, let major, let minor) = beacon else { return nil }
        return regions.first {
            $0.uuid == uuid && $0.major.holds(major) && $0.minor.holds(minor)
        }?.place
    }

    /// The place of a name, else of the first pattern it fits.
    package func place(ofName name: Span<UInt8>, isComplete: Bool) -> Int? {
        if isComplete, hasExactNames, let text = ShortText(name), let place = places[.name(text)] {
            return place
        }
        for (place, pattern) in names where pattern.fits(name, isComplete: isComplete) {
            return place
        }
        return nil
    }

    /// The rule that counts where no whole identity does: a whole name, else the first of the
    /// region a beacon is in and of the name pattern at `named`.
    package func rule(for beacon: Identity?, named: Int?) -> Int? {
        guard let region = region(of: beacon) else { return named }
        guard let named else { return region }
        return isPattern(at: named) ? min(named, region) : named
    }

    private func isPattern(at place: Int) -> Bool { names.contains { $0.place == place } }
}

extension Identity.Bytes16 {
    /// The first ten bytes, which are the namespace of an Eddystone UID.
    package var namespace: Identity.Bytes16 {
        Identity.Bytes16(high: high, low: low & 0xFFFF_0000_0000_0000)
    }
}
