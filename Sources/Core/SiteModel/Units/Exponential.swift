/// Exponential and logarithm, computed from the four operations alone, so that a recording
/// replays to the same bits on every machine. Relative error below 1e-12 in the ranges used here.
package enum Exponential {
    @usableFromInline static let ln2 = 0.693_147_180_559_945_3

    /// e to the power of `x`; 0 below −700, clamped above 700.
    @inlinable package static func exp(_ x: Double) -> Double {
        guard x > -700 else { return 0 }
        let clamped = min(x, 700)
        // x = k·ln 2 + r with |r| ≤ ln 2 / 2, then a Taylor series whose 14th term is below 1e-17.
        let k = (clamped / ln2).rounded()
        let r = clamped - k * ln2
        var term = 1.0
        var sum = 1.0
        for n in 1...14 {
            term *= r / Double(n)
            sum += term
        }
        return Double(sign: .plus, exponent: Int(k), significand: sum)
    }

    /// The natural logarithm of `x`, which must be positive.
    @inlinable package static func ln(_ x: Double) -> Double {
        precondition(x > 0, "no logarithm of \(x)")
        // x = m·2^k with 1 ≤ m < 2; ln m = 2·artanh((m−1)/(m+1)), argument at most 1/3.
        let m = x.significand
        let z = (m - 1) / (m + 1)
        let square = z * z
        var power = z
        var sum = 0.0
        for n in 0..<16 {
            sum += power / Double(2 * n + 1)
            power *= square
        }
        return 2 * sum + Double(x.exponent) * ln2
    }

    /// The logarithm of `x` to base 10, which must be positive.
    @inlinable package static func log10(_ x: Double) -> Double { ln(x) / 2.302_585_092_994_046 }

    /// ln(eᵃ + eᵇ), without leaving the range of numbers.
    @inlinable package static func lnSum(_ a: Double, _ b: Double) -> Double {
        let (high, low) = a > b ? (a, b) : (b, a)
        // What is e⁻³⁷ of the greater adds nothing to 53 bits.
        return low - high > -37 ? high + ln(1 + exp(low - high)) : high
    }
}
