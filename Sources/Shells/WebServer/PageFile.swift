import Basics
import Hummingbird
import Permissions

/// A file of the dashboard, built into the program.
struct PageFile: Sendable {
    /// Where it is served.
    let path: String
    /// Its media type.
    let type: String
    /// What whoever opens it must be allowed to see anything on it; `nil`: it is for anybody, as the
    /// door is, and what pages are made of.
    let right: Right?
    let content: ByteBuffer
    /// Names this content, so that a browser need not load it twice.
    let tag: String

    init(path: String, type: String, right: Right? = nil, bytes: [UInt8]) {
        self.path = path
        self.type = type
        self.right = right
        content = ByteBuffer(bytes: bytes)
        tag = "\"\(Hex.text(fingerprint64(bytes)))\""
    }

    /// The file, or 304 if the browser has this very content. Always asked for again: a new
    /// coordinator may bring a new page.
    func response(to request: Request) -> Response {
        let headers: HTTPFields = [.eTag: tag, .cacheControl: "no-cache", .contentType: type]
        let known = request.headers[.ifNoneMatch] ?? ""
        guard !known.split(separator: ",").contains(where: { $0.contains(tag) }) else {
            return Response(status: .notModified, headers: headers)
        }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: content))
    }
}

extension PageFile {
    /// The whole dashboard.
    static let all: [PageFile] = [
        PageFile(path: "/", type: html, right: .live, bytes: PackageResources.index_html),
        PageFile(
            path: "/docs", type: html, right: .documentation, bytes: PackageResources.docs_html),
        PageFile(path: "/docs.js", type: script, bytes: PackageResources.docs_js),
        PageFile(path: "/docs.css", type: style, bytes: PackageResources.docs_css),
        PageFile(path: "/signin", type: html, bytes: PackageResources.signin_html),
        PageFile(path: "/signin.js", type: script, bytes: PackageResources.signin_js),
        PageFile(path: "/signin.css", type: style, bytes: PackageResources.signin_css),
        PageFile(path: "/account.js", type: script, bytes: PackageResources.account_js),
        PageFile(path: "/base.css", type: style, bytes: PackageResources.base_css),
        PageFile(path: "/panels.css", type: style, bytes: PackageResources.panels_css),
        PageFile(path: "/screens.css", type: style, bytes: PackageResources.screens_css),
        PageFile(path: "/app.js", type: script, bytes: PackageResources.app_js),
        PageFile(path: "/clock.js", type: script, bytes: PackageResources.clock_js),
        PageFile(path: "/devices.js", type: script, bytes: PackageResources.devices_js),
        PageFile(path: "/dom.js", type: script, bytes: PackageResources.dom_js),
        PageFile(path: "/door.js", type: script, bytes: PackageResources.door_js),
        PageFile(path: "/favicon.svg", type: picture, bytes: PackageResources.favicon_svg),
        PageFile(path: "/nodes.js", type: script, bytes: PackageResources.nodes_js),
        PageFile(path: "/people.js", type: script, bytes: PackageResources.people_js),
        PageFile(path: "/rooms.js", type: script, bytes: PackageResources.rooms_js),
        PageFile(path: "/site.js", type: script, bytes: PackageResources.site_js),
        PageFile(path: "/stations.js", type: script, bytes: PackageResources.stations_js),
        PageFile(path: "/stream.js", type: script, bytes: PackageResources.stream_js),
        PageFile(path: "/why.js", type: script, bytes: PackageResources.why_js),
        PageFile(path: "/words.js", type: script, bytes: PackageResources.words_js),
    ]

    private static let html = "text/html; charset=utf-8"
    private static let script = "text/javascript; charset=utf-8"
    private static let style = "text/css; charset=utf-8"
    private static let picture = "image/svg+xml"
}
