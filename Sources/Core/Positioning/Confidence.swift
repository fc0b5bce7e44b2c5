import SiteModel

/// What a posterior is worth: the curve between what the filter states and how often it was right on
/// recordings, fitted offline. It is part of the version of the core: a recording replays with its own.
enum Confidence {
    /// Grows with each new curve.
    static let version = 2
    /// Nothing is ever told with more than this.
    static let most = 0.985

    /// Where places were taught: the odds are drawn in, the more so where spots do not fit. Over
    /// three kinds of recordings what is told then differs from what is right by 0.1 to 5 points.
    static func taught(_ p: Double, spotWeight: Double) -> Double {
        let q = min(max(p, 1e-6), 1 - 1e-9)
        let odds = Exponential.ln(q / (1 - q))
        let drawn = (0.4 + 0.4 * spotWeight) * odds
        return p > 0 ? min(1 / (1 + Exponential.exp(-drawn)), most) : 0
    }

    /// Where none were: the geometric mean of what all seconds say and of what the latest says.
    static func untaught(_ p: Double, now: Double) -> Double {
        min(max(p * now, 0).squareRoot(), most)
    }
}
