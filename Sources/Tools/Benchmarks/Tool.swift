import Foundation

/// A program of this machine that is run to its end.
enum Tool {
    /// What a program said on both its outputs, and how it ended.
    struct Result {
        let output: String
        let status: Int32
    }

    /// The path of `name` in the directories of `path`, which are separated by colons.
    static func find(_ name: String, in path: String) -> String? {
        path.split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a program and waits for it.
    static func run(_ program: String, _ arguments: [String]) throws -> Result {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        // To its end first: a program that fills the pipe would wait for us.
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(
            output: String(decoding: data, as: UTF8.self), status: process.terminationStatus)
    }
}
