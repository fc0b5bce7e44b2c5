import Hummingbird
import Permissions
import SiteModel

/// What the server makes of a page: the head, the navigation of what whoever asks may open, and an empty `main`
/// that its module fills. It holds nothing of a site: all data is asked for, and its rights are looked at there.
struct PageShell {
    let pages: Pages
    let preferences: PagePreferences
    /// Who asks; `nil`: nobody who is known.
    let principal: Principal?

    init(
        _ preferences: PagePreferences, for principal: Principal?, of pages: Pages = .shared
    ) {
        self.pages = pages
        self.preferences = preferences
        self.principal = principal
    }

    private var words: PageWords { pages.words(in: preferences.language) }

    /// A page, to be filled by its module.
    func html(of spec: PageSpec) -> String {
        let title = words["page.\(spec.name)"]
        let modules = pages.files.closure(of: [
            "start.js", "pages/\(spec.module).js", "words/\(preferences.language.rawValue).js",
        ])
        let preloads = modules.dropFirst().map {
            #"    <link rel="modulepreload" href="\#(pages.files.address($0))">"#
        }
        let start =
            #"    <script type="module" src="\#(pages.files.address("start.js"))"></script>"#
        return document(
            title: title, attributes: attributes(of: spec), head: preloads + [start],
            body: header(current: spec) + """
                <p id="banner" class="banner" role="status" hidden></p>
                <p id="announcement" class="unseen" aria-live="polite"></p>
                <main id="main" tabindex="-1">
                    <h1 id="title">\(Self.escaped(title))</h1>
                    <noscript><p>\(Self.escaped(words["shell.noscript"]))</p></noscript>
                </main>
                <footer><p id="footer"></p></footer>

                """)
    }

    /// A page that says why there is nothing else, for whoever opened an address in a browser.
    func html(of problem: Problem) -> String {
        let code = problem.code.rawValue
        let title = words["code.\(code)"]
        return document(
            title: title, attributes: "", head: [],
            body: header(current: nil) + """
                <main id="main" class="door" tabindex="-1">
                    <h1>\(Self.escaped(title))</h1>
                    <p class="detail">\(Self.escaped(problem.detail))</p>
                    <p><a href="/">\(Self.escaped(words["shell.home"]))</a></p>
                </main>

                """)
    }

    private func document(
        title: String, attributes: String, head: [String], body: String
    ) -> String {
        let theme = preferences.theme.map { " data-theme=\"\($0.rawValue)\"" } ?? ""
        let scheme = preferences.theme?.rawValue ?? "light dark"
        return """
            <!doctype html>
            <html lang="\(preferences.language.rawValue)"\(theme)\(attributes)>
            <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="\(scheme)">
                <meta name="referrer" content="no-referrer">
                <title>\(Self.escaped(title)) · Beaconmesh</title>
                <link rel="icon" href="\(pages.files.address("favicon.svg"))" type="image/svg+xml">
                <link rel="manifest" href="/manifest.webmanifest">
                <link rel="stylesheet" href="\(pages.files.address("style.css"))">
            \(head.joined(separator: "\n"))
            </head>
            <body>
            \(body)</body>
            </html>

            """
    }

    /// What the module has to know: the page, its topics, who looks and what they may.
    private func attributes(of spec: PageSpec) -> String {
        var attributes: [(String, String)] = [
            ("page", spec.module), ("path", spec.path),
            ("topics", topics(of: spec).joined(separator: ",")),
            ("connected", "false"), ("stale", "false"),
        ]
        if let principal {
            let rights = Right.allCases.compactMap { right in
                let reach = principal.reach(right)
                return reach == .nothing ? nil : "\(right.rawValue):\(reach)"
            }
            attributes += [
                ("role", principal.role.rawValue), ("rights", rights.joined(separator: " ")),
                ("user", principal.user ?? ""), ("account", principal.account ?? ""),
            ]
        }
        return attributes.map { " data-\($0)=\"\(Self.escaped($1))\"" }.joined()
    }

    /// What a page follows, and with it what every page tells whoever looks: what is kept for them, and what they are
    /// told of.
    private func topics(of spec: PageSpec) -> [String] {
        guard !spec.topics.isEmpty, let user = principal?.user, principal?.account != nil else {
            return spec.topics
        }
        return spec.topics + ["user/\(user)/wait", "notify/\(user)"]
    }

