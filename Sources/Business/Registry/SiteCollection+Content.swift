import Basics
import GRDB
import JSON
import Operations
import Settings
import SiteModel
import SiteStore
import Wire

/// Rows that the machines have no part in: they are read, checked, stored and compared as the collection declares
/// their members.
extension SiteCollection {
    /// Those whose rows are kept like that.
    package static let content = all.filter(\.isContent)

    /// Reads one row of a file, every fault with its line. `known` are the ids of other collections by name.
    package func read(
        _ item: inout SettingsReader, seen: inout Set<String>, known: [String: Set<String>]
    ) -> SiteTree {
        let slug = item.newSlug(&seen)
        let name = item.name(label, default: slug)
        let others = members.filter { $0.name != "id" && $0.name != label }
        return .section(
            [("id", .text(slug)), (label, .text(name))] + read(others, &item, known: known))
    }

    /// Reads some members of a row; those that are left out have their presets.
    func read(
        _ members: [Parameter], _ item: inout SettingsReader, known: [String: Set<String>]
    ) -> [(key: String, value: SiteTree)] {
        var row: [(key: String, value: SiteTree)] = []
        for member in members {
            let isOff = member.isNullable && item.isNull(member.name)
            let value =
                isOff
                ? .null
                : Self.value(member.kind, at: member.name, &item, known) ?? presets[member.name]
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
        case .text(let length), .freeText(let length):
            guard let text = item.stringIfPresent(key, length: length.upperBound) else {
                return nil
            }
            if !text.isEmpty, let fault = HarmlessText.fault(inName: text) {
                item.refuse(key, fault)
            }
            return .text(text)
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

    private static func isLanguage(_ text: String) -> Bool {
        text.isSlug && (2...8).contains(text.utf8.count)
            && text.utf8.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } == true
    }

    /// What keeps rows from being stored, by the rules of the file.
    func faults(in rows: [SiteTree], known: [String: Set<String>]) -> [String] {
        let text = SiteTree.section([(name, .list(rows))]).file
        do {
            var settings = try SettingsReader(
                text: text, named: "site", quotesTexts: true, limit: SiteFile.largest)
            var seen: Set<String> = []
            _ = settings.list(name, count: 0...most) { read(&$0, seen: &seen, known: known) }
            try settings.finish()
            return []
        } catch {
            return error.faults.map { "\($0.path): \($0.problem)" }
        }
    }

    // MARK: The table

    /// The column of a member: kilograms are stored as grams.
    private static func column(of member: Parameter) -> String {
        switch member.kind {
        case .kilograms: member.name.replacing("_kg", with: "_g")
        default: member.name == "id" ? "slug" : member.name
        }
    }

    /// The rows of a database that are not retired.
    func rows(_ db: Database) throws -> [SiteTree] {
        try db.rows("SELECT * FROM \(table) WHERE retired_ms IS NULL ORDER BY id") { row in
            .section(
                try members.compactMap { member in
                    let column = Self.column(of: member)
                    do {
                        return try Self.tree(row[column], as: member.kind).map { (member.name, $0) }
                    } catch {
                        throw DamagedRow("\(table).\(column)", row)
                    }
                })
        }
    }

    /// The number of the row of a slug, retired or not; `nil` if there never was one.
    func number(of slug: String, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT id FROM \(table) WHERE slug = ?", arguments: [slug])
    }

    /// Adds or replaces the row of a slug; a retired one is back.
    func put(_ row: SiteTree, _ db: Database) throws {
        let columns = members.map { Self.column(of: $0).quotedDatabaseIdentifier }
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let set = columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        try db.run(
            """
            INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))
            ON CONFLICT (slug) DO UPDATE SET \(set), retired_ms = NULL
            """, StatementArguments(members.map { Self.value(row[$0.name], as: $0.kind) }))
    }

    private static func value(_ tree: SiteTree?, as kind: Parameter.Kind) -> DatabaseValue {
        guard let tree else { return .null }
        switch (kind, tree) {
        case (.kilograms, .scalar(let text)):
            return Double(text).map { Int64(($0 * 1000).rounded()) }?.databaseValue ?? .null
        case (.integer, .scalar(let text)): return Int64(text)?.databaseValue ?? .null
        case (.decimal, .scalar(let text)): return Double(text)?.databaseValue ?? .null
        case (.flag, .scalar(let text)): return (text == "true").databaseValue
        case (_, .text(let text)): return text.databaseValue
        default: return tree.json.databaseValue
        }
    }

    private static func tree(_ value: DatabaseValue, as kind: Parameter.Kind) throws -> SiteTree? {
        switch (kind, value.storage) {
        case (_, .null), (_, .blob): return nil
        case (.kilograms, .int64(let grams)): return .number(Double(grams) / 1000)
        case (.flag, .int64(let number)): return .flag(number != 0)
        case (_, .int64(let number)): return .scalar("\(number)")
        case (_, .double(let number)): return .number(number)
        case (.list, .string(let text)), (.map, .string(let text)):
            let tree = try SiteTree(json: text)
            guard fits(tree, kind) else { throw PayloadError.notJSON(offset: 0) }
            return tree
        case (_, .string(let text)): return .text(text)
        }
    }
}

extension SiteTree: Codable {
    /// The value of a JSON text.
    ///
    /// - Throws: A `PayloadError` if it is none.
    package init(json text: String) throws(PayloadError) {
        let bytes = Array("{\"value\":\(text)}".utf8)
        let json = bytes.span
        let tree = try SiteTree(JSONObject(document: json, limit: .max), json)
        self = tree["value"] ?? .null
    }

    package init(from decoder: any Decoder) throws {
        try self.init(json: try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(json)
    }
}
