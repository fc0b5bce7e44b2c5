import JSON

/// What is typed of a set in one word: `8x80` (repetitions × kilograms), `8x176lb`, `8`, `90s`, `1:30`, `500m`,
/// `2.5km`, `1mi`; with `@2` at its end so many repetitions were left in reserve.
package struct SetText: Equatable, Sendable {
    /// An international pound, in grams.
    private static let pound = 453.592_37
    /// An international mile, in metres.
    private static let mile = 1609.344

    package private(set) var reps: Int?
    /// In grams.
    package private(set) var weight: Int64?
    /// In seconds.
    package private(set) var duration: Int?
    /// In metres.
    package private(set) var distance: Int?
    package private(set) var rir: Int?

    /// What is expected, for people.
    package static let expectation =
        "8x80 (repetitions x kilograms), 8x176lb, 8, 90s, 1:30, 500m or 2.5km, and @2 for what was left"

    /// `nil` if it is none. How much of each may be, the verb says.
    package init?(_ text: String) {
        var parts = text.lowercased().replacing("×", with: "x").replacing(",", with: ".")
            .split(separator: "@", omittingEmptySubsequences: false)
        if parts.count == 2 {
            guard let left = Int(parts.removeLast()) else { return nil }
            rir = left
        }
        guard parts.count == 1, let body = parts.first, !body.isEmpty else { return nil }
        let halves = body.split(separator: "x", omittingEmptySubsequences: false)
        if halves.count == 2 {
            guard let count = Int(halves[0]), let grams = Self.grams(halves[1]) else { return nil }
            (reps, weight) = (count, grams)
        } else if halves.count == 1, let count = Int(body) {
            reps = count
        } else if halves.count == 1, let seconds = Self.seconds(body) {
            duration = seconds
        } else if halves.count == 1, let metres = Self.metres(body) {
            distance = metres
        } else {
            return nil
        }
    }

    private static func number(_ text: some StringProtocol) -> Double? {
        guard !text.isEmpty, text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }) else {
            return nil
        }
        return Double(String(text))
    }

    private static func grams(_ text: Substring) -> Int64? {
        if text.hasSuffix("lb") {
            return number(text.dropLast(2)).flatMap { Int64(exactly: ($0 * pound).rounded()) }
        }
        // As it is typed: what has too many decimals is refused by whoever reads the kilograms.
        return number(text.hasSuffix("kg") ? text.dropLast(2) : text)
            .flatMap { Parameter.Kind.grams($0) }
    }

    private static func seconds(_ text: Substring) -> Int? {
        if text.hasSuffix("s") { return Int(text.dropLast()) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let minutes = parts[0], let seconds = parts[1], minutes >= 0,
            (0...59).contains(seconds)
        else { return nil }
        return minutes * 60 + seconds
    }

    private static func metres(_ text: Substring) -> Int? {
        for (unit, length) in [("km", 1000), ("mi", mile), ("m", 1)] where text.hasSuffix(unit) {
            return number(text.dropLast(unit.count)).flatMap {
                Int(exactly: ($0 * length).rounded())
            }
        }
        return nil
    }

    /// Writes the members of the set that it says.
    package func writeMembers(to writer: inout JSONWriter) {
        if let reps { writer.field("reps", reps) }
        if let duration { writer.field("duration_s", duration) }
        if let distance { writer.field("distance_m", distance) }
        if let weight { writer.field("weight_kg", Double(weight) / 1000) }
        if let rir { writer.field("rir", rir) }
    }
}
