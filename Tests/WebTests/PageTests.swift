import Foundation
import Permissions
import SiteModel
import Testing

@testable import WebServer

/// The files that pages are made of, and the rules that keep fifteen pages one.
struct PageTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../Sources/Shells/WebServer/Page").standardized

    /// Every file of the folder: its path in it, and its text.
    private static let sources: [(name: String, text: String)] = {
        let names =
            FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return names.sorted().compactMap { name in
            (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)).map {
                (name, $0)
            }
        }
    }()

    private static func sources(in folder: String, ending: String) -> [(name: String, text: String)]
    {
        sources.filter { $0.name.hasPrefix(folder) && $0.name.hasSuffix(ending) }
    }

    private static let files = Pages.shared.files

    @Test func `every module of the folder is served, and is what it is`() {
        // The worker stands at an address of its own.
        let modules = Self.sources(in: "", ending: ".js").filter { $0.name != "data/sw.js" }
        #expect(modules.count > 15)
        let words = PageLanguage.allCases.map { "words/\($0.rawValue).js" }
        let libraries = PageLibrary.files.map(\.name)
        #expect(
            Self.files.files.keys.sorted()
                == (modules.map(\.name) + words + libraries + [
                    "favicon.svg", "icons.svg", "empty.svg", "style.css",
                ]).sorted()
        )
        for (name, text) in modules {
            #expect(Self.files.files[name]?.content == Array(text.utf8), "\(name)")
        }
        let style = String(decoding: Self.files.files["style.css"]?.content ?? [], as: UTF8.self)
        for (name, text) in Self.sources(in: "style/", ending: ".css") {
            #expect(style.contains(text), "\(name)")
        }
    }

    @Test func `every page has its module, and a title in each language`() {
        for spec in PageSpec.all {
            #expect(Self.files.files["pages/\(spec.module).js"] != nil, "\(spec.name)")
            for language in PageLanguage.allCases {
                #expect(
                    Pages.shared.words(in: language).keys.contains("page.\(spec.name)"),
                    "\(spec.name)")
            }
            #expect(TopicChoice(spec.topics.joined(separator: ",")) != nil || spec.topics.isEmpty)
        }
        #expect(Set(PageSpec.all.map(\.name)).count == PageSpec.all.count)
        #expect(Set(PageSpec.all.map(\.path)).count == PageSpec.all.count)
    }

    /// A browser that is told all modules at once need not find them one after the other.
    @Test func `a page's shell names every module that it imports`() {
        let closure = Self.files.closure(of: ["start.js", "pages/live.js"])
        for module in ["kit/element.js", "data/stream.js", "pages/rooms.js", "words/words.js"] {
            #expect(closure.contains(module))
        }
        for (name, text) in Self.sources(in: "", ending: ".js") where name != "data/sw.js" {
            let all = Self.files.closure(of: [name])
            #expect(all.allSatisfy { Self.files.files[$0] != nil }, "\(name): \(all)")
            let imports = text.matches(of: /\bfrom "/).count
            #expect(all.count > imports, "\(name)")
        }
    }

    /// The policy of the server forbids these too; here one learns of it before a browser does.
    @Test func `nothing in it turns text into markup or trusts the browser's clock`() {
        let banned = [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(",
            "new Function", "DOMParser", "Date.now", "new Date", "<script>", "style=", ".onclick",
            "javascript:", "http://", "https://",
        ]
        for (name, text) in Self.sources where !name.hasSuffix(".svg") {
            #expect(!text.isEmpty)
            for word in banned { #expect(!text.contains(word), "\(name) has \(word)") }
        }
    }

    @Test func `a module imports what it uses`() {
        for (name, text) in Self.sources(in: "", ending: ".js") {
            var counts: [Substring: Int] = [:]
            for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
                counts[word, default: 0] += 1
            }
            for line in text.matches(of: /import \{([^}]*)\} from "[^"]+";/) {
                for word in line.1.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
                    #expect(counts[word, default: 0] > 1, "\(name) imports \(word)")
                }
            }
        }
    }

    @Test func `each thing is done in one folder`() {
        for (name, text) in Self.sources(in: "", ending: ".js") {
            if !name.hasPrefix("kit/") { #expect(!text.contains("createElement"), "\(name)") }
            guard !name.hasPrefix("data/") else { continue }
            for word in [" fetch(", "EventSource", "indexedDB", "localStorage"] {
                #expect(!text.contains(word), "\(name) has \(word)")
            }
        }
    }

    @Test func `colours and lengths stand among the tokens only`() {
        let literal = /#[0-9a-fA-F]{3,8}\b|\brgb\(|\d(px|rem)\b/
        for (name, text) in Self.sources(in: "style/", ending: ".css")
        where name != "style/tokens.css" {
            for line in text.split(separator: "\n") where !line.contains("@media") {
                #expect(line.firstMatch(of: literal) == nil, "\(name): \(line)")
            }
            for use in text.matches(of: /var\((--[a-z0-9-]+)/) {
                let token = String(use.1)
                let known = Self.sources(in: "style/", ending: ".css").contains {
                    $0.text.contains("\(token):")
                }
                #expect(known || token == "--hue", "\(name): \(token)")
            }
        }
    }
}

/// The words of the pages, in each language.
struct PageWordTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../Sources/Shells/WebServer/Page").standardized

    private static func words(_ language: String) throws -> [String: String] {
        let text = try Data(contentsOf: folder.appending(path: "words/\(language).json"))
        return try #require(JSONSerialization.jsonObject(with: text) as? [String: String])
    }

    private static let modules: String = Pages.shared.files.files.values
        .filter {
            $0.name.hasSuffix(".js") && !$0.name.hasPrefix("words/en")
                && !$0.name.hasPrefix("words/de") && !$0.name.hasPrefix("library/")
        }
        .map { String(decoding: $0.content, as: UTF8.self) }.joined(separator: "\n")

    @Test func `both languages say the same things with the same values`() throws {
        let (english, german) = (try Self.words("en"), try Self.words("de"))
        #expect(english.keys.sorted() == german.keys.sorted())
        #expect(Pages.shared.words(in: .de)["page.people"] == german["page.people"])
        let values = { (text: String?) in
            Set((text ?? "").matches(of: /\{\w+\}/).map { String($0.0) })
        }
        for (key, text) in english {
            #expect(!text.isEmpty && german[key]?.isEmpty == false, "\(key)")
            // “The only one” need not say its number.
            if key.hasSuffix(".one") { continue }
            #expect(values(text) == values(german[key]), "\(key)")
        }
        let same = english.filter { $0.value.contains(" ") && $0.value == german[$0.key] }
        #expect(same.count < 12, "not translated: \(same.keys.sorted())")
    }

    /// A key that is made of parts, such as `presence.` and a state, has its first part between the quotes.
    @Test func `every key that a page names is a word, and every word is named`() throws {
        let keys = Set(try Self.words("en").keys)
        let named = Self.modules.matches(of: /\b(?:t|sentence|has)\(\s*"([^"]+)"/).map {
            String($0.1)
        }
        #expect(named.count > 100)
        for key in Set(named) {
            let forms = [key, key + ".one", key + ".other"]
            #expect(!keys.isDisjoint(with: forms), "\(key) is no word")
        }
        let literals = Set(Self.modules.matches(of: /"([a-z][a-z0-9_.-]+)"/).map { String($0.1) })
        let prefixes = Self.modules.matches(of: /`([a-z][a-z0-9.-]*\.)\$\{/).map { String($0.1) }
        let shell = ["shell.", "page.", "role.", "code."]
        for key in keys {
            let plain = key.replacing(/\.(one|other)$/, with: "")
            #expect(
                literals.contains(plain)
                    || (prefixes + shell).contains { key.hasPrefix($0) }, "nobody says \(key)")
        }
    }

    @Test func `every refusal has words`() throws {
        let keys = Set(try Self.words("en").keys)
        for code in ProblemCode.allCases { #expect(keys.contains("code.\(code.rawValue)")) }
        for role in Role.allCases { #expect(keys.contains("role.\(role.rawValue)")) }
    }

    /// Words of people stand in the files of the languages alone.
    @Test func `no page has a sentence of its own`() {
        for file in Pages.shared.files.files.values where file.name.hasPrefix("pages/") {
            let code = String(decoding: file.content, as: UTF8.self)
                .replacing(/\/\*\*?[^*]*\*+(?:[^\/*][^*]*\*+)*\//, with: "").replacing(
                    /\/\/[^\n]*/, with: "")
            for match in code.matches(of: /"([^"\n]*)"/) {
                let text = String(match.1)
                #expect(
                    text.firstMatch(of: /^[A-Z][a-z]+[ .:,?!…]|[a-z]+ [a-z]+ [a-z]+ [a-z]+/) == nil,
                    "\(file.name): \(text)")
            }
        }
    }
}
