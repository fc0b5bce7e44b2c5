import JSON

/// A language that the pages speak.
package enum PageLanguage: String, CaseIterable, Sendable {
    case en
    case de

    /// The language of a request: as the visitor has chosen, else the best of those their browser asks for.
    init(chosen: String?, accepted: String) {
        if let own = chosen.flatMap(PageLanguage.init(rawValue:)) {
            self = own
            return
        }
        var best: (language: PageLanguage, quality: Double) = (.en, 0)
        for range in accepted.split(separator: ",").prefix(20) {
            let parts = range.lowercased().filter { $0 != " " }.split(separator: ";")
            guard let tag = parts.first,
                let language = PageLanguage(rawValue: String(tag.prefix { $0 != "-" }))
            else { continue }
            let quality =
                parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
                ?? 1
            if quality > best.quality { best = (language, quality) }
        }
        self = best.language
    }
}

/// The words of the pages in one language, by key. The shells are made with them, and a module that exports the
/// same object is what the pages read.
package struct PageWords: Sendable {
    let language: PageLanguage
    private let words: [String: String]
    /// The module `words/{language}.js`.
    let module: PageFile

    /// - Parameter json: An object from key to text.
    init(_ language: PageLanguage, json: [UInt8]) {
        self.language = language
        let text = json.span
        var words: [String: String] = [:]
        if let members = try? JSONObject(document: text, limit: .max, atMost: .max).all(text) {
            for member in members { words[member.name] = try? member.text(text) }
        }
        self.words = words
        module = PageFile(
            "words/\(language.rawValue).js",
            Array("export default ".utf8) + json + Array(";\n".utf8))
    }

    /// The text of a key; the key itself if there is none, which a test forbids.
    package subscript(key: String) -> String { words[key] ?? key }

    package var keys: Set<String> { Set(words.keys) }
}
