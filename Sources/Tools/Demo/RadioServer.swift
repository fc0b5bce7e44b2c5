import Foundation
import Glibc
import Platform
import Radio
import SiteModel

/// One simulated radio: a Unix socket that sends a btsnoop stream to each client.
///
/// A node that reads too slowly loses packets, as it would on the air.
package final class RadioServer {
    /// Why a radio cannot be offered.
    package struct Failure: Error, CustomStringConvertible {
        package let path: String
        package let reason: String

        package init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }
        package var description: String { "\(path): \(reason)" }
    }

    /// The socket's path.
    package let path: String
    private let listener: Int32
    private var peer: Int32?
    private var buffer: [UInt8] = []
    /// Packets dropped because nobody read them in time.
    package private(set) var lost = 0

    /// The most bytes that may wait for a slow reader.
    private static let patience = 1 << 18

    /// Listens at `path`, which must not exist.
    ///
    /// - Throws: A `Failure` with the path and the system's reason.
    package init(path: String) throws {
        self.path = path
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count < room else {
            throw Failure(path: path, reason: "longer than a socket's name may be (\(room - 1))")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        listener = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0
        )
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard listener >= 0, result == 0, listen(listener, 1) == 0 else {
            throw Failure(path: path, reason: String(cString: strerror(errno)))
        }
    }

    deinit {
        if let peer { close(peer) }
        close(listener)
        unlink(path)
    }

    /// Sends one packet, dated `at`.
    package func send(_ packet: [UInt8], at: Timestamp) {
        guard peer != nil else { return }
        let record = BTSnoopWriter.record(of: packet, at: at)
        guard buffer.count + record.count <= Self.patience else {
            lost += 1
            return
        }
        buffer += record
    }

    /// Lets a new reader in and writes what waits.
    package func work() {
        let newcomer = accept(listener, nil, nil)
        if newcomer >= 0 {
            if let peer { close(peer) }
            _ = fcntl(newcomer, F_SETFL, O_NONBLOCK)
            _ = fcntl(newcomer, F_SETFD, FD_CLOEXEC)
            peer = newcomer
            buffer = BTSnoopWriter.header
        }
        guard let peer, !buffer.isEmpty else { return }
        let count = Glibc.send(peer, buffer, buffer.count, Int32(MSG_NOSIGNAL))
        if count > 0 {
            buffer.removeFirst(count)
        } else if count < 0, errno != EAGAIN, errno != EINTR {
            close(peer)
            self.peer = nil
            buffer = []
        }
    }
}

/// Plays a real HCI log again and again, with its own timing.
struct CaptureLoop {
    private let records: [BTSnoopReader.Record]
    private var next = 0
    private var started: Timestamp

    /// Reads the log at `path`. What could be read before a fault is used; the fault is returned.
    init(path: String, from now: Timestamp) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Exit(code: 66, text: "\(path): cannot be read")
        }
        var reader = BTSnoopReader()
        reader.feed([UInt8](data).span)
        var records: [BTSnoopReader.Record] = []
        do {
            while let record = try reader.next() { records.append(record) }
            try reader.end()
        } catch {
            guard !records.isEmpty else { throw Exit(code: 65, text: "\(path): \(error)") }
            StandardError.line("\(path): \(error); \(records.count) packets before it are used")
        }
        guard !records.isEmpty else { throw Exit(code: 65, text: "\(path): holds no packets") }
        self.records = records
        started = now
    }

    /// The packets due by `now`.
    mutating func due(at now: Timestamp) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        let first = records[0].at
        while next < records.count, started + (records[next].at - first) <= now {
            packets.append(records[next].packet)
            next += 1
        }
        if next == records.count {
            next = 0
            started = now + .seconds(1)
        }
        return packets
    }
}
