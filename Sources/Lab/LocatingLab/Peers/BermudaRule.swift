import Basics
import SiteModel

/// What `presence.md` 3.1 and 3.4 tell of Bermuda: distances that come near at once and go away
/// slowly, and the area of the nearest receiver with two ways to win it.
///
/// Its cycle is 1.05 s; here it is the second at whose end a zone is asked for. Of the readings of
/// a cycle it takes the last.
struct BermudaRule: ZoneRule {
    /// The level at one metre, in dBm, and the exponent of its path loss.
    private static let reference = -55.0
    private static let exponent = 3.0
    /// Farther receivers give no area, in metres.
    private static let radius = 20.0
    /// Nobody goes away faster, in metres a second.
    private static let retreat = 3.0
    /// How old a challenger's reading may be, and how old one that holds the area, in seconds.
    private static let challenge = 10.0
    private static let life = 30.0
    private static let checked = 10
    private static let smoothed = 20
    private static let compared = 5

    private struct Link {
        /// The last reading of a cycle that has not ended.
        var fresh: (level: Double, at: Double)?
        /// The distances of readings, the latest first, refused ones too.
        var readings: [(metres: Double, at: Double)] = []
        /// The distance of each cycle, the latest first.
        var cycles: [Double] = []
        /// The smoothed distance, `nil` when too old.
        var metres: Double?

        var at: Double? { readings.first?.at }
    }

    private let zoneOfReceiver: [Int]
    private var links: [Link]
    private var holder: Int?

    init(zoneOfReceiver: [Int]) {
        self.zoneOfReceiver = zoneOfReceiver
        links = zoneOfReceiver.map { _ in Link() }
    }

    mutating func heard(receiver: Int, level: Double, at: Double) {
        guard level.isFinite else { return }
        links[receiver].fresh = (level, at)
    }

    mutating func zone(at now: Double) -> (zone: Int, confidence: Double?)? {
        for receiver in links.indices { Self.cycle(&links[receiver], at: now) }
        if let old = holder, !isNear(old, within: Self.life, at: now) { holder = nil }
        for receiver in links.indices where receiver != holder {
            guard isNear(receiver, within: Self.challenge, at: now) else { continue }
            guard let old = holder else {
                holder = receiver
                continue
            }
            if wins(receiver, over: old) { holder = receiver }
        }
        return holder.map { (zoneOfReceiver[$0], nil) }
    }

    private func isNear(_ receiver: Int, within age: Double, at now: Double) -> Bool {
        guard let metres = links[receiver].metres, let at = links[receiver].at else { return false }
        return now - at <= age && metres <= Self.radius
    }

    private func wins(_ receiver: Int, over old: Int) -> Bool {
        let (mine, others) = (links[receiver], links[old])
        guard let near = mine.metres, let far = others.metres, near < far else { return false }
        if zoneOfReceiver[receiver] == zoneOfReceiver[old],
            let at = mine.at, let before = others.at, at - before > 1
        {
            return true
        }
        let share = (far - near) / ((far + near) / 2)
        if share >= 0.3 { return true }
        let (latest, theirs) = (
            mine.cycles.prefix(Self.compared), others.cycles.prefix(Self.compared)
        )
        guard share > 0.15, latest.count > 3, theirs.count > 3,
            let worst = latest.max(), let best = theirs.min()
        else { return false }
        return worst < best
    }

    private static func cycle(_ link: inout Link, at now: Double) {
        if let (level, at) = link.fresh {
            link.fresh = nil
            let metres = distance(level)
            let isFlight = link.readings.prefix(checked).contains { old in
                at > old.at && (metres - old.metres) / (at - old.at) > retreat
            }
            link.readings.insert((metres, at), at: 0)
            if link.readings.count > checked { link.readings.removeLast() }
            // What is refused leaves the cycle with the distance it had.
            link.cycles.insert(isFlight ? link.cycles.first ?? metres : metres, at: 0)
        } else if let last = link.cycles.first {
            link.cycles.insert(last, at: 0)
        }
        if link.cycles.count > smoothed { link.cycles.removeLast() }
        guard let last = link.at, now - last <= life, let raw = link.cycles.first else {
            link = Link()
            return
        }
        var (least, sum) = (Double.infinity, 0.0)
        for metres in link.cycles {
            least = min(least, metres)
            sum += least
        }
        link.metres = min(sum / Double(link.cycles.count), raw)
    }

    private static func distance(_ level: Double) -> Double {
        Exponential.exp((reference - level) / (10 * exponent) * 2.302_585_092_994_046)
    }
}
