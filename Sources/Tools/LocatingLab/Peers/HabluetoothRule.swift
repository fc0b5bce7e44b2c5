/// What `presence.md` 3.5 tells of how habluetooth chooses the owner of an address, made for
/// connections rather than rooms: another receiver must be 16 dB stronger, or the owner silent for
/// longer than it usually is.
///
/// Left open there and filled in here: *recently demoted* means in the last minute; an owner whose
/// interval is not known yet holds for 195 s, as long as Home Assistant keeps an advertisement.
struct HabluetoothRule: ZoneRule {
    private static let weight = 0.3
    private static let stickiness = 16.0
    /// What somebody who lost the address lately needs in addition, in dB.
    private static let reclaim = 6.0
    private static let demotion = 60.0
    private static let wobble = 5.0
    private static let learned = 16
    private static let fallback = 195.0
    private static let weak = -70.0

    private struct Link {
        var level: Double
        var at: Double
        /// The latest gaps between readings, at most 16.
        var gaps: [Double] = []
        var demoted: Double?
    }

    private let zoneOfReceiver: [Int]
    private var links: [Link?]
    private var owner: Int?

    init(zoneOfReceiver: [Int]) {
        self.zoneOfReceiver = zoneOfReceiver
        links = zoneOfReceiver.map { _ in nil }
    }

    mutating func heard(receiver: Int, level: Double, at: Double) {
        guard level.isFinite else { return }
        if var link = links[receiver] {
            link.gaps.append(at - link.at)
            if link.gaps.count > Self.learned { link.gaps.removeFirst() }
            link.level += Self.weight * (level - link.level)
            link.at = at
            links[receiver] = link
        } else {
            links[receiver] = Link(level: level, at: at)
        }
        guard let old = owner, old != receiver else {
            owner = receiver
            return
        }
        guard takes(receiver, from: old, at: at) else { return }
        links[old]?.demoted = at
        owner = receiver
    }

    mutating func zone(at now: Double) -> (zone: Int, confidence: Double?)? {
        guard let owner, let link = links[owner], now - link.at <= Self.fallback else { return nil }
        return (zoneOfReceiver[owner], nil)
    }

    private func takes(_ receiver: Int, from old: Int, at now: Double) -> Bool {
        guard let mine = links[receiver], let theirs = links[old] else { return true }
        let silence = now - theirs.at
        if theirs.gaps.count == Self.learned, let longest = theirs.gaps.max() {
            let interval = longest + Self.wobble
            if silence > 2.5 * interval { return true }
            if silence > 1.5 * interval, theirs.level < Self.weak,
                mine.level > theirs.level - Self.stickiness
            {
                return true
            }
        } else if silence > Self.fallback {
            return true
        }
        let isReclaim = mine.demoted.map { now - $0 <= Self.demotion } ?? false
        return mine.level > theirs.level + Self.stickiness + (isReclaim ? Self.reclaim : 0)
    }
}
