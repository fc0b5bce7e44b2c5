import SiteModel

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
