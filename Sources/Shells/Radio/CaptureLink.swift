import SiteModel

/// How the packets of a pcap or pcapng file are wrapped: the link types that are read.
enum CaptureLink: UInt32, Sendable {
    /// Behind the type byte of H4.
    case h4 = 187
    /// The same behind four big-endian bytes, 0 if the host sent it.
    case h4WithDirection = 201
    /// Bare, behind the adapter's number and what it is, two big-endian bytes each: what Linux
    /// tells of all adapters.
    case linuxMonitor = 254

    /// The packet in the bytes of a record, or `nil` if it is no packet.
    func packet(in bytes: ArraySlice<UInt8>, at moment: Timestamp) -> CapturedPacket? {
        switch self {
        case .h4:
            return CapturedPacket(at: moment, bytes: Array(bytes), isReceived: true)
        case .h4WithDirection:
            return CapturedPacket(
                at: moment, bytes: Array(bytes.dropFirst(4)),
                isReceived: bytes.prefix(4) != [0, 0, 0, 0])
        case .linuxMonitor:
            guard bytes.count >= 4 else { return nil }
            let place = bytes.startIndex + 2
            let code = UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
            return MonitorCode.packet(code, bytes.dropFirst(4), at: moment)
        }
    }
}

/// What Linux calls the records of its monitor (BlueZ, `doc/btmon.rst`; `src/shared/btsnoop.h`).
enum MonitorCode {
    /// The packet of a record, or `nil` for what is none: adapters that come and go, their names,
    /// words of programs.
    static func packet(
        _ code: UInt16, _ bytes: ArraySlice<UInt8>, at moment: Timestamp
    ) -> CapturedPacket? {
        let type: UInt8
        switch code {
        case 2: type = 0x01
        case 3: type = 0x04
        case 4, 5: type = 0x02
        case 6, 7: type = 0x03
        case 18, 19: type = 0x05
        default: return nil
        }
        // Commands go down and events come up; of data the odd ones come up.
        return CapturedPacket(
            at: moment, bytes: [type] + bytes, isReceived: code % 2 == 1)
    }
}
