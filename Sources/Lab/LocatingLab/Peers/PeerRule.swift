import Basics
import SiteModel

/// A way to say each second in which zone a transmitter is, from what receivers heard. Only for
/// comparison: nothing a site decides comes from one of these.
package protocol ZoneRule: Sendable {
    /// A reading of the receiver at an index of the site, `level` in dBm, `at` in seconds. Readings
    /// come in the order of time.
    mutating func heard(receiver: Int, level: Double, at: Double)
    /// The zone at whole second `now` (an index of the site's zones), or `nil` while nothing is
    /// decided; with a probability if the rule has one. To be called each second, after the
    /// readings up to it.
    mutating func zone(at now: Double) -> (zone: Int, confidence: Double?)?
}

/// Rules of other projects, written from the descriptions of how they work. What a description
/// leaves open is said where it was filled in.
package enum PeerRule: String, CaseIterable, Sendable {
    /// The receiver with the strongest latest reading.
    case nearest
    /// The strongest exponential mean, with a margin.
    case ewmaMargin = "ewma-margin"
    case bermuda
    case roomAssistant = "room-assistant"
    /// As habluetooth chooses the owner of an address.
    case habluetooth

    /// A rule for one transmitter that has heard nothing.
    ///
    /// - Parameter zoneOfReceiver: by receiver, the index of its zone.
    package func make(zoneOfReceiver: [Int]) -> any ZoneRule {
        switch self {
        case .nearest: NearestRule(zoneOfReceiver: zoneOfReceiver)
        case .ewmaMargin: MarginRule(zoneOfReceiver: zoneOfReceiver)
        case .bermuda: BermudaRule(zoneOfReceiver: zoneOfReceiver)
        case .roomAssistant: RoomAssistantRule(zoneOfReceiver: zoneOfReceiver)
        case .habluetooth: HabluetoothRule(zoneOfReceiver: zoneOfReceiver)
        }
    }
}

/// The zone of the receiver whose latest reading is the strongest, if it is at most 10 s old.
struct NearestRule: ZoneRule {
    private static let life = 10.0

    private let zoneOfReceiver: [Int]
    private var latest: [(level: Double, at: Double)?]

    init(zoneOfReceiver: [Int]) {
        self.zoneOfReceiver = zoneOfReceiver
        latest = zoneOfReceiver.map { _ in nil }
    }

    mutating func heard(receiver: Int, level: Double, at: Double) {
        guard level.isFinite else { return }
        latest[receiver] = (level, at)
    }

    mutating func zone(at now: Double) -> (zone: Int, confidence: Double?)? {
        var best: (receiver: Int, level: Double)?
        for (receiver, reading) in latest.enumerated() {
            guard let reading, now - reading.at <= Self.life else { continue }
            if let best, reading.level <= best.level { continue }
            best = (receiver, reading.level)
        }
        return best.map { (zoneOfReceiver[$0.receiver], nil) }
    }
}

/// The zone of the receiver with the strongest exponential mean; another one must be 5 dB stronger.
///
/// The time constant of 4 s is the best of a plain mean in the comparison of `locating.md` 4, the
/// margin that of `presence.md` 3.8. A receiver that was silent for 10 s is forgotten.
struct MarginRule: ZoneRule {
    private static let timeConstant = 4.0
    private static let margin = 5.0
    private static let life = 10.0

    private let zoneOfReceiver: [Int]
    private var means: [(level: Double, at: Double)?]
    private var chosen: Int?

    init(zoneOfReceiver: [Int]) {
        self.zoneOfReceiver = zoneOfReceiver
        means = zoneOfReceiver.map { _ in nil }
    }

    mutating func heard(receiver: Int, level: Double, at: Double) {
        guard level.isFinite else { return }
        guard let old = means[receiver], at - old.at <= Self.life else {
            means[receiver] = (level, at)
            return
        }
        let weight = 1 - Exponential.exp(-max(at - old.at, 0) / Self.timeConstant)
        means[receiver] = (old.level + weight * (level - old.level), at)
    }

    mutating func zone(at now: Double) -> (zone: Int, confidence: Double?)? {
        var best: (receiver: Int, level: Double)?
        for receiver in means.indices {
            guard let level = level(of: receiver, at: now) else { continue }
            if let best, level <= best.level { continue }
            best = (receiver, level)
        }
        guard let best else {
            chosen = nil
            return nil
        }
        if let old = chosen.flatMap({ level(of: $0, at: now) }), best.level - old < Self.margin {
            return chosen.map { (zoneOfReceiver[$0], nil) }
        }
        chosen = best.receiver
        return (zoneOfReceiver[best.receiver], nil)
    }

    private func level(of receiver: Int, at now: Double) -> Double? {
        guard let mean = means[receiver], now - mean.at <= Self.life else { return nil }
        return mean.level
    }
}

/// What `presence.md` 3.1 and 3.3 tell of room-assistant: a Kalman filter of one dimension for each
/// receiver, stepped by the reading and not by the second, and the smallest distance of the last
/// 60 s without any hysteresis.
struct RoomAssistantRule: ZoneRule {
    private static let process = 0.008
    private static let measurement = 4.0
    private static let life = 60.0
    /// The level at one metre, in dBm.
    private static let power = -59.0

    private let zoneOfReceiver: [Int]
    private var links: [(level: Double, variance: Double, at: Double)?]

    init(zoneOfReceiver: [Int]) {
        self.zoneOfReceiver = zoneOfReceiver
        links = zoneOfReceiver.map { _ in nil }
    }

    mutating func heard(receiver: Int, level: Double, at: Double) {
        guard level.isFinite else { return }
        guard let old = links[receiver] else {
            // The first reading is believed as far as one measurement is.
            links[receiver] = (level, Self.measurement, at)
            return
        }
        let expected = old.variance + Self.process
        let gain = expected / (expected + Self.measurement)
        links[receiver] = (old.level + gain * (level - old.level), (1 - gain) * expected, at)
    }

    mutating func zone(at now: Double) -> (zone: Int, confidence: Double?)? {
        var best: (receiver: Int, metres: Double)?
        for (receiver, link) in links.enumerated() {
            guard let link, now - link.at <= Self.life else { continue }
            let metres = Self.distance(link.level)
            if let best, metres >= best.metres { continue }
            best = (receiver, metres)
        }
        return best.map { (zoneOfReceiver[$0.receiver], nil) }
    }

    /// In metres, to the nearest tenth.
    static func distance(_ level: Double) -> Double {
        let ratio = level / power
        guard ratio > 0 else { return 0 }
        let logarithm = Exponential.ln(ratio)
        let metres =
            ratio < 1
            ? Exponential.exp(10 * logarithm)
            : 0.89976 * Exponential.exp(7.7095 * logarithm) + 0.111
        return (metres * 10).rounded() / 10
    }
}

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
