import BeaconDecoding
import SiteModel

/// The addresses heard of late, with what was found out about each: who owns it, and which rule its
/// name fits. Bounded, whatever the radio says: 256 sets of 16, and in each the one longest unheard
/// that means nobody makes room. No allocation, and no order that differs from run to run.
struct AddressTable: Sendable {
    /// Where an address stands, until the next one is placed.
    typealias Place = Int

    /// Who owns an address.
    enum Owner: Equatable, Sendable {
        /// Nobody has looked yet.
        case untried
        /// None of the keys made it.
        case nobody
        /// The key at this place.
        case key(Int)
    }

    /// One address.
    struct Entry: Sendable {
        /// The address, whether it is random, and that there is one.
        fileprivate var key: UInt64 = 0
        fileprivate var heardAt = Timestamp(milliseconds: 0)
        /// Who owns it.
        var owner = Owner.untried
        /// The registered beacon whose name rule fits what it calls itself, by index.
        var named: Int?
        /// Whether its name is on the list of what is allowed.
        var isAllowedByName = false
        /// The registered beacon it was last heard as, by index: what else it sends is about that.
        var beacon: Int?

        /// Whether it goes first: free places, then those nobody knows, then the longest unheard. A
        /// flood of made-up addresses leaves those alone that mean somebody.
        fileprivate func goesBefore(_ other: Entry) -> Bool {
            guard key != 0, other.key != 0 else { return key == 0 && other.key != 0 }
            guard isKnown == other.isKnown else { return other.isKnown }
            return heardAt < other.heardAt
        }

        private var isKnown: Bool {
            if case .key = owner { return true }
            return named != nil || isAllowedByName || beacon != nil
        }
    }

    /// An address unheard for this long counts as gone, and what was found out is forgotten.
    /// Private addresses live for 15 minutes at most by recommendation (Bluetooth Core 5.4, Vol 3
    /// Part C 10.7), so that a device is in the table once, or twice around a change.
    static let memory = Timestamp.Span.seconds(60)
    /// The most addresses.
    static let capacity = sets * ways
    private static let sets = 256
    private static let ways = 16

    private var entries = [Entry](repeating: Entry(), count: capacity)
    /// Addresses pushed out that were still there.
    private(set) var evicted = 0

    /// Finds the address of a report, or makes room for it; `nil` if it has none.
    mutating func place(of report: AdvertisingReport, at now: Timestamp) -> Place? {
        guard report.addressKind != .anonymous else { return nil }
        let isRandom = report.addressKind == .random || report.addressKind == .randomIdentity
        let key = report.address | (isRandom ? 1 << 48 : 0) | 1 << 49
        // Fibonacci hashing: the top bits of the product depend on all of the address.
        let first = Int((key &* 0x9E37_79B9_7F4A_7C15) >> 56) * Self.ways
        let set = first..<first + Self.ways
        for place in set where entries[place].key == key {
            touch(place, at: now)
            return place
        }
        var victim = first
        for place in set.dropFirst() where entries[place].goesBefore(entries[victim]) {
            victim = place
        }
        if isPresent(entries[victim], at: now) { evicted += 1 }
        entries[victim] = Entry(key: key, heardAt: now)
        return victim
    }

    /// What is known of the address just placed.
    subscript(place: Place) -> Entry {
        get { entries[place] }
        set { entries[place] = newValue }
    }

    /// How many addresses were heard in the last minute: about as many as there are devices.
    func count(at now: Timestamp) -> Int { entries.count { isPresent($0, at: now) } }

    /// Forgets what was found out by rules, because the rules changed.
    mutating func forgetNames() {
        for place in entries.indices {
            entries[place].named = nil
            entries[place].isAllowedByName = false
            entries[place].beacon = nil
        }
    }

    private mutating func touch(_ place: Place, at now: Timestamp) {
        if !isPresent(entries[place], at: now) {
            entries[place] = Entry(key: entries[place].key, heardAt: now)
        } else if entries[place].heardAt < now {
            entries[place].heardAt = now
        }
    }

    private func isPresent(_ entry: Entry, at now: Timestamp) -> Bool {
        entry.key != 0 && now - entry.heardAt <= Self.memory
    }
}

/// The changing names that the beacons of some keys may have about now.
///
/// They are computed ahead, so that a name costs one look-up however many keys there are, and a
/// flood of made-up names costs no cipher at all.
///
/// A beacon's clock does not run backwards: a name older than the newest heard of it was recorded and
/// sent again, and is nobody's. A beacon that lost power and resumes from an earlier time, within
/// the window, is nobody until it has caught up.
struct EphemeralNames: Sendable {
    private let keys: [NodeKeys.Ephemeral]
    private let cryptography: Cryptography
    /// Which key makes a name, and in which period of its clock.
    private var owners: [UInt64: (place: Int, step: Int64)] = [:]
    /// By key: the newest period a name was heard of.
    private var newest: [Int64]
    /// Names that were too old.
    private(set) var replayed = 0
    /// The seconds in which the table is right; empty before the first name was heard.
    private var range: Range<Int64> = 0..<0

    init(_ keys: NodeKeys) {
        self.keys = keys.ephemeral
        cryptography = keys.cryptography
        newest = Array(repeating: .min, count: keys.ephemeral.count)
    }

    /// The place of the key that makes `name` about now, unless a later name of it was heard.
    mutating func owner(of name: UInt64, at now: Timestamp) -> Int? {
        guard !keys.isEmpty else { return nil }
        if !range.contains(now.second) { compute(at: now.second) }
        guard let owner = owners[name] else { return nil }
        guard owner.step >= newest[owner.place] else {
            replayed += 1
            return nil
        }
        newest[owner.place] = owner.step
        return owner.place
    }

    private mutating func compute(at second: Int64) {
        owners = [:]
        var (from, until) = (Int64.min, Int64.max)
        for (place, key) in keys.enumerated() {
            let elapsed = second - key.zero.second
            let step = elapsed >> Int64(key.exponent)
            from = max(from, key.zero.second + step << Int64(key.exponent))
            until = min(until, key.zero.second + (step + 1) << Int64(key.exponent))
            add(key, at: place, around: step)
        }
        range = from..<until
    }

    private mutating func add(_ key: NodeKeys.Ephemeral, at place: Int, around step: Int64) {
        // A clock of 32 bits has no other steps.
        let last = Int64(UInt32.max) >> Int64(key.exponent)
        let steps = step - Int64(key.window)...step + Int64(key.window)
        guard
            let maker = EddystoneIdentityKey(
                label: "", key: key.key, exponent: key.exponent, time: 0, window: 0)
        else { return }
        var temporary: (period: UInt32, key: Identity.Bytes16)?
        for step in steps where (0...last).contains(step) {
            let time = UInt32(step << Int64(key.exponent))
            let known = temporary?.period == time >> 16 ? temporary?.key : nil
            let present = known ?? maker.temporaryKey(at: time, cryptography)
            temporary = (time >> 16, present)
            let name = maker.name(at: time, present, cryptography)
            // Of two keys with one name, which needs 2^32 names, the first counts.
            if owners[name] == nil { owners[name] = (place, step) }
        }
    }
}
