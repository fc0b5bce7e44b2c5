import Basics
import CBlueZ
import Glibc
import NodeEngine

/// A raw socket of the kernel's Bluetooth stack. This file alone knows libbluetooth.
///
/// Reports, answers and other people's commands come over the one socket over which our commands go:
/// the kernel does not show a socket its own commands. libbluetooth's request functions are not used,
/// because they wait, and throw reports away while they do.
final class HCISocket {
    /// Room for reports that wait to be read: the default holds 278.
    private static let receiveBuffer: Int32 = 4 << 20
    /// Stands for no adapter in particular.
    private static let noAdapter: UInt16 = 0xFFFF
    /// The kernel numbers adapters from 0 and takes the lowest free number.
    private static let numbers: Range<UInt16> = 0..<16

    private let descriptor: Descriptor

    private init(adapter: UInt16) throws(SystemFailure) {
        let type = Int32(SOCK_RAW.rawValue) | O_CLOEXEC | O_NONBLOCK
        let number = socket(AF_BLUETOOTH, type, BTPROTO_HCI)
        guard number >= 0 else { throw SystemFailure(call: "socket", code: errno) }
        descriptor = Descriptor(owning: number)
        var address = sockaddr_hci()
        address.hci_family = sa_family_t(AF_BLUETOOTH)
        address.hci_dev = adapter
        address.hci_channel = UInt16(HCI_CHANNEL_RAW)
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_hci>.size))
            }
        }
        guard result == 0 else { throw SystemFailure(call: "bind", code: errno) }
    }

    /// Tells of adapters that come, go, and are switched on and off.
    static func devices() throws(SystemFailure) -> HCISocket {
        let socket = try HCISocket(adapter: noAdapter)
        try socket.listen(to: [HCI_EVENT_PKT], events: [EVT_STACK_INTERNAL])
        return socket
    }

    /// Takes commands for an adapter, and gives its reports, its answers, and the commands that
    /// others send to it.
    static func adapter(_ index: UInt16) throws(SystemFailure) -> HCISocket {
        let socket = try HCISocket(adapter: index)
        // The first needs CAP_NET_ADMIN, the second gives what the system's limit allows.
        if socket.set(SOL_SOCKET, SO_RCVBUFFORCE, to: receiveBuffer) != 0 {
            _ = socket.set(SOL_SOCKET, SO_RCVBUF, to: receiveBuffer)
        }
        // Without it the time of reading has to do.
        _ = socket.set(SOL_HCI, HCI_TIME_STAMP, to: 1)
        try socket.listen(
            to: [HCI_EVENT_PKT, HCI_COMMAND_PKT],
            events: [EVT_LE_META_EVENT, EVT_CMD_COMPLETE, EVT_CMD_STATUS, EVT_HARDWARE_ERROR])
        return socket
    }

    /// The adapters of this machine, by number.
    static func adapters() -> [AdapterName.Present] {
        numbers.compactMap { index in
            var information = hci_dev_info()
            guard hci_devinfo(Int32(index), &information) == 0 else { return nil }
            let bytes = information.bdaddr.b
            let address = [bytes.5, bytes.4, bytes.3, bytes.2, bytes.1, bytes.0]
                .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return AdapterName.Present(index: index, address: address == 0 ? nil : address)
        }
    }

    /// Switches an adapter on or off; 0, or the system's error number. The call lasts until the
    /// controller has answered a dozen commands, and up to ten seconds if it does not.
    static func `switch`(_ index: UInt16, on isOn: Bool) -> Int32 {
        let type = Int32(SOCK_RAW.rawValue) | O_CLOEXEC
        let number = socket(AF_BLUETOOTH, type, BTPROTO_HCI)
        guard number >= 0 else { return errno }
        let descriptor = Descriptor(owning: number)
        let result =
            isOn
            ? cbluez_up(descriptor.number, Int32(index))
            : cbluez_down(descriptor.number, Int32(index))
        return result == 0 ? 0 : errno
    }

    /// What to wait on for reading.
    var number: Int32 { descriptor.number }

    /// Reads one packet into the start of `buffer`. `stamp` becomes the wall-clock time at which the
    /// kernel got it, in microseconds since 1970, or 0 if the kernel does not say.
    func read(into buffer: inout [UInt8], stamp: inout Int64) -> Descriptor.ReadOutcome {
        let count = buffer.withUnsafeMutableBytes {
            cbluez_receive(number, $0.baseAddress, $0.count, &stamp)
        }
        return Descriptor.outcome(count)
    }

    /// Gives the adapter a command. Its answer comes as a packet.
    func send(_ command: HCICommand) throws(SystemFailure) {
        let packet = command.packet
        let count = packet.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
        // Some kernels say 0 for a command that they sent.
        guard count >= 0 else {
            throw SystemFailure(call: "command \(hex(command.opcode))", code: errno)
        }
    }

    private func listen(to types: [Int32], events: [Int32]) throws(SystemFailure) {
        var filter = hci_filter()
        hci_filter_clear(&filter)
        for type in types { hci_filter_set_ptype(type, &filter) }
        for event in events { hci_filter_set_event(event, &filter) }
        let size = socklen_t(MemoryLayout<hci_filter>.size)
        guard setsockopt(number, SOL_HCI, HCI_FILTER, &filter, size) == 0 else {
            throw SystemFailure(call: "HCI_FILTER", code: errno)
        }
    }

    private func set(_ level: Int32, _ option: Int32, to value: Int32) -> Int32 {
        var value = value
        return setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}

