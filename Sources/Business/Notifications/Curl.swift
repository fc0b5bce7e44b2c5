import Foundation
import Glibc

/// The program `curl`: HTTP and TLS, kept out of the coordinator's own memory.
package enum Curl {
    /// What it may know of our environment.
    private static let inherited = [
        "PATH", "http_proxy", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "SSL_CERT_FILE",
        "SSL_CERT_DIR", "CURL_CA_BUNDLE",
    ]

    /// Runs it with a configuration that has it write the HTTP status and what went wrong. Blocks
    /// until it ends.
    /// - Parameter reading: What it means that was written.
    package static func run(
        _ configuration: String, reading: (String) -> DeliveryOutcome = Self.outcome
    ) -> DeliveryOutcome {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            return .unreachable("no socket: \(text(of: errno))")
        }
        let (own, other) = (ends[0], ends[1])
        defer { close(own) }
        var process: pid_t = 0
        // It fits the socket's buffer, so that a child that does not read blocks nobody.
        let isSent = send(configuration, to: own)
        let code = isSent ? spawn(&process, speakingTo: other) : EMSGSIZE
        close(other)
        guard code == 0 else {
            return .unreachable("curl cannot be started: \(text(of: code)); install package curl")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return .unreachable("curl is lost: \(text(of: errno))") }
        }
        return reading(answer(at: own))
    }

    /// The same of a configuration that sends bytes, which it finds in a file: its standard input has no room for them.
    package static func run(
        sending body: [UInt8], reading: (String) -> DeliveryOutcome = Self.outcome,
        _ configuration: (String) -> String
    ) -> DeliveryOutcome {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("beaconmesh-sent-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        // Nobody else may read it, from the first byte on.
        let descriptor = open(file.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return .unreachable("no file at \(file.path)") }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard (try? handle.write(contentsOf: Data(body))) != nil else {
            return .unreachable("\(file.path) cannot be written")
        }
        return run(configuration(file.path), reading: reading)
    }

    /// A value of a configuration, in which only these two mean anything. It must have no line feed.
    package static func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    /// What `<status> <message>` means; status 000 stands for none.
    package static func outcome(of line: String) -> DeliveryOutcome {
        let words = line.split(separator: " ", maxSplits: 1)
        guard let status = words.first.flatMap({ Int($0) }), (100...999).contains(status) else {
            let reason = words.dropFirst().first.map(String.init) ?? ""
            return .unreachable(reason.isEmpty ? "no answer" : reason)
        }
        return .answered(status)
    }

    /// Sends a text and says that there is no more.
    private static func send(_ configuration: String, to socket: Int32) -> Bool {
        let bytes = Array(configuration.utf8)
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        return Glibc.send(socket, bytes, bytes.count, flags) == bytes.count
            && shutdown(socket, Int32(SHUT_WR)) == 0
    }

    /// What has been written to a socket, up to a line or two.
    private static func answer(at socket: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Starts it with a socket for both of its ends, nothing else of ours open, and without settings
    /// of its own. Returns an error number, or 0.
    private static func spawn(_ process: inout pid_t, speakingTo socket: Int32) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, socket, 0)
        posix_spawn_file_actions_adddup2(&actions, socket, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        for file in others { posix_spawn_file_actions_addclose(&actions, file) }
        let own = ProcessInfo.processInfo.environment
        let environment = inherited.compactMap { name in own[name].map { "\(name)=\($0)" } }
        var arguments = list(["curl", "-q", "-K", "-"])
        var variables = list(environment)
        defer { for text in arguments + variables { free(text) } }
        return posix_spawnp(&process, "curl", &actions, nil, &arguments, &variables)
    }

    /// Our open files beyond the standard ones. The broker's connection is one that is inherited, and
    /// the broker must notice when we die. Closing what is closed already is no fault to `posix_spawn`.
    private static var others: [Int32] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return (names ?? []).compactMap { Int32($0) }.filter { $0 > 2 }
    }

    /// What C takes for a list of texts.
    private static func list(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    private static func text(of code: Int32) -> String { String(cString: strerror(code)) }
}
