import Basics
import SiteModel

/// What it says that an ear lately missed a device which others heard.
///
/// Only seconds are asked in which the ear listened and anybody heard the device: so a device that
/// sends seldom is not silent between its packets. Seconds are bits, the newest the lowest.
struct Silence: Equatable, Sendable {
    /// Of the logarithm of the probability, what counts: successive seconds are not independent. In
    /// eight simulated sites nobody taught, half of it is right .817 of the time with 2.7 flaps for
    /// each move, all of it .814 with 3.1, none .813 with 2.7.
    static let weight = 0.5
    /// Nobody's silence sinks a level below this, in dBm: a body takes as much away.
    static let floor = -100.0

    /// Seconds asked since the ear last heard the device.
    let missed: Int
    /// The share of seconds asked until then in which it did; a hit and a miss are taken for granted.
    let rate: Double

    /// What an ear made of seconds: those in which it heard the device, and those in which it
    /// listened while anybody did.
    init(heard: UInt32, asked: UInt32) {
        let latest = heard & ~(heard &- 1)
        let since = latest &- 1
        missed = heard == 0 ? 0 : (asked & since).nonzeroBitCount
        let offered = ((asked | heard) & ~since).nonzeroBitCount
        rate = Double(heard.nonzeroBitCount + 1) / Double(offered + 2)
    }

    /// The logarithm of how unlikely so much silence is of a device that is still there, 0 or more.
    var evidence: Double { -Double(missed) * Exponential.ln(1 - rate) * Self.weight }
}

extension Weighing {
    /// The steadied level of a device at an ear, less what its silence says against it, or `nil`
    /// where that was silent for too long.
    func level(
        of device: Int, at ear: Int, second: Int64, _ received: Reception, grace: Double
    ) -> Double? {
        guard let log = received.logs[device],
            let known = steady.level(of: ear, in: log, at: second, grace: grace)
        else { return nil }
        let node =
            device < received.beacons.count ? nodeOfEar[ear] : device - received.beacons.count
        // Learned spots weigh silence themselves, by the chance they learned.
        guard spots == nil, known.heard & 1 == 0, let node else { return known.level }
        let count = ZoneLevels.droppedAfter
        let silence = Silence(
            heard: known.heard,
            asked: log.heardSeconds(until: second, count: count)
                & received.listening.seconds(node: node, until: second, count: count))
        let perDecibel = geometry == nil ? Weights.level : Weights.levelBesideGeometry
        return max(known.level - silence.evidence / perDecibel, min(known.level, Silence.floor))
    }
}
