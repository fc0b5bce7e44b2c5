/// What all pages are made of.
package struct Pages: Sendable {
    let files: PageFiles
    private let words: [PageLanguage: PageWords]

    /// The dashboard.
    package static let shared = Pages()

    init() {
        let all = PageLanguage.allCases.map { PageWords($0, json: Self.json(of: $0)) }
        words = Dictionary(uniqueKeysWithValues: all.map { ($0.language, $0) })
        files = PageFiles(
            Self.modules + [Self.style] + Self.drawings + all.map(\.module) + PageLibrary.files)
    }

    package func words(in language: PageLanguage) -> PageWords {
        // There are words in each language.
        words[language] ?? PageWords(language, json: [])
    }

    private static func json(of language: PageLanguage) -> [UInt8] {
        bytes("words/\(language.rawValue).json")
    }

    /// A file of the folder, which a test compares with this list.
    private static func bytes(_ name: String) -> [UInt8] {
        guard let text = PageFolder.files[name] else { preconditionFailure("there is no \(name)") }
        return Array(text.utf8)
    }

    /// One style sheet: a page waits for it before it shows anything. Later ones build on those before.
    private static let style = PageFile(
        "style.css",
        [
            "tokens", "base", "kit", "frame", "pages", "home", "discover", "board", "attendance",
            "me",
            "office",
            "training", "activity", "lists", "desk",
            "print",
        ].reduce([]) { $0 + bytes("style/\($1).css") + [UInt8(ascii: "\n")] })

    private static let drawings = ["favicon.svg", "icons.svg", "empty.svg"].map {
        PageFile($0, bytes($0))
    }

    /// What stands at an address of its own, as browsers want it, open to anybody: the worker, which holds the address of
    /// the files, and what a phone makes a program of.
    var routes: [Route] {
        let worker = Self.text("data/sw.js").replacing("{files}", with: files.base)
        let manifest = """
            {"name":"Beaconmesh","short_name":"Beaconmesh","start_url":"/","scope":"/","display":"standalone",\
            "background_color":"#f5f6f4","theme_color":"#0f766e","icons":[{"src":"\(files.address("favicon.svg"))",\
            "sizes":"any","type":"image/svg+xml"}]}

            """
        let texts = [
            ("/worker.js", "text/javascript; charset=utf-8", worker),
            ("/manifest.webmanifest", "application/manifest+json", manifest),
        ]
        return texts.map { path, type, text in
            Route(.get, path, nil) { _ in
                RouteAnswer(
                    contentType: type, headers: [("Cache-Control", "no-cache")],
                    body: .bytes(Array(text.utf8)))
            }
        }
    }

    private static func text(_ name: String) -> String {
        String(decoding: bytes(name), as: UTF8.self)
    }

    private static let modules = PageFolder.files.keys.filter {
        $0.hasSuffix(".js") && $0 != "data/sw.js"
    }.sorted()
        .map { PageFile($0, bytes($0)) }
}
