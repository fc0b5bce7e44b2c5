import Basics
import Hummingbird

/// What a person who opens an address is shown where a program gets a problem document: the way to the
/// door, or a page that says what is wrong and leads home.
enum Doorway {
    /// The page where people sign in.
    static let path = "/signin"
    /// The member of its query that says where they wanted to go.
    static let next = "next"
    /// No address of ours is longer; of a longer one the page begins at home.
    private static let longest = 1024

    /// Whether a browser asks for something to show as a page. What scripts fetch, and what programs
    /// ask for, is data. Browsers say it only where they trust the connection; else what they accept
    /// tells: pages rather than JSON.
    static func isPassed(by request: Request) -> Bool {
        guard [.get, .head].contains(request.method) else { return false }
        if let target = HTTPFields.Element.Name("Sec-Fetch-Dest").flatMap({ request.headers[$0] }) {
            // What the worker of the pages hands on is no document to a browser, but is asked for as one.
            guard target == "empty" else { return target == "document" }
        }
        let accepted = request.headers[values: .accept].flatMap { $0.split(separator: ",") }
        let page = weight(of: ["text/html"], in: accepted)
        return page > weight(of: ["application/json", "application/problem+json"], in: accepted)
    }

    /// What a person is shown instead of a refusal. `isNowhere`: nothing is at that path for anybody.
    static func answer(
        to request: Request, refused problem: Problem, isNowhere: Bool, _ client: Client,
        _ shell: PageShell
    ) -> Response {
        // Who shows a token is a program, whatever it accepts.
        guard problem.code == .unauthorised, request.headers[.authorization] == nil else {
            return page(of: problem, shell)
        }
        guard !isNowhere else { return page(of: .unknownPath, shell) }
        var headers: HTTPFields = [
            .location: "\(path)?\(next)=\(encoded(own(request.uri.string)))",
            .cacheControl: "no-store",
        ]
        // A session that is over would keep them from what is open to everybody. One that was not sent, as
        // when a page of another site leads here, may be good.
        let name = Access.cookie(isSecure: client.isSecure)
        if !Access.values(of: name, in: request.headers[values: .cookie]).isEmpty {
            headers[.setCookie] = Access.cookieRemoval(client)
        }
        return Response(status: .seeOther, headers: headers)
    }

    /// A target of a request if it is a path of this server and can be nothing else, else `/`.
    static func own(_ target: String) -> String {
        let bytes = Array(target.utf8)
        guard bytes.count <= longest, bytes.first == UInt8(ascii: "/"),
            bytes.count == 1 || bytes[1] != UInt8(ascii: "/"),
            // Browsers take a backslash for a slash, and leave control characters out.
            bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") })
        else { return "/" }
        return target
    }

    /// The quality that one of the types is accepted with by name, 0 if with none.
    private static func weight(of types: [String], in accepted: [Substring]) -> Double {
        accepted.reduce(0) { best, range in
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
            guard let type = parts.first, types.contains(type) else { return best }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }
            return max(best, quality.map { Double($0.dropFirst(2)) ?? 0 } ?? 1)
        }
    }

    /// A text as the value of a member of a query.
    private static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { text, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "%" + Hex.text(UInt64(byte), count: 2).uppercased()
            }
        }
    }

    private static func page(of problem: Problem, _ shell: PageShell) -> Response {
        var fields = problem.headers
        fields[.contentType] = "text/html; charset=utf-8"
        fields[.cacheControl] = "no-store"
        return Response(
            status: problem.status, headers: fields,
            body: .init(byteBuffer: ByteBuffer(string: shell.html(of: problem))))
    }
}
