import Basics
import Yams

/// Turns the text of a YAML file into a `SettingsNode`; the only file that knows Yams.
///
/// A configuration is data, so what makes YAML more than that is refused: anchors and aliases
/// (they can multiply a kilobyte into gigabytes), tags, several documents, keys that are no words.
struct YAMLDocument {
    /// Bytes of the largest configuration taken.
    package static let largest = 1 << 20
    /// Levels of the deepest value taken; ours need four.
    static let deepest = 16

    /// Repeated keys looked for before giving up; each costs a parse.
    private static let mostRepeated = 50
    private static let noAliases = "anchors and aliases (& and *) are not taken, write it out"

    /// The outermost section.
    private(set) var root: SettingsNode
    /// What is wrong with the shape although the syntax is right.
    private(set) var faults: [SettingsError.Fault] = []
    private let file: String

    /// Parses `text`. Throws at once, with the line, when it is no YAML or no section of keys.
    init(_ text: String, named file: String, limit: Int) throws(SettingsError) {
        self.file = file
        root = SettingsNode(value: .section([]), source: .line(1))
        guard text.utf8.count <= limit else {
            throw SettingsError(
                file, .file, "is larger than \(limit) bytes, which is no configuration")
        }
        if let line = AliasCount.lineOfTooMany(in: text) {
            throw SettingsError(file, .line(line), Self.noAliases)
        }
        // Yams hands the bytes to libyaml by address; those of a string of up to 15 bytes have
        // none that lasts, so a short text is made long.
        let long = text.utf8.count > 15 ? text : text + String(repeating: " ", count: 16)
        do {
            try read(long)
        } catch let error as YamlError {
            throw SettingsError([error.fault(in: file, text: long)])
        } catch {
            throw SettingsError(file, .file, "\(error)")
        }
        switch root.value {
        case .section: break
        case .empty: root.value = .section([])
        case .scalar, .list:
            throw SettingsError(file, .line(1), "expected a section of keys, got \(root.shown)")
        }
    }

    /// Yams gives up at the first key given twice. To find all other faults as well, the first of
    /// the two is marked and the text parsed again; `entries` takes the mark off.
    private mutating func read(_ text: String) throws {
        var text = text
        var round = 0
        while true {
            let parser = try Parser(yaml: text, resolver: .basic)
            // Nodes hold their anchors weakly; the parser owns them.
            defer { withExtendedLifetime(parser) {} }
            do {
                if let node = try parser.singleRoot() {
                    root.value = convert(node, at: "", depth: 0).value
                }
                return
            } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
                round += 1
                guard round <= Self.mostRepeated,
                    let marked = RepeatedKey.mark(
                        text, line: context.mark.line, column: context.mark.column, as: round)
                else {
                    throw YamlError.duplicatedKeysInMapping(duplicates: keys, context: context)
                }
                text = marked
            }
        }
    }

    private mutating func convert(_ node: Node, at path: String, depth: Int) -> SettingsNode {
        var converted = SettingsNode(value: .empty, source: .line(node.mark?.line ?? 1))
        guard depth <= Self.deepest else {
            refuse(converted.source, path, "nested deeper than \(Self.deepest) levels")
            return converted
        }
        guard node.anchor == nil else {
            refuse(converted.source, path, Self.noAliases)
            return converted
        }
        switch node {
        case .scalar(let scalar):
            let plain = scalar.style == .plain
            refuseTag(node.tag, besides: .str, converted.source, path)
            if !(plain && CoreScalar.isNull(scalar.string)) {
                converted.value = .scalar(
                    SettingsNode.Scalar(text: scalar.string, style: plain ? .plain : .quoted))
            }
        case .sequence(let items):
            refuseTag(node.tag, besides: .seq, converted.source, path)
            converted.value = .list(
                items.enumerated().map { index, item in
                    convert(item, at: "\(path)[\(index)]", depth: depth + 1)
                })
        case .mapping(let pairs):
            refuseTag(node.tag, besides: .map, converted.source, path)
            converted.value = .section(entries(pairs, at: path, depth: depth))
        case .alias:
            refuse(converted.source, path, Self.noAliases)
        }
        return converted
    }

    private mutating func entries(
        _ pairs: Node.Mapping, at path: String, depth: Int
    ) -> [SettingsNode.Entry] {
        var entries: [SettingsNode.Entry] = []
        var firsts: [String: Int] = [:]
        for (key, value) in pairs {
            let line = key.mark?.line ?? 1
            guard case .scalar(let word) = key, key.anchor == nil else {
                refuse(.line(line), path, "a key must be a word")
                continue
            }
            let name = RepeatedKey.unmarked(word.string)
            let inner = path.isEmpty ? name.shown : "\(path).\(name.shown)"
            var node = convert(value, at: inner, depth: depth + 1)
            node.source = .line(line)
            if let first = firsts[name] {
                refuse(.line(line), inner, "given twice, first on line \(first)")
            } else {
                firsts[name] = line
                entries.append(SettingsNode.Entry(key: name, node: node))
            }
        }
        return entries
    }

    private mutating func refuseTag(
        _ tag: Tag, besides usual: Tag.Name, _ source: SettingsError.Source, _ path: String
    ) {
        guard tag.description != usual.rawValue else { return }
        refuse(source, path, "tags (\(tag.description.shown)) are not taken")
    }

    private mutating func refuse(
        _ source: SettingsError.Source, _ path: String, _ problem: String
    ) {
        faults.append(
            SettingsError.Fault(file: file, source: source, path: path, problem: problem))
    }
}

