import Basics
import Yams

/// Turns the text of a YAML file into a `SettingsNode`; the only file that knows Yams.
///
/// A configuration is data, so what makes YAML more than that is refused: anchors and aliases
/// (they can multiply a kilobyte into gigabytes), tags, several documents, keys that are no words.
struct YAMLDocument {
    /// Bytes of the largest file taken.
    static let largest = 1 << 20
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
    init(_ text: String, named file: String) throws(SettingsError) {
        self.file = file
        root = SettingsNode(value: .section([]), source: .line(1))
        guard text.utf8.count <= Self.largest else {
            throw SettingsError(
                file, .file, "is larger than \(Self.largest) bytes, which is no configuration")
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
