import Basics
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
            let text = String(decoding: faults.prefix(300), as: UTF8.self)
            return HarmlessText.line(
                text.split(whereSeparator: \.isNewline).joined(separator: "; "))
        }
    }

    /// Runs it. Blocks until it ends.
    ///
    /// - Parameters:
    ///   - words: Its name and its arguments.
    ///   - input: What it reads, all of it before it writes; nothing if not given.
    ///   - folder: The directory it runs in.
    ///   - most: So many bytes it may write; it is ended when it writes more. Any number if not given.
    /// - Throws: An `Exit` with 69 if it cannot be started.
    package static func run(
        _ words: [String], input: Data? = nil, in folder: String? = nil, most: Int? = nil
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
        var told = Data()
        while let part = try? output.fileHandleForReading.read(upToCount: 65_536), !part.isEmpty {
            told += part
            if let most, told.count > most {
                process.terminate()
                process.waitUntilExit()
                throw Exit(code: 69, text: "\(words[0]): more than \(most) bytes came")
            }
        }
        let fault = faults.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus != 127 else {
            throw Exit(
                code: 69, text: "\(words[0]) cannot be started; install package \(words[0])")
        }
        return Ended(status: process.terminationStatus, output: told, faults: fault)
    }
}
