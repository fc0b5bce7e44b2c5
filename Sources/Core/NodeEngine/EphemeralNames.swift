import BeaconDecoding
import SiteModel

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
