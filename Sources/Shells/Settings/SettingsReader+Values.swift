import Basics

/// Single values. Each method takes a default; without one the key must be there.
extension SettingsReader {
    /// Text of 1 to `length` characters. Words that YAML takes for numbers, `true` or `null` need
    /// quotes, so that `1e5` is never mistaken for a name.
    ///
    /// - Parameter controls: The control characters that it may have.
    package mutating func string(
        _ key: String, default preset: String? = nil, length: Int = 256,
        of controls: [Unicode.Scalar] = []
    ) -> String {
        value(
            key, "text of 1 to \(length) characters (in quotes if it looks like a number)",
            preset, standIn: ""
        ) { Self.text($0, length, of: controls) }
    }

    /// As `string`, or `nil` where the key is absent.
    package mutating func stringIfPresent(
        _ key: String, length: Int = 256, of controls: [Unicode.Scalar] = []
    ) -> String? {
        take(key) == nil ? nil : string(key, length: length, of: controls)
    }

    /// A word as it is written, be it text, a number or `true`: for values such as `3.1.1` or hex
    /// digits, which the caller checks.
    package mutating func word(_ key: String, default preset: String? = nil) -> String {
        value(key, "a word", preset, standIn: "") { $0.text.isEmpty ? nil : $0.text }
    }

    /// A name as it stands on topics: 1 to 64 of `a-z`, `0-9` and `-`.
    package mutating func slug(_ key: String, default preset: String? = nil) -> String {
        textValue(key, "1 to 64 of a-z, 0-9 and -", preset, standIn: "") {
            $0.text.isSlug ? $0.text : nil
        }
    }

    /// As `slug`, or `nil` where the key is absent.
    package mutating func slugIfPresent(_ key: String) -> String? {
        take(key) == nil ? nil : slug(key)
    }

    /// A path, as given if absolute, else as seen from the directory of the file.
    package mutating func path(_ key: String, default preset: String? = nil) -> String {
        let path = value(key, "a path", preset, standIn: "") { Self.text($0, 4096) }
        return resolved(path)
    }

    /// As `path`, or `nil` where the key is absent.
    package mutating func pathIfPresent(_ key: String) -> String? {
        take(key) == nil ? nil : path(key)
    }

    package mutating func int(
        _ key: String, in range: ClosedRange<Int>, default preset: Int? = nil
    ) -> Int {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return value(key, expected, preset, standIn: range.lowerBound) { scalar in
            guard scalar.style != .quoted, let int = CoreScalar.int(scalar.text) else {
                return nil
            }
            return range.contains(int) ? int : nil
        }
    }

    /// As `int`, or `nil` where the key is absent.
    package mutating func intIfPresent(_ key: String, in range: ClosedRange<Int>) -> Int? {
        take(key) == nil ? nil : int(key, in: range)
    }

    /// A number; never infinite, never not a number.
    package mutating func number(
        _ key: String, in range: ClosedRange<Double>, default preset: Double? = nil
    ) -> Double {
        number(key, in: range, unit: "", preset)
    }

    /// As `number`, or `nil` where the key is absent.
    package mutating func numberIfPresent(
        _ key: String, in range: ClosedRange<Double>
    ) -> Double? {
        take(key) == nil ? nil : number(key, in: range)
    }

    /// A list of `count` numbers, or `nil` where the key is absent or its value is refused.
    package mutating func numbersIfPresent(
        _ key: String, count: ClosedRange<Int>, in range: ClosedRange<Double>
    ) -> [Double]? {
        guard let node = take(key) else { return nil }
        var numbers: [Double] = []
        if case .list(let items) = node.value {
            for case .scalar(let scalar) in items.map(\.value) where scalar.style != .quoted {
                guard let number = CoreScalar.number(scalar.text), range.contains(number) else {
                    continue
                }
                numbers.append(number)
            }
            if count.contains(items.count), numbers.count == items.count { return numbers }
        }
        let limits = "\(Self.shown(range.lowerBound)) to \(Self.shown(range.upperBound))"
        let many =
            count.count == 1 ? "\(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
        refuse(key, "expected a list of \(many) numbers from \(limits), got \(node.shown)")
        return nil
    }

