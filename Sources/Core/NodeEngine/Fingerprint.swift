import BeaconDecoding
import SiteModel

/// What one transmitter's advertisements look like: learnt from the first, compared with the rest.
///
/// A name is copied in a minute, a make is not: a clone on a phone has an address of another kind,
/// claims another power, or builds its packets otherwise. The interval is not compared: tags that
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
        /// The level at 1 m it claims to have, in dBm, if any.
        var power: Int16?
        /// A number made of the types of its structures and whose they are.
        var shape: UInt32 = 0
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
        for index in 0..<count where learnt[index] == traits {
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
        if model.address == traits.address, model.power == traits.power || traits.power == nil,
            now - fitted < Self.lesson
        {
            return nil
        }
        var seen = strange ?? (traits, 0, now)
        if seen.traits != traits || now - seen.since > Self.lesson { seen = (traits, 0, now) }
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
                (other.address == traits.address ? 4 : 0) + (other.power == traits.power ? 2 : 0)
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
