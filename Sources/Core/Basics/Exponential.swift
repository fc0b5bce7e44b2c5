/// Exponential and logarithm, computed from the four operations alone, so that a recording
/// replays to the same bits on every machine. Relative error below 1e-12 in the ranges used here.
package enum Exponential {
    @usableFromInline static let ln2 = 0.693_147_180_559_945_3
    @usableFromInline static let root2 = 1.414_213_562_373_095
    /// Added and taken away again, it rounds numbers below 2⁵¹ to whole ones: 1.5·2⁵².
    @usableFromInline static let rounding = 6_755_399_441_055_744.0

    /// e to the power of `x`; 0 below −700, clamped above 700.
    @inlinable package static func exp(_ x: Double) -> Double {
        guard x > -700 else { return 0 }
        let clamped = min(x, 700)
        // x = k·ln 2 + r with |r| ≤ ln 2 / 2, then a Taylor series whose 14th term is below 1e-17.
        let k = clamped * (1 / ln2) + rounding - rounding
        let r = clamped - k * ln2
        // In pairs, fours and eights (Estrin), so that the sums do not wait for each other.
        let r2 = r * r
        let r4 = r2 * r2
        let low = (1 + r) + (0.5 + r * (1 / 6.0)) * r2
        let middle = (1 / 24.0 + r * (1 / 120.0)) + (1 / 720.0 + r * (1 / 5_040.0)) * r2
        let high =
            (1 / 40_320.0 + r * (1 / 362_880.0)) + (1 / 3_628_800.0 + r * (1 / 39_916_800.0)) * r2
        let highest = 1 / 479_001_600.0 + r * (1 / 6_227_020_800.0)
        let sum = (low + middle * r4) + (high + highest * r4) * (r4 * r4)
        // |k| ≤ 1010: 2ᵏ is a normal number, whose exponent is biased by 1023.
        return sum * Double(bitPattern: UInt64(Int64(k) + 1023) << 52)
    }

    /// The natural logarithm of `x`, which must be positive.
    @inlinable package static func ln(_ x: Double) -> Double {
        precondition(x > 0, "no logarithm of \(x)")
        guard x.isNormal else { return x < 1 ? ln(x * 0x1p100) - 100 * ln2 : x }
        // x = m·2^k with √½ < m ≤ √2; ln m = 2·artanh((m−1)/(m+1)), argument at most 0.172.
        var k = Int64(x.bitPattern >> 52) - 1023
        var m = Double(bitPattern: x.bitPattern & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000)
        if m > root2 {
            m *= 0.5
            k += 1
        }
        let z = (m - 1) / (m + 1)
        let square = z * z
        let fourth = square * square
        let eighth = fourth * fourth
        let low = (1 + square * (1 / 3.0)) + (1 / 5.0 + square * (1 / 7.0)) * fourth
        let high = (1 / 9.0 + square * (1 / 11.0)) + (1 / 13.0 + square * (1 / 15.0)) * fourth
        let highest = (1 / 17.0 + square * (1 / 19.0)) + fourth * (1 / 21.0)
        let sum = low + (high + highest * eighth) * eighth
        return 2 * z * sum + Double(k) * ln2
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
