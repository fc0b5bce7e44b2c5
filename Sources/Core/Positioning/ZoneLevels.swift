import SiteModel

/// The smoothed level of a device at each receiver: a peak follower.
///
/// Fading only takes away, and a tag sends on three channels of which one may be in a notch: the level
/// rises to a stronger second with a time constant of 0.5 s and falls to weaker ones with 2.5 s, by
/// elapsed time, of which two seconds count at most. On recordings the place of the ear that is loudest by the 90 % quantile of a minute is
/// right at 10 points more spots than by the median (DESIGN, “Locating”). After 3 s of silence, or
/// up to 6 where a device is heard seldom, it sinks 1 dB a second, and is dropped at 15 s.
struct ZoneLevels: Sendable {
    static let rise = 0.5
    static let fall = 2.5
    static let sinksAfter: Int64 = 3
    static let droppedAfter: Int64 = 15
    static let mostGrace = 6.0

    /// By the seconds since the level before, how much of a rise or fall is believed.
    private let riseWeights: [Double]
    private let fallWeights: [Double]

    /// Levels that rise and fall with given time constants in seconds; 0 takes each as it is.
    init(rise: Double = Self.rise, fall: Double = Self.fall) {
        riseWeights = Self.weights(rise)
        fallWeights = Self.weights(fall)
    }

    private static func weights(_ timeConstant: Double) -> [Double] {
        (0...Int(droppedAfter)).map {
            timeConstant > 0 ? 1 - Exponential.exp(-min(Double($0), 2) / timeConstant) : 1
        }
    }

    /// What an ear's seconds up to `second` come to, or `nil` if it was silent for too long. It
    /// sinks after `grace` seconds of silence.
    func level(of ear: Int, in log: EarLog, at second: Int64, grace: Double) -> Double? {
        var level: Double?
        let first = second - Self.droppedAfter + 1
        var last = first
        for moment in first...second {
            guard let heard = log.level(ear: ear, second: moment) else { continue }
            if let old = level {
                let weights = heard > old ? riseWeights : fallWeights
                level = old + weights[Int(moment - last)] * (heard - old)
            } else {
                level = heard
            }
            last = moment
        }
        return level.map { $0 - max(Double(second - last) - grace, 0) }
    }

    /// The share of a change that is believed after each number of seconds.
    func weight(rising: Bool, after seconds: Int64) -> Double {
        (rising ? riseWeights : fallWeights)[Int(min(max(seconds, 0), Self.droppedAfter))]
    }
}
