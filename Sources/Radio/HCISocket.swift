import CBlueZ
import Glibc

/// A raw socket of the kernel's Bluetooth stack. This file alone knows libbluetooth.
///
/// Commands and reports go over separate sockets: while libbluetooth waits for the answer to a
/// command it throws reports away, and gives up after ten of them.
final class HCISocket {
    /// Room for reports that wait to be read: the default holds 278.
    private static let receiveBuffer: Int32 = 4 << 20
    /// How long a controller may take to answer a command.
    private static let patience: Int32 = 1_000
    /// Stands for no adapter in particular.
    private static let noAdapter: UInt16 = 0xFFFF

    private let descriptor: Descriptor
    private let adapter: UInt16

    private init(adapter: UInt16, isBlocking: Bool) throws(SystemFailure) {
        let type = Int32(SOCK_RAW.rawValue) | O_CLOEXEC | (isBlocking ? 0 : O_NONBLOCK)
        let number = socket(AF_BLUETOOTH, type, BTPROTO_HCI)
        guard number >= 0 else { throw SystemFailure(call: "socket", code: errno) }
        descriptor = Descriptor(owning: number)
        self.adapter = adapter
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
        let socket = try HCISocket(adapter: noAdapter, isBlocking: false)
        try socket.listen(to: [HCI_EVENT_PKT], events: [EVT_STACK_INTERNAL])
        return socket
    }

    /// Gives the reports of an adapter, and the commands that others send to it.
    static func reports(adapter: UInt16) throws(SystemFailure) -> HCISocket {
        let socket = try HCISocket(adapter: adapter, isBlocking: false)
        // The first needs CAP_NET_ADMIN, the second gives what the system's limit allows.
        if socket.set(SO_RCVBUFFORCE, to: receiveBuffer) != 0 {
            _ = socket.set(SO_RCVBUF, to: receiveBuffer)
        }
        try socket.listen(
            to: [HCI_EVENT_PKT, HCI_COMMAND_PKT],
            events: [EVT_LE_META_EVENT, EVT_CMD_COMPLETE, EVT_CMD_STATUS, EVT_HARDWARE_ERROR])
        return socket
    }

    /// Takes commands for an adapter.
    static func commands(adapter: UInt16) throws(SystemFailure) -> HCISocket {
        try HCISocket(adapter: adapter, isBlocking: true)
    }

    /// What to wait on for reading.
    var number: Int32 { descriptor.number }

    /// Reads one packet into the start of `buffer`.
    func read(into buffer: inout [UInt8]) -> Descriptor.ReadOutcome {
        descriptor.read(into: &buffer)
    }

    /// Switches the adapter on and returns whether it was off. Asking although it is on is worth
    /// it: that keeps the kernel from switching a new adapter off again after two seconds.
    func switchOn() throws(SystemFailure) -> Bool {
        if cbluez_up(number, Int32(adapter)) == 0 { return true }
        guard errno == EALREADY else { throw SystemFailure(call: "HCIDEVUP", code: errno) }
        return false
    }

    /// Switches the adapter off, which also makes it forget which scan commands it was given.
    func switchOff() throws(SystemFailure) {
        if cbluez_down(number, Int32(adapter)) < 0 {
            throw SystemFailure(call: "HCIDEVDOWN", code: errno)
        }
    }

    /// Sends a command and waits for its answer, up to a second: the status and at most
    /// `answerLength` bytes behind it.
    func request(_ command: HCICommand, answerLength: Int = 0) throws(SystemFailure) -> (
        status: UInt8, answer: [UInt8]
    ) {
        var parameters = command.parameters
        var answer = [UInt8](repeating: 0, count: answerLength + 1)
        var length = 0
        let result = parameters.withUnsafeMutableBytes { parameters in
            answer.withUnsafeMutableBytes { answer in
                var request = hci_request()
                request.ogf = command.group
                request.ocf = command.number
                request.cparam = parameters.baseAddress
                request.clen = Int32(parameters.count)
                request.rparam = answer.baseAddress
                request.rlen = Int32(answer.count)
                let result = hci_send_req(number, &request, Self.patience)
                length = Int(request.rlen)
                return result
            }
        }
        guard result >= 0 else {
            throw SystemFailure(call: "command \(hex(command.opcode))", code: errno)
        }
        let status = answer.removeFirst()
        return (status, Array(answer.prefix(max(0, length - 1))))
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

    private func set(_ option: Int32, to value: Int32) -> Int32 {
        var value = value
        return setsockopt(
            number, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}

/// A number as HCI's documents write it.
func hex(_ number: some BinaryInteger) -> String { "0x" + String(number, radix: 16) }
