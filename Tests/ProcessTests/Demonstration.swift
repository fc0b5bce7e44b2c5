import Foundation
import Glibc

/// A running `beaconmesh demo`, of which a test keeps the other end of its terminal or pipe. All its
/// processes are killed with this object, at the latest.
final class Demonstration {
    /// Where its output goes.
    enum Output: CaseIterable {
        case pipe
        /// A terminal that is its own: when it goes, the kernel says so with SIGHUP.
        case terminal
    }

    private struct Description: Decodable {
        struct Part: Decodable { var pid: pid_t }
        var processes: [Part]
    }

    /// Everything it writes. There is a space in it.
    let directory: String
    private var process: pid_t = 0
    /// Our end, or -1 once it is closed.
    private var end: Int32 = -1
    private(set) var output = ""

    init(_ output: Output, _ arguments: [String] = [], environment more: [String] = []) throws {
        directory = NSTemporaryDirectory() + "beaconmesh demo-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        switch output {
        case .pipe:
            let path = directory + "/output"
            guard mkfifo(path, 0o600) == 0 else { throw Self.fault("mkfifo") }
            end = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY, 0)
        case .terminal:
            end = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
            var (number, isLocked): (Int32, Int32) = (0, 0)
            guard end >= 0, ioctl(end, 0x8004_5430, &number) == 0,  // TIOCGPTN
                ioctl(end, 0x4004_5431, &isLocked) == 0  // TIOCSPTLCK
            else { throw Self.fault("terminal") }
            // The first terminal that the leader of a session opens is its own.
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/pts/\(number)", O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
        }
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, 0x80)  // POSIX_SPAWN_SETSID
        let program = RunningProgram.path("beaconmesh").path
        let words =
            [
                program, "demo", "--directory", directory, "--json", directory + "/demo.json",
                "--people", "2", "--history-days", "0",
            ] + arguments
        var list = words.map { strdup($0) } + [nil]
        defer { list.forEach { free($0) } }
        let settings = ["PATH=/usr/bin:/bin", "LLVM_PROFILE_FILE=/dev/null"] + more
        let environment = settings.map { strdup($0) } + [nil]
        defer { environment.forEach { free($0) } }
        let code = posix_spawn(&process, program, &actions, &attributes, &list, environment)
        guard code == 0 else {
            throw Self.fault("posix_spawn")
        }
    }

    deinit {
        if !isGone {
            for one in processes + [process] { Glibc.kill(one, SIGKILL) }
        }
        closeOutput()
        waitpid(process, nil, 0)
        _ = Result { try FileManager.default.removeItem(atPath: directory) }
    }

    /// What it runs, once it is ready; empty before and afterwards.
    private(set) var processes: [pid_t] = []

    /// Whether it has said that all runs.
    var isReady: Bool {
        guard
            let json = FileManager.default.contents(atPath: directory + "/demo.json"),
            let description = try? JSONDecoder().decode(Description.self, from: json)
        else { return false }
        processes = description.processes.map(\.pid)
        return output.contains("Ctrl-C")
    }

    /// Whether it and everything it ran has ended.
    var isGone: Bool {
        waitpid(process, nil, WNOHANG)
        return ([process] + processes).allSatisfy(Self.hasEnded)
    }

    /// Sends it, and nothing it runs, a signal.
    func kill(_ signal: Int32) { Glibc.kill(process, signal) }

    /// Takes away its terminal, or the reader of its pipe.
    func closeOutput() {
        if end >= 0 { close(end) }
        end = -1
    }

    /// Lets it go on until a condition holds.
    func wait(_ what: String, within seconds: Double, until condition: () -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while !condition() {
            guard ContinuousClock.now < deadline else {
                throw RunningProgram.Fault(
                    description: "not within \(seconds) s: \(what)\n\(output.suffix(2000))")
            }
            read()
            usleep(20_000)
        }
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while end >= 0 {
            let count = Glibc.read(end, &buffer, buffer.count)
            guard count > 0 else { return }
            output += String(decoding: buffer[..<count], as: UTF8.self)
                .replacingOccurrences(of: "\r\n", with: "\n")
        }
    }

    /// What nobody has asked after its end is a zombie, and has ended.
    private static func hasEnded(_ process: pid_t) -> Bool {
        guard let status = FileManager.default.contents(atPath: "/proc/\(process)/status") else {
            return true
        }
        return String(decoding: status, as: UTF8.self).contains("State:\tZ")
    }

    private static func fault(_ call: String) -> RunningProgram.Fault {
        RunningProgram.Fault(description: "\(call): \(String(cString: strerror(errno)))")
    }
}
