import Foundation

/// HTTP by the program `curl`: TLS and proxies are as everywhere else on this machine.
package enum WebRequest {
    /// Asks, and returns the answer. What is sent stands in no list of processes.
    ///
    /// - Parameters:
    ///   - url: Visible ASCII without quotation mark and backslash.
    ///   - patience: So long an answer may take, in seconds.
    ///   - most: The longest answer, in bytes; any if not given.
    /// - Throws: An `Exit` with 69 if there is no answer, with 64 for a body that is not UTF-8.
    package static func exchange(
        _ method: String, _ url: String, _ headers: [(String, String)], _ body: Data,
        patience: Int, most: Int? = nil
    ) throws(Exit) -> (status: Int, head: String, body: Data) {
        var lines = [
            "url = \(quoted(url))", "request = \(quoted(method))",
            "max-time = \(patience)", "proto = \"=http,https\"", "include", "globoff",
            "path-as-is", "silent", "show-error", "header = \"Expect:\"",
        ]
        for (name, value) in headers { lines.append("header = \(quoted("\(name): \(value)"))") }
        if method == "HEAD" { lines.append("head") }
        if !body.isEmpty {
            guard let text = String(data: body, encoding: .utf8) else {
                throw Exit(code: 64, text: "the body is not UTF-8")
            }
            lines.append("data-raw = \(quoted(text))")
        } else if ["POST", "PUT", "PATCH"].contains(method) {
            lines.append("data-raw = \"\"")
        }
        let ended = try Program.run(
            ["curl", "-q", "-K", "-"], input: Data((lines.joined(separator: "\n") + "\n").utf8),
            most: most)
        guard ended.status == 0 else {
            throw Exit(code: 69, text: "no answer: \(ended.fault)")
        }
        guard let end = ended.output.range(of: Data("\r\n\r\n".utf8)) else {
            throw Exit(code: 69, text: "\(url): what answers does not speak HTTP")
        }
        let head = String(decoding: ended.output[..<end.lowerBound], as: UTF8.self)
        guard let status = head.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Exit(code: 69, text: "\(url): what answers does not speak HTTP")
        }
        return (status, head, ended.output[end.upperBound...])
    }

    /// A value of curl's configuration.
    private static func quoted(_ text: String) -> String {
        let text = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n").replacing("\r", with: "\\r").replacing("\t", with: "\\t")
        return "\"\(text)\""
    }
}
