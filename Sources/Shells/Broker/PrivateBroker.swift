import Glibc
import Wire

/// A mosquitto of our own on a loopback port, for demonstrations and tests: anybody on this machine
/// may connect, nothing is kept on disk. It ends with `stop`, or with this object.
package final class PrivateBroker {
    /// Why there is no broker.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// No mosquitto in the usual places or on `PATH`.
        case notInstalled
        /// A system call failed.
        case system(call: String, code: Int32)
        /// It ended, or did not listen within five seconds; its log says why.
        case didNotStart(log: String)

        /// One line for the log.
        package var description: String {
            switch self {
            case .notInstalled: "mosquitto is not installed (apt-get install mosquitto)"
            case .system(let call, let code): "\(call): \(String(cString: strerror(code)))"
            case .didNotStart(let log): "mosquitto did not start: see \(log)"
            }
        }
    }

    /// The port of 127.0.0.1 it listens on.
    package let port: Int
    /// Its process, or `nil` while it does not run.
    package private(set) var processIdentifier: Int32?
    private let directory: String
    private let launcher: [String]

    /// Starts a broker. `directory` must exist; its configuration (`mosquitto.conf`) and log
    /// (`mosquitto.log`) are written there. Without `port` a free one is taken. `launcher` are words
    /// of a command that becomes the one it is given, as `nice` does.
    ///
    /// - Throws: `.notInstalled`, `.system`, or `.didNotStart`, whose log says why.
    package init(
        directory: String, port: Int? = nil, launcher: [String] = []
    ) throws(Failure) {
        self.directory = directory
        self.launcher = launcher
        if let port {
            self.port = port
            try start()
            return
        }
        // Between finding a free port and mosquitto taking it somebody else may, so try again.
        for _ in 0..<4 {
            let free = try Self.freePort()
            do {
                processIdentifier = try Self.launch(port: free, in: directory, by: launcher)
                self.port = free
                return
            } catch .didNotStart {
                continue
            }
        }
        self.port = try Self.freePort()
        try start()
    }

    deinit { stop() }

    /// Starts it again on the same port after `stop`. It remembers nothing.
    ///
    /// - Throws: `.notInstalled`, `.system`, or `.didNotStart`, whose log says why.
    package func start() throws(Failure) {
        guard processIdentifier == nil else { return }
        processIdentifier = try Self.launch(port: port, in: directory, by: launcher)
    }

    /// Ends it and waits until it has ended.
    package func stop() {
        guard let process = processIdentifier else { return }
        processIdentifier = nil
        kill(process, SIGKILL)  // It has nothing to save.
        waitpid(process, nil, 0)
    }
}

extension PrivateBroker {
    private static func launch(
        port: Int, in directory: String, by launcher: [String]
    ) throws(Failure) -> Int32 {
        let configuration = directory + "/mosquitto.conf"
        let log = directory + "/mosquitto.log"
        // Started by root, mosquitto becomes another user unless told not to, and that one may not
        // be able to read the directory.
        let lines = [
            "listener \(port) 127.0.0.1", "allow_anonymous true", "persistence false",
            "set_tcp_nodelay true", "max_inflight_messages 100", "max_queued_messages 100000",
            "max_packet_size \(PacketSize.most)",
        ]
        let text = (lines + (geteuid() == 0 ? ["user root"] : [])).joined(separator: "\n") + "\n"
        try write(text, to: configuration)
        let process = try spawn(launcher + [program(), "-c", configuration], log: log)
        for _ in 0..<500 {
            if listens(port) { return process }
            if waitpid(process, nil, WNOHANG) == process { throw .didNotStart(log: log) }
            usleep(10_000)
        }
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        throw .didNotStart(log: log)
    }

    private static func write(_ text: String, to path: String) throws(Failure) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw .system(call: "open \(path)", code: errno) }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw .system(call: "write \(path)", code: errno)
        }
    }

    private static func spawn(_ words: [String], log: String) throws(Failure) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, words[0], &actions, nil, &arguments, environ)
        guard code == 0 else { throw .system(call: "posix_spawn \(words[0])", code: code) }
        return process
    }

    /// Where mosquitto is. Debian keeps it in /usr/sbin, which is not on everybody's PATH.
    private static func program() throws(Failure) -> String {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let folders =
            ["/usr/sbin", "/usr/local/sbin"] + path.split(separator: ":").map(String.init)
        let places = folders.map { $0 + "/mosquitto" }
        guard let place = places.first(where: { access($0, X_OK) == 0 }) else {
            throw .notInstalled
        }
        return place
    }

    private static func freePort() throws(Failure) -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw .system(call: "socket", code: errno) }
        defer { close(descriptor) }
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) == 0
                    && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard code else { throw .system(call: "bind", code: errno) }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func listens(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = loopback(port: port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(clamping: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
