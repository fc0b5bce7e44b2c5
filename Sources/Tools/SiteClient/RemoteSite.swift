import Basics
import Foundation
import Platform

/// A coordinator of another machine, asked over HTTP with a token, by the program `curl`: TLS and proxies
/// are as everywhere else on this machine.
package struct RemoteSite {
    /// So long an answer may take, in seconds.
    private static let patience = 60

    private let server: String
    private let token: String?

    /// `server` is `https://host[:port]`, or `http://` to this machine: a token is not sent in the clear.
    /// Throws an `Exit` with 64 for anything else.
    package init(_ server: String, token: String?) throws {
        let text = server.hasSuffix("/") ? String(server.dropLast()) : server
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            parts.path.isEmpty, parts.query == nil, parts.user == nil,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }),
            parts.scheme == "https"
                || parts.scheme == "http" && ["127.0.0.1", "localhost", "[::1]"].contains(host)
        else {
            throw Exit(
                code: 64,
                text: "--server: expected https://HOST[:PORT], or http:// to this machine")
        }
        self.server = text
        self.token = token
    }

    /// Asks, and returns the answer. Throws an `Exit` with 69 if there is none.
    package func exchange(
        _ method: String, _ path: String, _ headers: [(String, String)], _ body: Data
    ) throws -> (status: Int, head: String, body: Data) {
        var headers = headers
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        do {
            return try WebRequest.exchange(
                method, server + path, headers, body, patience: Self.patience)
        } catch {
            throw Exit(code: error.code, text: TerminalText.harmless(error.text))
        }
    }
}
