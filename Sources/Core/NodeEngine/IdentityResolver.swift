import BeaconDecoding
import SiteModel

/// Identifies the sender of an advertisement: a registered beacon, else a transmitter by its own
/// identity, else nobody.
///
/// A registered beacon is found by the first of these that fits: its beacon format, whole, without a
/// rolling minor or by its namespace; its changing name; its fixed address; the owner of its
/// private address; its whole name; then rules, regions and name patterns, in the order of the
/// policy. A name heard once, be it in an answer to a scan request, counts for what else the
/// address sends, for as long as the address is remembered.
///
/// A tag may send several identities of which one is registered: where they come from one address that lasts, they are
/// that tag. Whoever plays several beacons from one address is the one of them that is registered.
///
/// Unregistered senders count only if the allowed identities include them.
struct IdentityResolver: Sendable {
    /// Whom an advertisement is from.
    struct Sighting: Equatable, Sendable {
        /// Which transmitter.
        var beacon: BeaconReference
        /// The level at 1 m it claims to have, if any.
        var measuredPower: RSSI?
        /// Whether it is in a beacon format, so that its distance can be estimated.
        var isBeacon: Bool
        /// What the advertisement looks like.
        var shape: UInt32 = 0
        /// Whether its private address has been kept for longer than any before.
        var isAddressOld = false
        /// Whether it is another identity of the transmitter, told by its lasting address only.
        var isAlias = false
    }

    /// Ciphers spent on private addresses a second, at most: a flood of made-up addresses must not
    /// take the processor. What is left untried is tried at its next advertisement.
    static let mostTrials = 20_000

    private let keys: NodeKeys?
    private var registered: IdentityTable
    /// By index: whether a registered beacon is known by a changing name.
    private var isEphemeral: [Bool]
    private var allowed: IdentityTable?
    private var addresses = AddressTable()
    private var ephemeral: EphemeralNames?
    private var trails: PrivateTrails
    private var trialSecond = Int64.min
    private var trialsLeft = 0
    /// Advertisements of transmitters that are not allowed.
    private(set) var excluded = 0
    /// What a registered beacon, by index, said about itself in the last advertisement, be it one
    /// without its name.
    private(set) var telemetry: (beacon: Int, said: Telemetry)?

    init(_ policy: NodePolicy, keys: NodeKeys?) {
        self.keys = keys
        registered = IdentityTable(policy.known, keys: keys)
        isEphemeral = policy.known.map(\.isEphemeral)
        allowed = policy.allowed.map { IdentityTable($0, keys: keys) }
        ephemeral = keys.map { EphemeralNames($0) }
        trails = PrivateTrails(keys: keys?.resolving.count ?? 0)
    }

    /// Another policy is in force. Addresses stay resolved.
    mutating func apply(_ policy: NodePolicy) {
        registered = IdentityTable(policy.known, keys: keys)
        isEphemeral = policy.known.map(\.isEphemeral)
        allowed = policy.allowed.map { IdentityTable($0, keys: keys) }
        addresses.forgetNames()
    }

    /// Whether the sender of `identity` is registered, as far as that alone tells.
    func isRegistered(_ identity: Identity) -> Bool {
        var clues = MatchKeys(beacon: identity)
        switch identity {
        case .address(let address): clues = MatchKeys(address: address)
        case .irk(let name): clues = MatchKeys(owner: keys?.resolvingPlace(of: name))
        case .eddystoneEID(let name): clues = MatchKeys(ephemeral: keys?.ephemeralPlace(of: name))
        default: break
        }
        return registered.place(of: clues) != nil
            || registered.rules.region(of: clues.beacon) != nil
    }

    /// Addresses heard in the last minute: about as many as there are devices.
    func devices(at now: Timestamp) -> Int { addresses.count(at: now) }

    /// Addresses forgotten although they were heard in the last minute, because there were too many.
    var evicted: Int { addresses.evicted }

    /// Advertisements under names and addresses that their owners had left before.
    var replayed: Int { trails.replayed + (ephemeral?.replayed ?? 0) }

