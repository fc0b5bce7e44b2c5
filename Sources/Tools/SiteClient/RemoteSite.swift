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
        // What is secret stands in no list of processes: the configuration goes to standard input.
        var lines = [
            "url = \(Self.quoted(server + path))", "request = \(Self.quoted(method))",
            "max-time = \(Self.patience)", "proto = \"=http,https\"", "include", "globoff",
            "path-as-is", "silent", "show-error", "header = \"Expect:\"",
        ]
        for (name, value) in headers {
            lines.append("header = \(Self.quoted("\(name): \(value)"))")
        }
        if let token { lines.append("header = \(Self.quoted("Authorization: Bearer \(token)"))") }
        if method == "HEAD" { lines.append("head") }
        if !body.isEmpty {
            guard let text = String(data: body, encoding: .utf8) else {
                throw Exit(code: 64, text: "the body is not UTF-8")
            }
            lines.append("data-raw = \(Self.quoted(text))")
        } else if ["POST", "PUT", "PATCH"].contains(method) {
            lines.append("data-raw = \"\"")
        }
        let answer = try Self.run(Data((lines.joined(separator: "\n") + "\n").utf8))
        guard let end = answer.range(of: Data("\r\n\r\n".utf8)) else {
            throw Exit(code: 69, text: "\(server): what answers does not speak HTTP")
        }
        let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
        guard let status = head.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Exit(code: 69, text: "\(server): what answers does not speak HTTP")
        }
        return (status, head, answer[end.upperBound...])
    }

    private static func run(_ configuration: Data) throws -> Data {
        let process = Process()
        let (input, output, faults) = (Pipe(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["curl", "-q", "-K", "-"]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = faults
        do {
            try process.run()
            // curl reads all of it before it asks, so that neither waits for the other.
            try input.fileHandleForWriting.write(contentsOf: configuration)
            try input.fileHandleForWriting.close()
        } catch {
            throw Exit(code: 69, text: "curl cannot be started: \(error); install package curl")
        }
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        let fault = faults.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let text = TerminalText.harmless(String(decoding: fault.prefix(300), as: UTF8.self))
            throw Exit(code: 69, text: "no answer: \(text.isEmpty ? "install package curl" : text)")
        }
        return answer
    }

    /// A value of curl's configuration.
    private static func quoted(_ text: String) -> String {
        let text = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n").replacing("\r", with: "\\r").replacing("\t", with: "\\t")
        return "\"\(text)\""
    }
}
