import Foundation
import Glibc

@testable import Platform

/// A mosquitto on a free port of loopback that asks for passwords and has an ACL. It ends with `stop`
/// or with this object.
final class SecuredBroker {
    let port: Int
    private let process = Process()

    /// Starts one in `directory`. `users`: names and passwords. `acl`: the lines of its ACL file.
    init(directory: String, users: [(name: String, password: String)], acl: String) throws {
        port = try FreePort.find(preferring: 0)
        let files = (
            configuration: directory + "/secured.conf", passwords: directory + "/passwords",
            acl: directory + "/acl"
        )
        try Data().write(to: URL(fileURLWithPath: files.passwords))
        for user in users {
            let maker = Process()
            maker.executableURL = URL(fileURLWithPath: "/usr/bin/mosquitto_passwd")
            maker.arguments = ["-b", files.passwords, user.name, user.password]
            maker.standardError = FileHandle.nullDevice
            try maker.run()
            maker.waitUntilExit()
        }
        try Data(acl.utf8).write(to: URL(fileURLWithPath: files.acl))
        let lines =
            [
                "listener \(port) 127.0.0.1", "allow_anonymous false", "persistence false",
                "password_file \(files.passwords)", "acl_file \(files.acl)",
            ] + (geteuid() == 0 ? ["user root"] : [])
        try Data((lines.joined(separator: "\n") + "\n").utf8)
            .write(to: URL(fileURLWithPath: files.configuration))
        try start(files.configuration)
    }

    /// Starts one by a file that was made elsewhere for this port; its process id stands in `pidFile`.
    init(directory: String, port: Int, configuration: String, pidFile: String) throws {
        self.port = port
        let lines =
            ["pid_file \(pidFile)", "persistence false"]
            + (geteuid() == 0 ? ["user root"] : [])
        let text = try String(contentsOfFile: configuration, encoding: .utf8)
        let file = directory + "/generated.conf"
        try Data((lines.joined(separator: "\n") + "\n" + text).utf8)
            .write(to: URL(fileURLWithPath: file))
        try start(file)
    }

    private func start(_ configuration: String) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/sbin/mosquitto")
        process.arguments = ["-c", configuration]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // Threads of libdispatch block it, a program inherits that, and mosquitto does not undo it.
        var hangup = sigset_t()
        var before = sigset_t()
        sigemptyset(&hangup)
        sigaddset(&hangup, SIGHUP)
        pthread_sigmask(SIG_UNBLOCK, &hangup, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try process.run()
        for _ in 0..<500 where !isListening { usleep(10_000) }
        guard isListening else {
            throw RunningProgram.Fault(description: "the secured broker did not start")
        }
    }

    deinit { stop() }

    /// Ends it.
    func stop() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private var isListening: Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(clamping: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
