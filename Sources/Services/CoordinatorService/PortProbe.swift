import Glibc
import Platform

/// A port to be listened on.
package struct PortState: Equatable {
    /// Who has it.
    package enum Use: Equatable {
        case free
        /// A coordinator answers there.
        case ours
        /// Somebody else has it.
        case taken
        /// It cannot be had for another reason.
        case refused(reason: String)
    }

    /// The address.
    package var host: String
    package var port: Int
    /// Who has it.
    package var state: Use
    /// The program that listens there, if this user may know.
    package var owner: String?

    package init(host: String, port: Int, state: Use, owner: String? = nil) {
        self.host = host
        self.port = port
        self.state = state
        self.owner = owner
    }

    /// Whether somebody listens there.
    package var isTaken: Bool {
        switch state {
        case .ours, .taken: true
        case .free, .refused: false
        }
    }
}

/// Looks whether a port can be listened on, by listening on it for a moment.
package enum PortProbe {
    /// How long the owner of the port may take to identify itself, in milliseconds.
    private static let patience: Int32 = 1_000

    /// Who has the port of a name or address.
    package static func port(_ port: Int, of host: String) -> PortState {
        var facts = PortState(host: host, port: port, state: .free)
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, "\(port)", &hints, &list)
        guard code == 0, let address = list?.pointee else {
            facts.state = .refused(reason: String(cString: gai_strerror(code)))
            return facts
        }
        defer { freeaddrinfo(list) }
        let listener = socket(
            address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else {
            facts.state = .refused(reason: String(cString: strerror(errno)))
            return facts
        }
        defer { close(listener) }
        // As servers do: a connection that has just ended is nobody.
        var isOn: Int32 = 1
        setsockopt(
            listener, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        guard bind(listener, address.ai_addr, address.ai_addrlen) != 0 else { return facts }
        guard errno == EADDRINUSE else {
            facts.state = .refused(reason: String(cString: strerror(errno)))
            return facts
        }
        facts.state = answersAsOurs(address) ? .ours : .taken
        facts.owner = PortOwner.name(ofPort: port)
        return facts
    }

    /// Whether a coordinator answers there: its `/healthz` is a single word, also where it says what
    /// is wrong.
    private static func answersAsOurs(_ address: addrinfo) -> Bool {
        let descriptor = socket(
            address.ai_family,
            address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let code = connect(descriptor, address.ai_addr, address.ai_addrlen)
        guard code == 0 || errno == EINPROGRESS, wait(descriptor, for: POLLOUT) else {
            return false
        }
        let request = Array(
            "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) > 0 else {
            return false
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1_024)
        while answer.count < 4_096, wait(descriptor, for: POLLIN) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            answer += buffer[..<count]
            if answer.suffix(7) == Array("\r\n\r\nok\n".utf8)[...] { break }
        }
        let text = String(decoding: answer, as: UTF8.self)
        if text.hasPrefix("HTTP/1.1 200") { return text.hasSuffix("\r\n\r\nok\n") }
        return text.hasPrefix("HTTP/1.1 503")
            && StoreHealth.Trouble.allCases.contains { text.hasSuffix("\r\n\r\n\($0.rawValue)\n") }
    }

    private static func wait(_ descriptor: Int32, for event: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return poll(&entry, 1, patience) > 0
    }
}
