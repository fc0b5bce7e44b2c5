/// What a posterior is worth: the curve between what the filter states and how often it was right on
/// recordings, fitted offline. It is part of the version of the core: a recording replays with its own.
enum Confidence {
    /// Grows with each new curve.
    static let version = 1
    /// Nothing is ever told with more than this.
    static let most = 0.98

    /// The probability to tell for one that the filter states.
    static func told(_ p: Double) -> Double { p <= 0.5 ? p : min(0.5 + 0.9 * (p - 0.5), most) }
}
