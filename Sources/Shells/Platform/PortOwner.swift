import Basics
import Foundation
import Glibc

/// Finds out who listens on a TCP port of this machine (proc(5), /proc/net/tcp).
package enum PortOwner {
    /// The program and its process, as in `nginx (process 812)`, or `nil` if nobody listens or this
    /// user may not know who.
    package static func name(ofPort port: Int) -> String? {
        // The kernel hands the table out in pieces: a line can slip through while others come and go.
        for _ in 0..<3 {
            if let name = nameNow(ofPort: port) { return name }
        }
        return nil
    }

    private static func nameNow(ofPort port: Int) -> String? {
        let sockets = Set(
            ["tcp", "tcp6"].flatMap { listeners(in: "/proc/self/net/\($0)", on: port) })
        guard !sockets.isEmpty else { return nil }
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        for process in processes.compactMap({ Int32($0) }).sorted() {
            let folder = "/proc/\(process)/fd"
            let open = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let isIts = open.contains { number in
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "\(folder)/\(number)")
                return target.map(sockets.contains) ?? false
            }
            guard isIts, let name = FileManager.default.contents(atPath: "/proc/\(process)/comm")
            else { continue }
            let text = String(decoding: name, as: UTF8.self)
            return "\(TerminalText.harmless(String(text.dropLast()))) (process \(process))"
        }
        return nil
    }

    /// The sockets that listen on a port, as links to them read: `socket:[4711]`. Lines hold number,
    /// own address, other address, state (0A: listens) …, and the inode as the tenth word.
    private static func listeners(in table: String, on port: Int) -> [String] {
        guard let text = FileManager.default.contents(atPath: table) else { return [] }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count > 9, words[3] == "0A",
                let own = words[1].split(separator: ":").last, Hex.number(own.utf8) == UInt64(port)
            else { return nil }
            return "socket:[\(words[9])]"
        }
    }
}

/// Finds a port of 127.0.0.1 nobody listens on.
package enum FreePort {
    /// The preferred port if it is free, else any; `otherwise` is told why not.
    ///
    /// - Throws: An `Exit` with 69 if the system has no free port.
    package static func find(preferring port: Int, otherwise: (String) -> Void = { _ in }) throws
        -> Int
    {
        if let port = bound(port) { return port }
        let reason = errno
        otherwise(
            reason == EADDRINUSE
                ? "in use by \(PortOwner.name(ofPort: port) ?? "another program")"
                : "not to be had: \(String(cString: strerror(reason)))")
        guard let port = bound(0) else { throw Exit(code: 69, text: "no free port on 127.0.0.1") }
        return port
    }

    /// Binds and releases; the port that was had, or `nil` with `errno`.
    private static func bound(_ port: Int) -> Int? {
        let number = UInt16(clamping: port)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer {
            let code = errno
            close(descriptor)
            errno = code
        }
        // As servers do: the last connections of one that has just ended are nobody.
        var isOn: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = number.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        return isBound ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }
}
