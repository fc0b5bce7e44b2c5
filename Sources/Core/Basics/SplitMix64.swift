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