    /// A list of texts, empty where the key is absent. Anything else is refused, and empty, too.
    package mutating func texts(_ key: String, count: ClosedRange<Int>) -> [String] {
        guard let node = take(key) else { return [] }
        var texts: [String] = []
        if case .list(let items) = node.value {
            for case .scalar(let scalar) in items.map(\.value) { texts.append(scalar.text) }
            if count.contains(items.count), texts.count == items.count { return texts }
        }
        refuse(
            key,
            "expected a list of \(count.lowerBound) to \(count.upperBound) texts, got \(node.shown)"
        )
        return []
    }

    /// A table of texts whose keys the author chose, at most so many; `nil` where the key is absent. A key without a
    /// value is as if it were not there.
    package mutating func table(_ key: String, most: Int) -> [(key: String, text: String)]? {
        guard let node = take(key) else { return nil }
        var table: [(key: String, text: String)] = []
        if case .section(let entries) = node.value, entries.count <= most {
            for entry in entries where entry.node.value != .empty {
                guard case .scalar(let scalar) = entry.node.value else {
                    refuse(key, "expected a text at \(entry.key.shown), got \(entry.node.shown)")
                    return nil
                }
                table.append((entry.key, scalar.text))
            }
            return table
        }
        refuse(key, "expected a section of at most \(most) keys, got \(node.shown)")
        return nil
    }

    /// A length of time in seconds, fractions allowed.
    package mutating func seconds(
        _ key: String, in range: ClosedRange<Double>, default preset: Double? = nil
    ) -> Double {
        number(key, in: range, unit: " of seconds", preset)
    }

    /// `true` or `false`; `yes` and `on` are YAML 1.1 and refused.
    package mutating func bool(_ key: String, default preset: Bool? = nil) -> Bool {
        value(key, "true or false", preset, standIn: false) {
            $0.style == .quoted ? nil : CoreScalar.bool($0.text)
        }
    }

    /// One of the raw values of an enum, which has at least one case.
    package mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String, default preset: Choice? = nil
    ) -> Choice where Choice.RawValue == String {
        guard let first = Choice.allCases.first else { preconditionFailure("a choice of nothing") }
        let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        return textValue(key, "one of \(words)", preset, standIn: first) {
            Choice(rawValue: $0.text)
        }
    }

    /// The one way to a single value: absent, wrong or read.
    private mutating func value<Value>(
        _ key: String, _ expected: String, _ preset: Value?, standIn: Value,
        _ read: (SettingsNode.Scalar) -> Value?
    ) -> Value {
        guard let node = take(key) else {
            if preset == nil { refuse(key, "missing, expected \(expected)") }
            return preset ?? standIn
        }
        if case .scalar(let scalar) = node.value, let value = read(scalar) { return value }
        refuse(key, "expected \(expected), got \(node.shown)")
        return standIn
    }

    /// As `value`, of what is a text: a number or `true` only where texts need no quotes.
    private mutating func textValue<Value>(
        _ key: String, _ expected: String, _ preset: Value?, standIn: Value,
        _ read: (SettingsNode.Scalar) -> Value?
    ) -> Value {
        guard quotesTexts else { return value(key, expected, preset, standIn: standIn, read) }
        return value(key, "a string, \(expected)", preset, standIn: standIn) {
            $0.style == .plain ? nil : read($0)
        }
    }

    private mutating func number(
        _ key: String, in range: ClosedRange<Double>, unit: String, _ preset: Double?
    ) -> Double {
        let limits = "\(Self.shown(range.lowerBound)) to \(Self.shown(range.upperBound))"
        return value(key, "a number\(unit) from \(limits)", preset, standIn: range.lowerBound) {
            guard $0.style != .quoted, let number = CoreScalar.number($0.text) else { return nil }
            return range.contains(number) ? number : nil
        }
    }

    private static func text(
        _ scalar: SettingsNode.Scalar, _ length: Int, of controls: [Unicode.Scalar] = []
    ) -> String? {
        let text = scalar.text
        guard (1...length).contains(text.unicodeScalars.count),
            !(scalar.style == .plain && CoreScalar.isTyped(text)),
            !text.unicodeScalars.contains(where: {
                $0.properties.generalCategory == .control && !controls.contains($0)
            })
        else { return nil }
        return text
    }

    /// `5` rather than `5.0`.
    private static func shown(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }
}
