import Foundation

/// A program of this machine that is run to its end, found in `PATH`.
package enum Program {
    /// How it ended, and what it wrote.
    package struct Ended: Sendable {
        /// Its exit status; 127: there is no such program.
        package var status: Int32
        package var output: Data
        package var faults: Data

        package var text: String { String(decoding: output, as: UTF8.self) }
        /// What it wrote of what went wrong, as one harmless line of at most 300 bytes.
        package var fault: String {
            String(decoding: faults.prefix(300), as: UTF8.self)
                .split(whereSeparator: \.isNewline).joined(separator: "; ")
        }
    }

    /// Runs it. Blocks until it ends.
    ///
    /// - Parameters:
    ///   - words: Its name and its arguments.
    ///   - input: What it reads, all of it before it writes; nothing if not given.
    ///   - folder: The directory it runs in.
    /// - Throws: An `Exit` with 69 if it cannot be started.
    package static func run(
        _ words: [String], input: Data? = nil, in folder: String? = nil
    ) throws(Exit) -> Ended {
        let process = Process()
        let (sent, output, faults) = (Pipe(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        process.standardInput = input == nil ? FileHandle.nullDevice : sent
        process.standardOutput = output
        process.standardError = faults
        do {
            try process.run()
            if let input {
                try sent.fileHandleForWriting.write(contentsOf: input)
                try sent.fileHandleForWriting.close()
            }
        } catch {
            throw Exit(code: 69, text: "\(words[0]) cannot be started: \(error)")
        }
        let told = output.fileHandleForReading.readDataToEndOfFile()
        let fault = faults.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus != 127 else {
            throw Exit(
                code: 69, text: "\(words[0]) cannot be started; install package \(words[0])")
        }
        return Ended(status: process.terminationStatus, output: told, faults: fault)
    }
}

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
        if let most { lines.append("max-filesize = \(most)") }
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
            ["curl", "-q", "-K", "-"], input: Data((lines.joined(separator: "\n") + "\n").utf8))
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
