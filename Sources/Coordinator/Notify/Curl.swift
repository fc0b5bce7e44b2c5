import Foundation
import Glibc
import Storage

/// The program `curl`: HTTP and TLS, kept out of the coordinator's own memory.
enum Curl {
    /// What it may know of our environment.
    private static let inherited = [
        "PATH", "http_proxy", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "SSL_CERT_FILE",
        "SSL_CERT_DIR", "CURL_CA_BUNDLE",
    ]

    /// Runs it with a configuration that has it write the HTTP status and what went wrong. Blocks
    /// until it ends.
    static func run(_ configuration: String) -> DeliveryOutcome {
        // A file in memory and no pipe: whoever ends early cannot make us wait or fail.
        guard let input = memory(Array(configuration.utf8)), let output = memory([]) else {
            return .unreachable("no file in memory: \(text(of: errno))")
        }
        defer {
            close(input)
            close(output)
        }
        var process: pid_t = 0
        let code = spawn(&process, input: input, output: output)
        guard code == 0 else {
            return .unreachable("curl cannot be started: \(text(of: code)); install package curl")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return .unreachable("curl is lost: \(text(of: errno))") }
        }
        return outcome(of: read(output))
    }

    /// What `<status> <message>` means; status 000 stands for none.
    static func outcome(of line: String) -> DeliveryOutcome {
        let words = line.split(separator: " ", maxSplits: 1)
        guard let status = words.first.flatMap({ Int($0) }), (100...999).contains(status) else {
            let reason = words.dropFirst().first.map(String.init) ?? ""
            return .unreachable(reason.isEmpty ? "no answer" : reason)
        }
        return .answered(status)
    }

    private static func memory(_ bytes: [UInt8]) -> Int32? {
        let file = memfd_create("curl", UInt32(MFD_CLOEXEC))
        guard file >= 0 else { return nil }
        guard write(file, bytes, bytes.count) == bytes.count, lseek(file, 0, SEEK_SET) == 0 else {
            close(file)
            return nil
        }
        return file
    }

    private static func read(_ file: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = pread(file, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Starts it with these two files, nothing else of ours open, and without its own files of
    /// settings. Returns an error number, or 0.
    private static func spawn(_ process: inout pid_t, input: Int32, output: Int32) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        let own = ProcessInfo.processInfo.environment
        let environment = inherited.compactMap { name in own[name].map { "\(name)=\($0)" } }
        var arguments = ["curl", "-q", "-K", "-"].map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        return posix_spawnp(&process, "curl", &actions, nil, &arguments, &variables)
    }

    private static func text(of code: Int32) -> String { String(cString: strerror(code)) }
}
