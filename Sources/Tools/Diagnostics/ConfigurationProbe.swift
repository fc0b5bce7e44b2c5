import Broker
import CoordinatorService
import Foundation
import Platform
import Registry
import Settings

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

/// What the doctor needs of a node's configuration. Faults are none of its business: the node itself
/// tells them.
struct NodeFile {
    var node: String
    var site: String
    /// The adapters as the file names them, none for a recording.
    var adapters: [String]
    var broker: BrokerAddress
    /// Why the password cannot be read, or must not be sent, or `nil`.
    var passwordFault: String?
    var state: String
    var outbox: String

    /// Reads a file. Throws if there is nothing to read on with.
    init(reading file: String) throws(SettingsError) {
        var settings = try SettingsReader(file: file)
        node = settings.slug("node")
        site = settings.slug("site")
        adapters = Self.adapters(settings.string("radio", default: ""))
        let (address, passwordFile, isClearAllowed) = settings.section("broker") { broker in
            let port = BrokerAddress.usualPort(isEncrypted: broker.holds("tls"))
            return (
                BrokerAddress(
                    host: broker.string("host", default: "127.0.0.1"),
                    port: broker.int("port", in: 1...65535, default: port),
                    username: broker.stringIfPresent("username"),
                    version: broker.choice("protocol", default: .five),
                    tls: broker.sectionIfPresent("tls") { BrokerTLS(&$0) }),
                broker.pathIfPresent("password_file"), broker.bool("plaintext", default: false)
            )
        }
        broker = address
        do {
            broker.password = try Secret.read(passwordFile)
        } catch {
            passwordFault = "\(error)"
        }
        if passwordFile != nil, !isClearAllowed,
            BrokerAddress.isInClear(to: broker.host, broker.tls)
        {
            passwordFault = BrokerAddress.clearFault(broker.host)
        }
        state = settings.path("state")
        let preset = state + "/outbox.ring"
        outbox = settings.section("outbox") { $0.path("path", default: preset) }
    }

    /// The adapters among radios such as `hci:hci0, hci:hci1` or `btsnoop:FILE`.
    static func adapters(_ text: String) -> [String] {
        text.split(separator: ",").compactMap { part in
            let words = part.split(separator: " ").joined()
            return words.hasPrefix("hci:") ? String(words.dropFirst("hci:".count)) : nil
        }
    }
}