    /// Whom a report is from; `nil` if nobody can tell, or nobody may know.
    mutating func sighting(
        of report: AdvertisingReport, _ data: Span<UInt8>, at now: Timestamp
    ) -> Sighting? {
        telemetry = nil
        let found = AdvertisedNames(data)
        let place = addresses.place(of: report, at: now)
        var clues = MatchKeys(beacon: found.beacon?.identity)
        clues.ephemeral = found.ephemeral.flatMap { ephemeral?.owner(of: $0.name, at: now) }
        let power =
            found.beacon?.measuredPower
            ?? (clues.ephemeral == nil ? nil : found.ephemeral?.measuredPower)
        // The address was already heard with the advertisement that this answers.
        if !report.isScanResponse {
            clues.address = report.fixedAddress
            clues.owner = place.flatMap { owner(at: $0, of: report, now) }
        }
        var isAddressOld = false
        if let key = clues.owner {
            switch trails.heard(report.address, of: key, at: now) {
            case .current: break
            case .old: isAddressOld = true
            case .burned: clues.owner = nil
            }
        }
        let isBeacon = clues.beacon != nil || clues.ephemeral != nil
        let told = found.name.flatMap { learn($0, in: data, at: place) }
        let named = report.isScanResponse ? nil : told ?? place.flatMap { addresses[$0].named }
        if let index = index(of: clues, named: named) {
            if let place { addresses[place].beacon = index }
            if let said = found.telemetry { telemetry = (index, said) }
            return Sighting(
                beacon: .known(index), measuredPower: power, isBeacon: isBeacon, shape: found.shape,
                isAddressOld: isAddressOld)
        }
        if let index = place.flatMap({ addresses[$0].beacon }) {
            if let said = found.telemetry { telemetry = (index, said) }
            // A name that changes protects against copies; its address does not.
            if isBeacon, report.fixedAddress != nil, !isEphemeral[index] {
                // Its power is what the registered one claims.
                return Sighting(
                    beacon: .known(index), measuredPower: nil, isBeacon: true, isAlias: true)
            }
        }
        guard let identity = ownName(of: clues) else { return nil }
        guard isAllowed(clues, place) else {
            excluded += 1
            return nil
        }
        return Sighting(
            beacon: .unregistered(identity), measuredPower: power, isBeacon: isBeacon)
    }

    /// `named` is the beacon whose name rule fits.
    private func index(of clues: MatchKeys, named: Int?) -> Int? {
        registered.place(of: clues) ?? registered.rules.rule(for: clues.beacon, named: named)
    }

    private func ownName(of clues: MatchKeys) -> Identity? {
        if let beacon = clues.beacon { return beacon }
        if let key = clues.ephemeral, let keys {
            return keys.ownName(ephemeral: key)
        }
        if let address = clues.address { return .address(address) }
        if let key = clues.owner, let keys { return keys.ownName(resolving: key) }
        return nil
    }

    private func isAllowed(_ clues: MatchKeys, _ place: AddressTable.Place?) -> Bool {
        guard let allowed else { return true }
        return allowed.place(of: clues) != nil || allowed.rules.region(of: clues.beacon) != nil
            || place.map { addresses[$0].isAllowedByName } ?? false
    }

    /// The beacon whose name rule fits; remembered for the address, if there is one. A whole name
    /// that fits no rule ends what an earlier one began; of a shortened one nothing follows.
    private mutating func learn(
        _ name: AdvertisedNames.Name, in data: Span<UInt8>, at place: AddressTable.Place?
    ) -> Int? {
        guard registered.rules.hasNames || allowed?.rules.hasNames == true else { return nil }
        let bytes = data.extracting(name.place)
        let index = registered.rules.place(ofName: bytes, isComplete: name.isComplete)
        guard let place else { return index }
        if index != nil || name.isComplete { addresses[place].named = index }
        let isAllowed = allowed?.rules.place(ofName: bytes, isComplete: name.isComplete) != nil
        if isAllowed || name.isComplete { addresses[place].isAllowedByName = isAllowed }
        return index
    }

    /// The place of the key that made a private address, found out once for each address.
    private mutating func owner(
        at place: AddressTable.Place, of report: AdvertisingReport, _ now: Timestamp
    ) -> Int? {
        guard let keys, report.addressKind == .random,
            PrivateAddress.isResolvable(report.address)
        else { return nil }
        switch addresses[place].owner {
        case .key(let key): return key
        case .nobody: return nil
        case .untried: break
        }
        guard spend(keys.resolving.count, at: now) else { return nil }
        let owner = keys.resolving.firstIndex {
            PrivateAddress.made(report.address, by: $0.key, keys.cryptography)
        }
        addresses[place].owner = owner.map { .key($0) } ?? .nobody
        return owner
    }

    private mutating func spend(_ trials: Int, at now: Timestamp) -> Bool {
        if now.second != trialSecond {
            trialSecond = now.second
            trialsLeft = Self.mostTrials
        }
        guard trialsLeft >= trials else { return false }
        trialsLeft -= trials
        return true
    }
}

extension Identity {
    /// Whether it is a name that only who holds its key can make.
    fileprivate var isEphemeral: Bool {
        if case .eddystoneEID = self { true } else { false }
    }
}
