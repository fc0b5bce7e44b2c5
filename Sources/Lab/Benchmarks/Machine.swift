import Foundation
import Glibc

/// What the figures were taken on.
package struct Machine: Encodable {
    /// The system's name for itself.
    package let system: String
    package let kernel: String
    let architecture: String
    /// The processor's model, or `nil` where the kernel does not tell.
    let cpu: String?
    let cores: Int
    /// Installed memory in units of 1,000,000 bytes.
    let memory_mb: Int
    /// How busy it was when the run began: processes that ran or waited, mean of a minute.
    package let load: Double
    /// How this program was built. Figures of a debug build say nothing.
    let build: String

    /// This machine, now.
    package init() {
        system = Self.value(of: "PRETTY_NAME=", in: "/etc/os-release") ?? "unknown"
        var names = utsname()
        uname(&names)
        kernel = Self.text(of: names.release)
        architecture = Self.text(of: names.machine)
        cpu = Self.value(of: "model name", in: "/proc/cpuinfo")
        cores = ProcessInfo.processInfo.activeProcessorCount
        memory_mb = Int(ProcessInfo.processInfo.physicalMemory / 1_000_000)
        var loads = [0.0]
        load = getloadavg(&loads, 1) == 1 ? Figure.rounded(loads[0]) : 0
        build = Self.isDebug ? "debug" : "release"
    }

    /// Whether the compiler was asked for a debug build.
    static var isDebug: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    /// The commit of the checkout that `program` was built in.
    package static func commit(of program: URL) -> String? {
        let folder = program.deletingLastPathComponent().path
        guard let tool = Tool.find("git", in: ProcessInfo.processInfo.environment["PATH"] ?? "")
        else { return nil }
        let words = ["-C", folder, "rev-parse", "--verify", "HEAD"]
        guard let result = try? Tool.run(tool, words), result.status == 0 else { return nil }
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// What follows `key` in the first line that begins with it, without `:` and quotes.
    private static func value(of key: String, in file: String) -> String? {
        guard let data = FileManager.default.contents(atPath: file) else { return nil }
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n")
        where line.hasPrefix(key) {
            return line.dropFirst(key.count).trimmingCharacters(
                in: CharacterSet(charactersIn: " \t:\""))
        }
        return nil
    }

    private static func text<Field>(of field: Field) -> String {
        withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

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
