import Foundation
import Glibc
import Testing

@testable import Demo

/// Whoever tries the demonstration can copy what it says, and is left with nothing when it is over.
@Suite(.ownThread) struct ProcessDemoTests {
    enum Ending: CaseIterable {
        case hungUp, pipeClosed, terminalClosed, killed
    }

    @Test(arguments: Ending.allCases)
    func `however a demonstration ends, nothing of it is left`(ending: Ending) throws {
        let demo = try Demonstration(
            ending == .terminalClosed ? .terminal : .pipe, ["--port", "0"])
        try demo.wait("ready", within: 120) { demo.isReady }
        #expect(demo.processes.count == 13)
        switch ending {
        case .hungUp: demo.kill(SIGHUP)
        case .pipeClosed, .terminalClosed: demo.closeOutput()
        case .killed: demo.kill(SIGKILL)
        }
        try demo.wait("everything has ended", within: 10) { demo.isGone }
    }

    @Test func `what it prints can be pasted, also how to sign in, a port in use is said`() throws {
        let (port, listener) = try listener()
        defer { close(listener) }
        let demo = try Demonstration(.pipe, ["--port", "\(port)"])
        try demo.wait("ready", within: 120) { demo.isReady }
        #expect(demo.output.contains("port \(port) of 127.0.0.1 is in use by "), "\(demo.output)")
        #expect(demo.output.contains("(process \(getpid())): the dashboard takes port"))
        #expect(demo.output.contains("--port N"))
        let code = demo.output.firstMatch(
            of: /sign in +http:\S+\/signin#claim=[A-Z2-9]{4}-[A-Z2-9]{4} +\(/)
        #expect(code != nil, "\(demo.output)")
        var commands: [String] = []
        for title in ["  who is in  ", "  why there  "] {
            let line = demo.output.split(separator: "\n").first { $0.hasPrefix(title) }
            commands.append(String(try #require(line).dropFirst(title.count)))
        }
        for command in commands {
            let shell = Process()
            shell.executableURL = URL(fileURLWithPath: "/bin/sh")
            shell.arguments = ["-c", command]
            shell.currentDirectoryURL = URL(fileURLWithPath: "/")
            shell.environment = ["PATH": "/usr/bin:/bin"]
            let output = Pipe()
            shell.standardOutput = output
            shell.standardError = output
            try shell.run()
            let said = output.fileHandleForReading.readDataToEndOfFile()
            shell.waitUntilExit()
            let text = String(decoding: said, as: UTF8.self)
            #expect(shell.terminationStatus == 0, "\(command)\n\(text)")
        }
        demo.kill(SIGTERM)
        try demo.wait("everything has ended", within: 10) { demo.isGone }
    }

    /// Its log has the code that claims the site.
    @Test func `it is its owner's alone, and what is meant for its coordinator ends no node`()
        throws
    {
        let demo = try Demonstration(
            .pipe, ["--port", "0"],
            environment: ["BEACONMESH_HTTP__ANONYMOUS_READING=false"])
        try demo.wait("ready", within: 120) { demo.isReady }
        #expect(demo.processes.count == 13)
        let files = FileManager.default
        func mode(_ path: String) throws -> Int {
            let attributes = try files.attributesOfItem(atPath: path)
            return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
        }
        let names = try files.contentsOfDirectory(atPath: demo.directory)
        #expect(names.count { $0.hasSuffix(".sock") } > 10)
        for name in names where name != "output" {
            // A database is for its group, too; here the folder keeps them out.
            let others = name.hasPrefix("site.sqlite") ? 0o027 : 0o077
            #expect(try mode(demo.directory + "/" + name) & others == 0, "\(name)")
        }
        #expect(try mode(demo.directory + "/coordinator.log") == 0o600)
        let folder = demo.directory + "/other"
        _ = try DemoFolder(folder)
        #expect(try mode(folder) == 0o700)

        let line = demo.output.firstMatch(of: /dashboard +(http:\S+)/)
        let asking = Process()
        asking.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        asking.arguments = [
            "-s", "-o", "/dev/null", "-w", "%{http_code}",
            String(try #require(line).1) + "api/v1/snapshot",
        ]
        let output = Pipe()
        asking.standardOutput = output
        try asking.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        asking.waitUntilExit()
        #expect(String(decoding: said, as: UTF8.self) == "401", "nobody reads it unsigned")
        demo.kill(SIGTERM)
        try demo.wait("everything has ended", within: 10) { demo.isGone }
    }

    /// The example of docs/calibration.md, at ten seconds.
    @Test func `the tag that lies at the rower teaches the rower, and no other station`() throws {
        let demo = try Demonstration(.pipe, ["--port", "0"])
        try demo.wait("ready", within: 120) { demo.isReady }
        for (place, status) in [("rower", Int32(0)), ("bike", 75)] {
            let stand = try RunningProgram(
                "beaconmesh",
                [
                    "calibrate", "stand", place, "--beacon", "b-survey", "--seconds", "10",
                    "--config", demo.directory + "/coordinator.yaml",
                ], in: demo.directory)
            try demo.wait("\(place) is over", within: 60) { !stand.isRunning }
            #expect(stand.status == status, "\(stand.errors.suffix(600))")
            #expect(stand.errors.contains("was loudest") == (status != 0))
        }
        demo.kill(SIGTERM)
        try demo.wait("everything has ended", within: 10) { demo.isGone }
    }

    /// A port of 127.0.0.1 we listen on.
    private func listener() throws -> (port: Int, descriptor: Int32) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 1) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(isListening)
        return (Int(UInt16(bigEndian: address.sin_port)), descriptor)
    }
}
