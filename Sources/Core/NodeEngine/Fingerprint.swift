import BeaconDecoding
import SiteModel

/// What one transmitter's advertisements look like: learnt from the first, compared with the rest.
///
/// A name is copied in a minute, a make is not: a clone on a phone has an address of another kind,
/// clearly claims another power, or builds its packets otherwise. The interval is not compared: tags that
/// send more often while they move are common, and a second transmitter is found by its rate.
struct Fingerprint: Sendable {
    /// Of what kind an address is.
    enum AddressClass: String, Sendable {
        case `public`, fixed, resolvable, unresolvable, none

        init(_ report: AdvertisingReport) {
            switch report.addressKind {
            case .public, .publicIdentity: self = .public
            case .randomIdentity: self = .fixed
            case .anonymous: self = .none
            case .random:
                switch report.address >> 46 {
                case 0b11: self = .fixed
                case 0b01: self = .resolvable
                default: self = .unresolvable
                }
            }
        }
    }

    /// What one advertisement looks like.
    struct Traits: Equatable, Sendable {
        var address = AddressClass.none
        /// The level at 1 m it claims to have, in dBm, where that can be one: some makes send a battery's voltage
        /// there.
        var power: Int16?
        /// A number made of the types of its structures and whose they are.
        var shape: UInt32 = 0

        /// By how much claims of one make may differ, in dB: some follow their battery.
        static let drift: Int16 = 6

        /// Whether both claim about the same power, or both none.
        func claimsLike(_ other: Self) -> Bool {
            guard let power, let known = other.power else { return power == other.power }
            return abs(power - known) <= Self.drift
        }

        /// Whether both may be one make.
        func isLike(_ other: Self) -> Bool {
            address == other.address && shape == other.shape && claimsLike(other)
        }
    }

    /// How long after the first advertisement everything is learnt.
    static let lesson = Timestamp.Span.seconds(60)
    /// The fewest advertisements to learn from.
    static let fewest = 20
    /// How many strange advertisements within a minute are no accident.
    static let confirmations = 5
    /// The silence after which what was learnt is forgotten: the tag or its firmware may be
    /// another.
    static let memory = Timestamp.Span.seconds(24 * 3600)
    /// The most kinds of advertisements of a beacon; one that has more is not judged.
    static let most = 8

    private var learnt = InlineArray<8, Traits>(repeating: Traits())
    private var count = 0
    private var isVaried = false
    private var lessons = 0
    private var began: Timestamp?
    /// When an advertisement last looked as learnt.
    private var fitted = Timestamp(milliseconds: 0)
    /// What looked strange last, how often, and since when.
    private var strange: (traits: Traits, count: Int, since: Timestamp)?

    /// An advertisement was heard. Returns what it should have looked like if this one settles that
    /// it is somebody else's.
    mutating func heard(_ traits: Traits, at now: Timestamp) -> Traits? {
        let began = began ?? now
        self.began = began
        for index in 0..<count where learnt[index].isLike(traits) {
            fitted = max(fitted, now)
            lessons += 1
            return nil
        }
        if lessons < Self.fewest || now - began < Self.lesson {
            learn(traits, at: now)
            return nil
        }
        guard !isVaried else { return nil }
        return judge(traits, at: now)
    }

    private mutating func learn(_ traits: Traits, at now: Timestamp) {
        lessons += 1
        fitted = max(fitted, now)
        guard count < Self.most else {
            isVaried = true
            return
        }
        learnt[count] = traits
        count += 1
    }

    private mutating func judge(_ traits: Traits, at now: Timestamp) -> Traits? {
        if now - fitted >= Self.memory {
            self = Fingerprint()
            began = now
            learn(traits, at: now)
            return nil
        }
        // Of the same make, and only built otherwise: another frame of the same tag, unless what it
        // used to send is gone.
        let model = model(for: traits)
        if model.address == traits.address, model.claimsLike(traits) || traits.power == nil,
            now - fitted < Self.lesson
        {
            return nil
        }
        var seen = strange ?? (traits, 0, now)
        if !seen.traits.isLike(traits) || now - seen.since > Self.lesson { seen = (traits, 0, now) }
        seen.count += 1
        strange = seen
        guard seen.count >= Self.confirmations else { return nil }
        strange = nil
        return model
    }

