/// Even bits from a counter (Steele, Lea, Flood 2014): the same from the same seed on every machine.
package struct SplitMix64: RandomNumberGenerator, Equatable, Sendable {
    @usableFromInline var state: UInt64

    /// Begins at a seed as it is. Neighbouring seeds give unrelated numbers.
    @inlinable package init(seed: UInt64) { state = seed }

    /// Sixty-four even bits.
    @inlinable
    @inline(__always)
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// Bits of which each depends on all of `bits`; different ones stay different.
    @inlinable
    @inline(__always)
    package static func mixed(_ bits: UInt64) -> UInt64 {
        var bits = bits
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

/// Dice that fall alike on every machine: SplitMix64 (Steele, Lea, Flood 2014).
///
/// The simulator draws only through the methods here. Those of the standard library would accept
/// this generator too, but how they use its numbers may change with the compiler.
package struct SeededRandom: RandomNumberGenerator, Equatable, Sendable {
    private var numbers: SplitMix64

    /// The dice of `seed`. Different streams of one seed are unrelated, so that drawing more from
    /// one does not move the others.
    package init(seed: UInt64, stream: UInt64 = 0) {
        let other = SplitMix64.mixed(SplitMix64.mixed(stream) &+ 0xD1B5_4A32_D192_ED03)
        numbers = SplitMix64(seed: SplitMix64.mixed(seed) ^ other)
    }

    /// Sixty-four even bits.
    @inline(__always)
    package mutating func next() -> UInt64 { numbers.next() }

    /// An even number in 0 ..< 1, a multiple of 2⁻⁵³.
    package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// `true` with the given probability; never for 0, always for 1.
    package mutating func chance(_ probability: Double) -> Bool { unit() < probability }

    /// An index in 0 ..< `count`, which must be positive.
    package mutating func index(below count: Int) -> Int {
        precondition(count > 0, "nothing to choose from")
        return Int(next().multipliedFullWidth(by: UInt64(count)).high)
    }

    /// An even number between two bounds.
    package mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * unit()
    }

    /// A bell-shaped number of mean 0 and standard deviation 1, never beyond ±3.47.
    ///
    /// The sum of four even 16-bit numbers: one draw, integers only, hence no logarithm whose last
    /// bit depends on the machine. The tails are a little thinner than a true normal's.
    @inline(__always)
    package mutating func normal() -> Double {
        let bits = next()
        let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
        // Mean 2 × 65,535; deviation √(4 × (65,536² − 1) / 12).
        return (Double(sum) - 131_070) * (1 / 37_837.227)
    }
}
