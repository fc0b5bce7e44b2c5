import Foundation
import Glibc

/// A TCP connection to this machine that says what it is told and shows what comes back, byte
/// for byte. An HTTP client would tidy up just what these tests look at.
final class RawConnection: Sendable {
    /// What went wrong: the call, and `errno`.
    struct Failure: Error {
        var call: String
        var code: Int32
    }

    private let descriptor: Int32

    /// Connects. Calls that take more than 90 s fail. The server needs the threads of the pool that
    /// tests run on, so that each call blocks a thread of its own.
    static func open(port: Int) async throws -> RawConnection {
        try await waiting { try RawConnection(port: port) }
    }

    /// Connects, then sends a text and reads until `marker`, several times with a pause after each.
    /// All on one thread: however busy the pool is, the server never waits longer than it says here.
    static func exchange(
        _ text: String, port: Int, until marker: String? = nil, times: Int = 1,
        pause: Duration = .zero
    ) async throws -> (connection: RawConnection, answers: [String]) {
        try await waiting {
            let connection = try RawConnection(port: port)
            let answers = try (0..<times).map { _ in
                try connection.sendNow(text)
                let answer = try connection.readNow(until: marker)
                Thread.sleep(forTimeInterval: pause / .seconds(1))
                return answer
            }
            return (connection, answers)
        }
    }

    private init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
        var limit = timeval(tv_sec: 90, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw Failure(call: "connect", code: errno) }
    }

    deinit { close(descriptor) }

    /// Sends all of a text.
    func send(_ text: String) async throws {
        try await Self.waiting { [self] in try sendNow(text) }
    }

    /// Reads until `marker` has come, or the other end closes.
    func read(until marker: String? = nil) async throws -> String {
        try await Self.waiting { [self] in try readNow(until: marker) }
    }

    private static func waiting<Value: Sendable>(
        _ call: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try call() }) }
        }
    }

    private func sendNow(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
        else { throw Failure(call: "send", code: errno) }
    }

    private func readNow(until marker: String?) throws -> String {
        var all: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &part, part.count, 0)
            guard count >= 0 else { throw Failure(call: "recv", code: errno) }
            all += part.prefix(count)
            let text = String(decoding: all, as: UTF8.self)
            if count == 0 || marker.map(text.contains) ?? false { return text }
        }
    }
}
