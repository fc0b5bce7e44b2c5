import Basics
import Operations
import Settings
import SiteModel

/// Rows that the machines have no part in: they are read, checked, stored and compared as the collection declares
/// their members.
extension SiteCollection {
    /// Reads one row of a file, every fault with its line. `known` are the ids of other collections by name.
    package func read(
        _ item: inout SettingsReader, seen: inout Set<String>, known: [String: Set<String>]
    ) -> SiteTree {
        let slug = item.newSlug(&seen)
        let name = item.name(label, default: slug)
        let others = members.filter { $0.name != "id" && $0.name != label }
        let row = SiteTree.section(
            [("id", .text(slug)), (label, .text(name))] + read(others, &item, known: known))
        if let (member, fault) = contradiction(row) { item.refuse(member, fault) }
        return row
    }

    /// Reads some members of a row; those that are left out have their presets.
    func read(
        _ members: [Parameter], _ item: inout SettingsReader, known: [String: Set<String>]
    ) -> [(key: String, value: SiteTree)] {
        var row: [(key: String, value: SiteTree)] = []
        for member in members {
            let isOff = member.isNullable && item.isNull(member.name)
            var value =
                isOff
                ? .null
                : Self.value(member.kind, at: member.name, &item, known) ?? presets[member.name]
            if let form = texts[member.name], case .text(let text)? = value, !text.isEmpty {
                do throws(RowText.Fault) {
                    value = .text(try form.read(text))
                } catch {
                    item.refuse(member.name, error.text)
                }
            }
            if let value {
                row.append((member.name, value))
            } else if required.contains(member.name), !item.holds(member.name) {
                item.refuse(member.name, "missing, expected \(member.kind.expectation)")
            }
        }
        return row
    }

    private static func value(
        _ kind: Parameter.Kind, at key: String, _ item: inout SettingsReader,
        _ known: [String: Set<String>]
    ) -> SiteTree? {
        switch kind {
        case .text(let length):
            guard let text = item.stringIfPresent(key, length: length.upperBound) else {
                return nil
            }
            if !text.isEmpty, let fault = HarmlessText.fault(inName: text) {
                item.refuse(key, fault)
            }
            return .text(text)
        case .freeText(let length):
            return item.stringIfPresent(key, length: length.upperBound, of: ["\n", "\t"])
                .map { .text($0) }
        case .word(let words):
            guard let word = item.stringIfPresent(key) else { return nil }
            if !word.isEmpty, !words.contains(word) {
                item.refuse(key, "expected one of \(words.joined(separator: ", "))")
            }
            return .text(word)
        case .slug: return item.slugIfPresent(key).map { .text($0) }
        case .reference(let name):
            let one = named(name)?.one ?? name
            return item.reference(key, to: known[name] ?? [], one).map { .text($0) }
        case .integer(let range):
            return item.intIfPresent(key, in: Int(range.lowerBound)...Int(range.upperBound))
                .map { .scalar("\($0)") }
        case .decimal(let range): return item.numberIfPresent(key, in: range).map { .number($0) }
        case .kilograms(let range):
            let most = Double(range.upperBound) / 1000
            guard let number = item.numberIfPresent(key, in: Double(range.lowerBound) / 1000...most)
            else { return nil }
            if Parameter.Kind.grams(number) == nil {
                item.refuse(key, "expected kilograms with at most three decimals")
            }
            return .number(number)
        case .flag: return item.take(key) == nil ? nil : .flag(item.bool(key))
        case .list(let kind): return list(of: kind, at: key, &item, known)
        case .map:
            guard let table = item.table(key, most: mostLanguages), !table.isEmpty else {
                return nil
            }
            for (language, text) in table {
                if !isLanguage(language) {
                    item.refuse(
                        key, "\(language.quoted) is no language, expected one such as de or pt-br")
                }
                if !(1...120).contains(text.unicodeScalars.count) {
                    item.refuse(
                        key, "expected a text of 1 to 120 characters for \(language.quoted)")
                } else if let fault = HarmlessText.fault(inName: text) {
                    item.refuse(key, "\(language.quoted) \(fault)")
                }
            }
            return .section(table.map { ($0.key, .text($0.text)) })
        case .number, .time, .date, .object, .uuid, .value:
            preconditionFailure("\(key): no collection has such a member")
        }
    }

    /// The words or ids of a list, each once.
    private static func list(
        of kind: Parameter.Kind, at key: String, _ item: inout SettingsReader,
        _ known: [String: Set<String>]
    ) -> SiteTree? {
        guard item.take(key) != nil else { return nil }
        let texts = item.texts(key, count: 0...mostReferences)
        var seen: Set<String> = []
        for text in texts {
            let shown = text.quoted
            switch kind {
            case .word(let words) where !words.contains(text):
                item.refuse(key, "\(shown) is none of \(words.joined(separator: ", "))")
            case .reference(let name) where known[name]?.contains(text) != true:
                item.refuse(key, "there is no \(named(name)?.one ?? name) \(shown)")
            default: if !seen.insert(text).inserted { item.refuse(key, "\(shown) is given twice") }
            }
        }
        return texts.isEmpty ? nil : .list(texts.map { .text($0) })
    }

    private static let mostLanguages = 16

    /// How many a list may have.
    package static let mostReferences = 64

    static func isLanguage(_ text: String) -> Bool {
        text.isSlug && (2...8).contains(text.utf8.count)
            && text.utf8.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } == true
    }
}
