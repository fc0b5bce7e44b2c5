import CoordinatorService
import Foundation

/// Checks configuration files as the programs do that read them.
struct ConfigurationProbe {
    /// The size in bytes from which a file cannot be a configuration.
    private static let largest = 1 << 20

    /// Which program a file is for, by the keys at its margin.
    static func kind(of text: String) -> Facts.Configuration.Kind {
        let keys: [String] = text.split(separator: "\n").compactMap { line in
            line.firstIndex(of: ":").map { String(line[..<$0]) }
        }
        if keys.contains("node") { return .node }
        if keys.contains("sites") || keys.contains("coordinator") { return .coordinator }
        return keys.contains("rooms") || keys.contains("nodes") ? .site : .unknown
    }

    /// What is said against a file.
    static func check(_ file: String) -> Facts.Configuration {
        var facts = Facts.Configuration(file: file, kind: .unknown, faults: [])
        guard let data = FileManager.default.contents(atPath: file), data.count <= largest else {
            facts.faults = ["\(file): cannot be read"]
            return facts
        }
        facts.kind = kind(of: String(decoding: data, as: UTF8.self))
        switch facts.kind {
        case .unknown: facts.faults = ["\(file): has neither node: nor sites: nor rooms:"]
        case .node: checkNode(&facts)
        case .coordinator:
            facts.faults = faults {
                _ = try CoordinatorConfiguration(reading: file, depth: .secrets)
            }
        case .site: facts.faults = faults { _ = try SiteFile(reading: file) }
        }
        return facts
    }

    private static func faults(_ body: () throws -> Void) -> [String] {
        do {
            try body()
            return []
        } catch {
            return "\(error)".split(separator: "\n").map(String.init)
        }
    }

    /// A node's file is checked by the node: it lies beside us.
    private static func checkNode(_ facts: inout Facts.Configuration) {
        let program = Self.program("beacon-node")
        guard FileManager.default.isExecutableFile(atPath: program) else {
            facts.unchecked = "there is no \(program)"
            return
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["--config", facts.file, "--check"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let errors = Pipe()
        process.standardError = errors
        do {
            try process.run()
        } catch {
            facts.unchecked = "\(program) cannot be started: \(error)"
            return
        }
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus != 0 else { return }
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
        facts.faults = lines.isEmpty ? ["\(facts.file): \(program) refuses it"] : lines
    }

    /// A program of ours that lies where we do.
    private static func program(_ name: String) -> String {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: own).deletingLastPathComponent()
            .appendingPathComponent(name).path
    }
}