    private func header(current: PageSpec?) -> String {
        let mark = """
            <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">\
            <circle cx="16" cy="16" r="3.5"></circle>\
            <path d="M9.6 22.4a9 9 0 0 1 0-12.8M22.4 9.6a9 9 0 0 1 0 12.8"></path>\
            <path d="M5.4 26.6a15 15 0 0 1 0-21.2M26.6 5.4a15 15 0 0 1 0 21.2"></path></svg>
            """
        let skip = """
            <a class="skip" href="#main">\(Self.escaped(words["shell.skip"]))</a>

            """
        guard let principal else {
            return skip + """
                <header class="top"><a class="home" href="/">\(mark)<bdi>Beaconmesh</bdi></a></header>

                """
        }
        guard current?.place != .board else {
            return skip + """
                <header class="top">
                    <span class="home">\(mark)<bdi id="site-name">Beaconmesh</bdi></span>
                    \(demonstration)
                    <div class="link">
                        <span id="connection" class="pill" data-state="connecting" hidden></span>
                        <span id="data-age" class="age"></span>
                    </div>
                </header>

                """
        }
        let here = current.map { Self.escaped(words["page.\($0.name)"]) } ?? ""
        return skip + """
            <header class="top">
                <a class="home" href="/">\(mark)<bdi id="site-name">Beaconmesh</bdi></a>
                <span id="here" aria-hidden="true">\(here)</span>
                \(demonstration)
                \(navigation(of: principal, current))
                <div class="link">
                    <span id="connection" class="pill" data-state="connecting" hidden></span>
                    <span id="data-age" class="age"></span>
                    \(account(of: principal, current))
                </div>
            </header>

            """
    }

    private var demonstration: String {
        """
        <span id="demo" class="badge" title="\(Self.escaped(words["shell.demo-title"]))" hidden>\
        \(Self.escaped(words["shell.demo"]))</span>
        """
    }

    /// The sections twice: in a row, as many as fit, and the others behind a button. On a phone the row is at the
    /// bottom. Which of them are seen is a matter of the style.
    private func navigation(of principal: Principal, _ current: PageSpec?) -> String {
        let sections = PageSpec.sections(of: principal)
        let items = sections.map { "<li>\(link(to: $0, current: current))</li>" }
            .joined(separator: "\n            ")
        let label = Self.escaped(words["shell.sections"])
        let more = Self.escaped(words["shell.more"])
        return """
            <nav aria-label="\(label)">
                    <ul class="sections">
                        \(items)
                    </ul>
                    <button id="more-button" class="section" type="button" popovertarget="more">\
            \(icon("more"))<span>\(more)</span></button>
                    <div id="more" popover>
                        <ul class="sections">
                        \(items)
                        </ul>
                    </div>
                </nav>
            """
    }

    private func account(of principal: Principal, _ current: PageSpec?) -> String {
        guard let name = principal.account else {
            return "<a id=\"sign-in\" href=\"/signin\">\(Self.escaped(words["page.signin"]))</a>"
        }
        let isHere = current?.name == "account" ? " aria-current=\"page\"" : ""
        let notices =
            PageSpec.notices.isOpen(to: principal)
            ? """
            <a id="notices" class="bell" href="/notices" \
            aria-label="\(Self.escaped(words["page.notices"]))"\(current?.name == "notices" ? " aria-current=\"page\"" : "")>\
            \(icon("notices"))<span class="bell-count" aria-hidden="true" hidden></span></a>

            """ : ""
        return notices + """
            <a id="account-name" href="/account"\(isHere)>\(icon("account"))<span class="account-words">\
            <bdi>\(Self.escaped(name))</bdi> \
            (\(Self.escaped(words["role.\(principal.role.rawValue)"])))</span></a>
            """
    }

    private func link(to spec: PageSpec, current: PageSpec?) -> String {
        let isHere = spec.name == current?.name
        let isAbove =
            !isHere && spec.path != "/" && (current?.path.hasPrefix(spec.path + "/") ?? false)
        let mark = isHere ? " aria-current=\"page\"" : isAbove ? " aria-current=\"true\"" : ""
        return "<a class=\"section\" href=\"\(spec.path)\"\(mark)>\(icon(spec.name))"
            + "<span>\(Self.escaped(words["page.\(spec.name)"]))</span></a>"
    }

    /// A drawing of `icons.svg`, in the colour of the text beside it.
    private func icon(_ name: String) -> String {
        "<svg class=\"icon\" aria-hidden=\"true\"><use href=\"\(pages.files.address("icons.svg"))#\(name)\"></use></svg>"
    }

    /// A text inside an element or between quotes.
    static func escaped(_ words: String) -> String {
        words.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension PageSpec {
    /// The route that answers with the shell.
    var route: Route {
        Route(.get, path, right, whose: whose) { request in
            let shell = PageShell(request.preferences, for: request.visitor?.principal)
            return RouteAnswer(
                contentType: "text/html; charset=utf-8",
                headers: [("Vary", "Cookie, Accept-Language")],
                body: .bytes(Array(shell.html(of: self).utf8)))
        }
    }
}
