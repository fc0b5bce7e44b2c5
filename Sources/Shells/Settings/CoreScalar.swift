/// The rules of the YAML 1.2 core schema (chapter 10.3.2) for what an unquoted word means.
///
/// `yes`, `no`, `on`, `off` and sexagesimal numbers are YAML 1.1 and are plain text here.
enum CoreScalar {
    /// Whether the word stands for nothing.
    static func isNull(_ text: String) -> Bool {
        ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// `true` or `false` in the three spellings of the schema.
    static func bool(_ text: String) -> Bool? {
        switch text {
        case "true", "True", "TRUE": true
        case "false", "False", "FALSE": false
        default: nil
        }
    }

    /// A whole number, decimal, `0o` octal or `0x` hexadecimal, that fits 64 bits.
    static func int(_ text: String) -> Int? {
        if text.hasPrefix("0o") { return unsigned(text.dropFirst(2), base: 8) }
        if text.hasPrefix("0x") { return unsigned(text.dropFirst(2), base: 16) }
        return Int(text, radix: 10)
    }

    /// A finite number: a whole one or a decimal fraction with or without an exponent.
    static func number(_ text: String) -> Double? {
        if let whole = int(text) { return Double(whole) }
        guard isFraction(text), let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// Whether an unquoted word means something else than itself.
    static func isTyped(_ text: String) -> Bool {
        isNull(text) || bool(text) != nil || int(text) != nil || isFraction(text)
    }

    /// `Int(_:radix:)` would accept a second sign after the prefix.
    private static func unsigned(_ digits: Substring, base: Int) -> Int? {
        guard let first = digits.utf8.first, first != 0x2B, first != 0x2D else { return nil }
        return Int(digits, radix: base)
    }

    /// `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`, which leaves out the
    /// hexadecimal fractions, `inf` and `nan` that `Double` would take.
    private static func isFraction(_ text: String) -> Bool {
        var rest = text.utf8[...]
        skip(&rest, anyOf: [0x2B, 0x2D])
        let whole = skipDigits(&rest)
        var fraction = 0
        if rest.first == 0x2E {
            rest.removeFirst()
            fraction = skipDigits(&rest)
        }
        guard whole + fraction > 0 else { return false }
        if rest.first == 0x65 || rest.first == 0x45 {
            rest.removeFirst()
            skip(&rest, anyOf: [0x2B, 0x2D])
            guard skipDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func skip(_ text: inout Substring.UTF8View, anyOf bytes: [UInt8]) {
        if let first = text.first, bytes.contains(first) { text.removeFirst() }
    }

    private static func skipDigits(_ text: inout Substring.UTF8View) -> Int {
        var count = 0
        while let first = text.first, (0x30...0x39).contains(first) {
            text.removeFirst()
            count += 1
        }
        return count
    }
}
