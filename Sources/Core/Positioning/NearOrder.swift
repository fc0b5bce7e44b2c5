import Basics
import SiteModel

/// Beacons in range of a place, nearest first, in an order that noise does not shuffle.
///
/// The rank of a beacon is its zone, then the level that is held for it, then its id. The held level is the mean since it
/// began to hold, and stands still after `settling` until the smoothed level departs from it by `band`: then the beacon has
/// moved, and it holds anew. Noise with a deviation of 3 dB leaves .95 dB in the smoothed level of samples 2 s apart
/// (3 dB by the square root of α / (2 − α), α = 1 − exp(−2/10)) and .77 dB in the mean of 15: `band` is 4.9 times what
/// both make together, which noise passes about once in 5,000 hours.
package struct NearOrder: Sendable {
    /// How near something is, as phones tell it.
    package enum Zone: String, Sendable, CaseIterable, Comparable {
        /// Within half a metre, if nothing is between.
        case immediate
        /// Within four.
        case near
        case far

        package static func < (a: Zone, b: Zone) -> Bool { a.rank < b.rank }

        private var rank: Int {
            switch self {
            case .immediate: 0
            case .near: 1
            case .far: 2
            }
        }

        /// The zone of a level in dBm, by `PathLoss` of a transmitter that does not say its power.
        package init(level: Double) {
            let presumed = PathLoss.presumedPower.dBm
            if level >= presumed - PathLoss.loss(metres: 0.5) {
                self = .immediate
            } else if level >= presumed - PathLoss.loss(metres: 4) {
                self = .near
            } else {
                self = .far
            }
        }
    }

    /// A beacon in range.
    package struct Item: Equatable, Sendable {
        package var beacon: String
        package var zone: Zone
        /// The level that it is ranked by, in dBm.
        package var level: Double
    }

    /// What a node tells of a beacon, in dBm.
    package struct Level: Equatable, Sendable {
        package var beacon: String
        package var rssi: Double

        package init(beacon: String, rssi: Double) {
            self.beacon = beacon
            self.rssi = rssi
        }
    }

    /// Of the smoothing, in seconds.
    static let timeConstant = 10.0
    /// How far a level departs until the beacon has moved, in dB.
    static let band = 6.0
    /// So long the mean is taken until it is held.
    static let settling = Timestamp.Span.seconds(30)
    /// After so long without a look nothing of before means anything.
    static let memory = Timestamp.Span.seconds(60)

    /// So many samples the smoothed level is worth as a mean.
    private static let smoothed = 5.0

    private struct Track {
        var smooth: Double
        var held: Double
        /// How many samples the held level is the mean of, and since when.
        var samples = 1.0
        var since: Timestamp
    }

    private var tracks: [String: Track] = [:]
    private var last: Timestamp?

    package init() {}

    /// Takes what is heard now, each beacon once; those that are not among it have gone. Returns all of them, nearest first.
    package mutating func update(_ heard: [Level], at now: Timestamp) -> [Item] {
        if let last, now - last > Self.memory || now < last { tracks = [:] }
        let passed = last.map { max(0, (now - $0).seconds) } ?? 0
        let weight = 1 - Exponential.exp(-passed / Self.timeConstant)
        last = now
        var next: [String: Track] = [:]
        next.reserveCapacity(heard.count)
        for one in heard {
            next[one.beacon] = Self.moved(tracks[one.beacon], to: one.rssi, weight, at: now)
        }
        tracks = next
        return heard.compactMap { one in
            tracks[one.beacon].map {
                Item(beacon: one.beacon, zone: Zone(level: $0.held), level: $0.held)
            }
        }.sorted { ($0.zone, -$0.level, $0.beacon) < ($1.zone, -$1.level, $1.beacon) }
    }

    private static func moved(
        _ before: Track?, to level: Double, _ weight: Double, at now: Timestamp
    ) -> Track {
        guard var track = before else { return Track(smooth: level, held: level, since: now) }
        let isSettling = now - track.since < settling
        if isSettling { track.samples += 1 }
        // The first samples are their mean, as one alone says little.
        track.smooth += max(weight, isSettling ? 1 / track.samples : 0) * (level - track.smooth)
        if isSettling { track.held += (level - track.held) / track.samples }
        if abs(track.smooth - track.held) > band {
            return Track(smooth: track.smooth, held: track.smooth, samples: smoothed, since: now)
        }
        return track
    }
}

/// Between which distances a transmitter is by its level alone, in metres. Levels tell that badly, so that it is a range or
/// nothing.
package struct DistanceRange: Equatable, Sendable {
    /// `nil`: it may be anywhere nearer than `most`.
    package var least: Double?
    /// `nil`: it may be anywhere farther than `least`.
    package var most: Double?

    /// Exponents of `PathLoss` from free space to a hall with walls.
    private static let exponents = (low: 2.0, high: 3.0)
    /// What a body takes, and by how much the power of a tag differs from the presumed one, in dB together.
    private static let doubt = 7.0
    /// What is nearer than this is within reach, and what is farther is out of hearing: neither is told as a figure.
    private static let told = 1.0...30.0

    /// - Parameters:
    ///   - level: In dBm, smoothed.
    ///   - power: The level at one metre in dBm, or what is presumed.
    package init(level: Double, power: Double = PathLoss.presumedPower.dBm) {
        func metres(_ loss: Double, _ exponent: Double) -> Double {
            Exponential.exp(loss / (10 * exponent) * 2.302_585_092_994_046)  // ln 10
        }
        // The nearest and the farthest of both exponents; below one metre a greater one is nearer.
        let (less, more) = (power - level - Self.doubt, power - level + Self.doubt)
        let low = metres(less, less > 0 ? Self.exponents.high : Self.exponents.low)
        let high = metres(more, more > 0 ? Self.exponents.low : Self.exponents.high)
        least = low >= Self.told.lowerBound ? low : nil
        most = high <= Self.told.upperBound ? max(high, Self.told.lowerBound) : nil
    }
}
