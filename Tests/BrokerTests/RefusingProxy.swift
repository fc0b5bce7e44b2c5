import Foundation
import Synchronization
import Testing

/// Stands between clients and a broker, and turns the first answers to subscriptions into refusals, as a broker gives
/// that is just losing one of its servers. Debian's mosquitto itself refuses no subscription.
final class RefusingProxy: Sendable {
    let port: Int
    private let listener: Int32
    private let broker: Int
    /// How many answers are still to be turned.
    private let left: Mutex<Int>
    private let isOver = Mutex(false)

    init(to broker: Int, refusing count: Int) throws {
        self.broker = broker
        left = Mutex(count)
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let listener = listener
        var (address, length) = (Self.address(0), socklen_t(MemoryLayout<sockaddr_in>.size))
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        try #require(isBound)
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                Thread.detachNewThread { [self] in serve(client) }
            }
        }
    }

    func stop() {
        isOver.withLock { $0 = true }
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private func serve(_ client: Int32) {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer {
            close(client)
            close(server)
        }
        var address = Self.address(broker)
        let isThere = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isThere else { return }
        var waiting: [UInt8] = []
        while !isOver.withLock({ $0 }) {
            var entries = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&entries, 2, 100) >= 0 else { return }
            if entries[0].revents != 0 {
                guard let bytes = Self.received(client), Self.send(bytes, to: server) else {
                    return
                }
            }
            if entries[1].revents != 0 {
                guard let bytes = Self.received(server) else { return }
                waiting += bytes
                guard Self.send(turned(&waiting), to: client) else { return }
            }
        }
    }

    /// Whole packets, of which the answers to subscriptions are refusals as long as some are left.
    private func turned(_ waiting: inout [UInt8]) -> [UInt8] {
        var whole: [UInt8] = []
        while let length = Self.length(waiting) {
            var packet = Array(waiting.prefix(length))
            waiting.removeFirst(length)
            // SUBACK: its number and, in MQTT 5, properties, of which mosquitto sends none; then a byte for each filter.
            if packet[0] == 0x90,
                left.withLock({
                    $0 -= 1; return $0 >= 0
                })
            {
                for place in 5..<packet.count { packet[place] = 0x87 }
            }
            whole += packet
        }
        return whole
    }

    /// How long the first packet is, once all of it is there.
    private static func length(_ bytes: [UInt8]) -> Int? {
        var (rest, place) = (0, 1)
        while place < bytes.count, place < 5 {
            rest |= Int(bytes[place] & 0x7F) << (7 * (place - 1))
            place += 1
            guard bytes[place - 1] & 0x80 != 0 else {
                return bytes.count >= place + rest ? place + rest : nil
            }
        }
        return nil
    }

    private static func received(_ socket: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    private static func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let rest = Array(bytes[sent...])
            let count = Glibc.send(socket, rest, rest.count, Int32(MSG_NOSIGNAL))
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
