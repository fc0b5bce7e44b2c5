/// FNV-1a of 64 bits: a number for some bytes, the same in every run. It tells versions apart, and resists nobody who
/// looks for two texts of one number.
@inlinable package func fingerprint64(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var number: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { number = (number ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return number
}
