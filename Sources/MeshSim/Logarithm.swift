/// The decimal logarithm, by additions, multiplications and divisions only.
///
/// Those are rounded alike everywhere; a C library's `log10` is not, and one differing bit would
/// end the promise that a seed gives the same bytes on every machine.
enum Logarithm {
    /// log₁₀ of a positive, finite number; the error is below 10⁻¹².
    static func decimal(_ number: Double) -> Double {
        precondition(number > 0 && number.isFinite, "no logarithm of \(number)")
        var exponent = Double(number.exponent)
        var significand = number.significand  // 1 ..< 2
        if significand > 1.414_213_562_373_095_1 {
            significand /= 2
            exponent += 1
        }
        // ln m = 2 artanh((m − 1) / (m + 1)); |s| ≤ 0.172, so nine terms are enough.
        let s = (significand - 1) / (significand + 1)
        let square = s * s
        var sum = 0.0
        var divisor = 17.0
        while divisor >= 1 {
            sum = sum * square + 1 / divisor
            divisor -= 2
        }
        return (exponent * 0.693_147_180_559_945_3 + 2 * s * sum) * 0.434_294_481_903_251_8
    }
}
