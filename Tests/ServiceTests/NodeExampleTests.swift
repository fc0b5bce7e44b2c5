import Foundation
import Testing

/// The example of a node's configuration is checked by the very program that reads it.
struct NodeExampleTests {
    /// `beacon-node` lies beside the program that runs the tests.
    static let program = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appendingPathComponent("beacon-node")

    /// Runs `beacon-node --check` on a file; the paths of the file are replaced by ones of ours.
    func check(_ file: String, overrides: [String: String] = [:]) throws -> (Int32, String) {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("node-example-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: directory) }
        let password = directory.appendingPathComponent("password")
        try Data("secret\n".utf8).write(to: password)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: password.path)
        let authority = directory.appendingPathComponent("ca.pem")
        try Data().write(to: authority)
        let process = Process()
        process.executableURL = Self.program
        process.arguments = ["--config", file, "--check"]
        process.environment = [
            "BEACONMESH_STATE": directory.path,
            "BEACONMESH_BROKER__PASSWORD_FILE": password.path,
            "BEACONMESH_BROKER__TLS__CA": authority.path,
        ].merging(overrides) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    @Test func `the example of a node passes its own check`() throws {
        let (code, text) = try check(ConfigurationTests.example("node.yaml"))
        #expect(code == 0, "\(text)")
    }

    @Test func `a node leaves with 78 and names the variable at fault`() throws {
        let (code, text) = try check(
            ConfigurationTests.example("node.yaml"), overrides: ["BEACONMESH_BROKER__PROT": "1"])
        #expect(code == 78)
        #expect(
            text.contains("BEACONMESH_BROKER__PROT: broker.prot: unknown key, did you mean"),
            "\(text)")
    }

    @Test func `a node leaves with 78 and names the file of the authority that is not there`()
        throws
    {
        let (code, text) = try check(
            ConfigurationTests.example("node.yaml"),
            overrides: ["BEACONMESH_BROKER__TLS__CA": "/none/ca.pem"])
        #expect(code == 78)
        #expect(text.contains("broker.tls: /none/ca.pem: cannot be read: No such file"), "\(text)")
    }

    @Test func `a node sends no password in the clear to another machine unless told so`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("node-clear-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        let password = folder.appendingPathComponent("password")
        try Data("secret\n".utf8).write(to: password)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: password.path)
        func check(_ host: String, more: String = "") throws -> (Int32, String) {
            let file = folder.appendingPathComponent("node.yaml")
            let text = """
                node: n-bench
                site: gym
                radio: hci:hci0
                state: \(folder.path)
                broker: {host: \(host), username: n-bench, password_file: password\(more)}

                """
            try Data(text.utf8).write(to: file)
            let process = Process()
            process.executableURL = Self.program
            process.arguments = ["--config", file.path, "--check"]
            process.environment = [:]
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            try process.run()
            let said = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: said, as: UTF8.self))
        }
        let (code, text) = try check("10.0.0.2")
        #expect(code == 78)
        #expect(text.contains("broker.tls: missing, the password would go to 10.0.0.2"), "\(text)")
        #expect(try check("10.0.0.2", more: ", plaintext: true").0 == 0)
        #expect(try check("127.0.0.1").0 == 0)
    }
}
