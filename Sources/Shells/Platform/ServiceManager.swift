import Glibc
import SiteModel

/// systemd, where it started us: told when we are ready, and from time to time that we still do useful
/// work (sd_notify(3), without its library). Elsewhere nothing happens.
package struct ServiceManager: Sendable {
    private let address: [UInt8]?
    /// How often to say that we work: three times as often as we must; `nil` if nobody watches.
    private let interval: Timestamp.Span?
    private var nextFeeding: Timestamp?
    private var status = ""
    private var isReady = false

    /// The service manager that the environment names.
    package init() {
        self.init { name in getenv(name).map { String(cString: $0) } }
    }

    /// The same with variables of one's own.
    package init(_ variable: (String) -> String?) {
        address = variable("NOTIFY_SOCKET").flatMap(Self.address)
        let isForUs = variable("WATCHDOG_PID").map { $0 == "\(getpid())" } ?? true
        let microseconds = variable("WATCHDOG_USEC").flatMap { Int64($0) } ?? 0
        interval =
            isForUs && microseconds > 0
            ? .milliseconds(max(1, microseconds / 3000)) : nil
    }

    /// Whether somebody starts us again when we leave.
    package var isThere: Bool { address != nil }

    /// Says once that we are ready.
    package mutating func ready() {
        guard !isReady else { return }
        isReady = true
        send("READY=1")
    }

    /// Says what we are doing, for people, if that is news.
    package mutating func say(_ text: String) {
        guard text != status else { return }
        status = text
        // One line: what follows another line feed would be read as an assignment.
        send("STATUS=" + text.split(whereSeparator: \.isNewline).joined(separator: " "))
    }

    /// Says that we work. To be called about once a second, and only if it is so.
    package mutating func feed(at now: Timestamp) {
        guard let interval else { return }
        if let nextFeeding, now < nextFeeding { return }
        nextFeeding = now + interval
        send("WATCHDOG=1")
    }

    /// Says that we leave.
    package func stopping() { send("STOPPING=1") }

    /// What cannot be said is lost: the manager notices that it hears nothing.
    private func send(_ text: String) {
        guard let address else { return }
        let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: address) }
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let bytes = Array(text.utf8)
        _ = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(
                    socket, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT),
                    $0, socklen_t(start + address.count))
            }
        }
    }

    /// A socket's path as the kernel takes it: an abstract one, written with `@`, begins with a zero.
    private static func address(_ text: String) -> [UInt8]? {
        var bytes = Array(text.utf8)
        guard bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        else { return nil }
        switch bytes[0] {
        case UInt8(ascii: "/"): bytes.append(0)
        case UInt8(ascii: "@"): bytes[0] = 0
        default: return nil
        }
        return bytes
    }
}

/// What the command line of a daemon asks for. Both take a configuration file and `--check`; what else
/// one takes, it names.
package enum ServiceArguments: Equatable {
    /// Run on this configuration, with the values of further options by name (`record`).
    case run(config: String, values: [String: String])
    /// Only check this configuration.
    case check(config: String)
    case help
    case version

    /// Reads `--config FILE`, `--check`, `--help`, `--version` and the named options, each with a value
    /// after a blank or `=`. `nil` for anything else.
    package init?(_ arguments: some Collection<String>, options: Set<String> = []) {
        var values: [String: String] = [:]
        var isCheck = false
        var rest = Array(arguments)[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h":
                self = .help
                return
            case "--version":
                self = .version
                return
            case "--check": isCheck = true
            default:
                guard word.hasPrefix("--") else { return nil }
                let parts = word.dropFirst(2).split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let name = String(parts[0])
                guard name == "config" || options.contains(name), values[name] == nil,
                    let value = parts.count == 2 ? String(parts[1]) : rest.popFirst(),
                    !value.isEmpty
                else { return nil }
                values[name] = value
            }
        }
        guard let config = values.removeValue(forKey: "config") else { return nil }
        self = isCheck ? .check(config: config) : .run(config: config, values: values)
    }
}