    /// What was learnt that is most like it.
    private func model(for traits: Traits) -> Traits {
        var best = learnt[0]
        var score = -1
        for index in 0..<count {
            let other = learnt[index]
            let new =
                (other.address == traits.address ? 4 : 0) + (other.claimsLike(traits) ? 2 : 0)
                + (other.shape == traits.shape ? 1 : 0)
            if new > score { (best, score) = (other, new) }
        }
        return best
    }
}

extension Fingerprint.Traits {
    /// What is different in `other`, for people.
    func difference(to other: Self) -> String {
        var parts: [String] = []
        if address != other.address {
            parts.append("address \(address.rawValue) -> \(other.address.rawValue)")
        }
        if power != other.power {
            let (old, new) = (
                power.map { "\($0)" } ?? "none", other.power.map { "\($0)" } ?? "none"
            )
            parts.append("power \(old) -> \(new)")
        }
        if shape != other.shape { parts.append("structure") }
        return parts.joined(separator: ", ")
    }
}

/// Which private addresses the owner of each key has used of late, so that one they have left is not
/// taken for them any more.
///
/// A private address hides its owner and proves nothing: any receiver can send it again. Its owner
/// moves on to another one, mostly after 15 minutes and after an hour at most (Bluetooth Core 5.4,
/// Vol 4 Part E 7.8.45). From then on the old one is burned: heard again, it was recorded. While
/// the owner is away nobody can tell; an address kept for much longer than ever before is told as a
/// changed fingerprint, and goes on counting: a device that never changes it must not check anybody
/// out.
struct PrivateTrails: Sendable {
    /// The addresses remembered of one owner: an hour's and more. Devices with several sets of
    /// advertisements use several at once.
    static let most = 8
    /// An address unheard for this long, while another one of its owner is heard, was left.
    static let farewell = AddressTable.memory
    /// Longer than this hardly anybody keeps an address; who does is known by it.
    static let life = Timestamp.Span.seconds(20 * 60)
    /// And longer than this times the longest life of an address they left.
    static let patience = 1.3

    private struct Used: Sendable {
        let address: UInt64
        let first: Timestamp
        var last: Timestamp
    }

    /// By key, the newest last.
    private var used: [[Used]]
    /// By key: the longest that an address was kept that was left since.
    private var longest: [Timestamp.Span]
    /// Advertisements from burned addresses.
    private(set) var replayed = 0

    /// A state for the owners of `keys` keys, none of whom was heard yet.
    init(keys: Int) {
        used = Array(repeating: [], count: keys)
        longest = Array(repeating: .seconds(0), count: keys)
    }

    /// What an address of a key is worth.
    enum Verdict: Equatable, Sendable {
        /// It is theirs.
        case current
        /// It is theirs, and has been for longer than usual.
        case old
        /// They have left it.
        case burned
    }

    /// An address that a key made was heard.
    mutating func heard(_ address: UInt64, of key: Int, at now: Timestamp) -> Verdict {
        let newest = used[key].count - 1
        guard let place = used[key].lastIndex(where: { $0.address == address }) else {
            if let left = used[key].last {
                longest[key] = max(longest[key], left.last - left.first)
            }
            if used[key].count == Self.most { used[key].removeFirst() }
            used[key].append(Used(address: address, first: now, last: now))
            return .current
        }
        let old = used[key][place]
        let isLeft =
            now - old.last > Self.farewell
            && used[key][place...newest].contains { $0.first >= old.last && $0.address != address }
        guard !isLeft else {
            replayed += 1
            return .burned
        }
        used[key][place].last = max(old.last, now)
        let usual = max(Self.life, .seconds(longest[key].seconds * Self.patience))
        return now - old.first > usual ? .old : .current
    }
}