/// What this process may do beyond its user, as far as it concerns radios.
enum Privileges {
    private static let forAdapters = UInt32(1) << CAP_NET_RAW | UInt32(1) << CAP_NET_ADMIN

    /// Gives up, for good, what a radio does not need. An adapter needs both capabilities for as long
    /// as it may have to be opened (CAP_NET_RAW) and switched on (CAP_NET_ADMIN) again; nothing else
    /// needs either. What only root has is root's affair. Returns the system's error number, or 0.
    static func drop(keepingAdapters: Bool) -> Int32 {
        var bits = [UInt32](repeating: 0, count: 6)
        guard cbluez_capabilities(&bits) == 0 else { return errno }
        let isRoot = geteuid() == 0
        for set in 0..<2 {
            // Two words a set: effective, then permitted.
            if !isRoot { (bits[2 * set], bits[2 * set + 1]) = (bits[2 * set] & forAdapters, 0) }
            if !keepingAdapters { bits[2 * set] &= ~forAdapters }
        }
        // Nothing that we might start inherits any.
        (bits[4], bits[5]) = (0, 0)
        return cbluez_set_capabilities(bits) == 0 ? 0 : errno
    }
}

/// A number as HCI's documents write it.
package func hex(_ number: some BinaryInteger) -> String {
    "0x" + Hex.text(UInt64(truncatingIfNeeded: number))
}

/// A file or socket of the operating system that never makes us wait, closed when let go.
final class Descriptor {
    /// What a read gave.
    enum ReadOutcome: Equatable {
        /// The bytes, at least one.
        case bytes(Int)
        /// Nothing yet.
        case nothing
        /// The end: of the file, or because the peer closed.
        case ended
        /// The system's error number.
        case failed(Int32)
    }

    /// The longest path that fits into a socket address with its closing NUL.
    static let longestSocketPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    let number: Int32

    /// Takes over an open descriptor.
    init(owning number: Int32) { self.number = number }

    deinit { _ = close(number) }

    /// Opens a file for reading.
    static func open(path: String) throws(SystemFailure) -> Descriptor {
        let number = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw SystemFailure(call: "open", code: errno) }
        return Descriptor(owning: number)
    }

    /// Connects to a Unix socket, whose path is at most `longestSocketPath` bytes long.
    static func connect(path: String) throws(SystemFailure) -> Descriptor {
        let type = Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK
        let number = socket(AF_UNIX, type, 0)
        guard number >= 0 else { throw SystemFailure(call: "socket", code: errno) }
        let descriptor = Descriptor(owning: number)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8.prefix(longestSocketPath))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw SystemFailure(call: "connect", code: errno) }
        return descriptor
    }

    /// Reads what is there into the start of `buffer`, which is not empty.
    func read(into buffer: inout [UInt8]) -> ReadOutcome {
        Self.outcome(
            buffer.withUnsafeMutableBytes { Glibc.read(number, $0.baseAddress, $0.count) })
    }

    /// What a call that reads said, right after it.
    static func outcome(_ count: Int) -> ReadOutcome {
        if count > 0 { return .bytes(count) }
        if count == 0 { return .ended }
        let code = errno
        return code == EAGAIN || code == EINTR ? .nothing : .failed(code)
    }
}

/// A system call that failed.
struct SystemFailure: Error, Equatable, CustomStringConvertible {
    /// The call, as in its manual page.
    var call: String
    /// The system's error number.
    var code: Int32

    var description: String { "\(call): \(Self.text(code))" }

    /// The system's words for an error number.
    static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
