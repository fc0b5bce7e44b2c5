/// A number of a JSON text, always finite.
package struct JSONNumber: Hashable, Sendable {
    /// The greatest integer a payload carries, 2⁵³ − 1: every reader of JSON holds it exactly.
    package static let greatestInteger: Int64 = 9_007_199_254_740_991

    /// The nearest double.
    package let value: Double
    /// The same as an integer, or `nil` if it has a fraction or is beyond 64 bits. 5.0 and 5e0 are
    /// integers, as JSON Schema has it.
    package let integer: Int64?

    /// A number read as an integer.
    init(_ integer: Int64) {
        value = Double(integer)
        self.integer = integer
    }

    /// A number read with a fraction, an exponent or very many digits.
    init(_ value: Double) {
        self.value = value
        integer = Int64(exactly: value)
    }
}

extension JSONReader {
    /// Takes a number. Throws `unreadableNumber` if it is too long or beyond the range of a double.
    package mutating func number(in json: Span<UInt8>) throws(PayloadError) -> JSONNumber {
        _ = try peek(json)
        let start = offset
        let isNegative = accept(UInt8(ascii: "-"), json)
        var decimal = Decimal()
        if accept(UInt8(ascii: "0"), json) {
            decimal.append(0)
        } else {
            try digits(json) { decimal.append($0) }
        }
        if accept(UInt8(ascii: "."), json) {
            decimal.isInteger = false
            try digits(json) {
                decimal.append($0)
                decimal.exponent -= 1
            }
        }
        if accept(UInt8(ascii: "e"), json) || accept(UInt8(ascii: "E"), json) {
            decimal.isInteger = false
            let isSmall = accept(UInt8(ascii: "-"), json)
            if !isSmall { _ = accept(UInt8(ascii: "+"), json) }
            var exponent = 0
            // Held at a bound far beyond any double, where only `Double.init` is asked.
            try digits(json) { exponent = min(100_000, exponent * 10 + Int($0)) }
            decimal.exponent += isSmall ? -exponent : exponent
        }
        guard offset - start <= Self.longestNumber else {
            throw .unreadableNumber(offset: start)
        }
        if decimal.isInteger, let integer = decimal.integer(isNegative: isNegative) {
            return JSONNumber(integer)
        }
        let value: Double?
        if let magnitude = decimal.exact {
            value = isNegative ? -magnitude : magnitude
        } else {
            let range = start..<offset
            value = Double(try JSONString(range: range, isPlain: true).text(in: json))
        }
        guard let value, value.isFinite else { throw .unreadableNumber(offset: start) }
        return JSONNumber(value)
    }
}

/// Digits and a power of ten, as they are read.
private struct Decimal {
    /// The digits so far; right only while `digitCount` is at most 18.
    private var significand: UInt64 = 0
    private var digitCount = 0
    /// The power of ten the digits are to be multiplied with.
    var exponent = 0
    /// No fraction and no exponent was written.
    var isInteger = true

    mutating func append(_ digit: UInt8) {
        if significand > 0 || digit > 0 { digitCount += 1 }
        if digitCount <= 18 { significand = significand * 10 + UInt64(digit) }
    }

    func integer(isNegative: Bool) -> Int64? {
        guard digitCount <= 18, exponent == 0 else { return nil }
        return isNegative ? -Int64(significand) : Int64(significand)
    }

    /// The magnitude where one multiplication or division of two exact doubles gives the nearest
    /// double: up to 15 digits and powers of ten up to 22. Otherwise `nil`.
    var exact: Double? {
        guard digitCount <= 15, (-22...22).contains(exponent) else { return nil }
        return exponent < 0
            ? Double(significand) / Self.powers[-exponent]
            : Double(significand) * Self.powers[exponent]
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}