extension YamlError {
    /// The fault with its line; `text` is what was parsed.
    fileprivate func fault(in file: String, text: String) -> SettingsError.Fault {
        switch self {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            SettingsError.Fault(
                file: file, source: .line(mark.line), problem: "not YAML: \(problem)")
        case .reader(let problem, let offset, _, _):
            SettingsError.Fault(
                file: file,
                source: offset.map { .line(1 + text.prefix($0).count(where: \.isNewline)) }
                    ?? .file,
                problem: "not YAML: \(problem)")
        case .duplicatedKeysInMapping(let keys, let context):
            SettingsError.Fault(
                file: file, source: .line(context.mark.line),
                problem: "given twice: \(keys.map(\.shown).joined(separator: ", "))")
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            SettingsError.Fault(file: file, source: .file, problem: "not YAML: \(self)")
        }
    }
}

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

/// Counts what looks like a YAML alias before libyaml sees it.
///
/// Yams compares the keys of a mapping, and a key made of aliases of aliases takes for ever to
/// compare. This count errs on the side of counting too much, so it lets a few pass: the exact
/// check is the one for anchors, on the parsed document.
enum AliasCount {
    /// Sixteen aliases multiply to some hundreds at most.
    static let most = 16

    /// The line of the first of too many, or `nil`.
    static func lineOfTooMany(in text: String) -> Int? {
        var line = 1
        var count = 0
        var before: UInt8 = 0x0A
        var isPending = false
        for byte in text.utf8 {
            if isPending, isName(byte) {
                count += 1
                if count > most { return line }
            }
            // After `x*` no alias can begin, so names and arithmetic are not counted.
            isPending = byte == 0x2A && !isName(before)
            if byte == 0x0A { line += 1 }
            before = byte
        }
        return nil
    }

    private static func isName(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte) || byte == 0x5F || byte == 0x2D
    }
}

/// Makes a repeated key different from its twin for the parser.
enum RepeatedKey {
    /// A private-use character: YAML allows it, nobody has it in a key.
    private static let sign: Character = "\u{E000}"

    /// Puts a mark before the key that begins at a line and column, both counted from 1, columns in
    /// Unicode scalars; `nil` if there is nothing there.
    static func mark(_ text: String, line: Int, column: Int, as number: Int) -> String? {
        let scalars = text.unicodeScalars
        var index = scalars.startIndex
        for _ in 1..<max(line, 1) {
            guard let end = scalars[index...].firstIndex(of: "\n") else { return nil }
            index = scalars.index(after: end)
        }
        guard column > 0,
            var key = scalars.index(index, offsetBy: column - 1, limitedBy: scalars.endIndex),
            key < scalars.endIndex
        else { return nil }
        if scalars[key] == "\"" || scalars[key] == "'" { key = scalars.index(after: key) }
        return "\(text[..<key])\(sign)\(number)\(sign)\(text[key...])"
    }

    /// The key as it was written.
    static func unmarked(_ key: String) -> String {
        guard key.first == sign else { return key }
        let rest = key.dropFirst()
        return rest.firstIndex(of: sign).map { String(rest[$0...].dropFirst()) } ?? key
    }
}
