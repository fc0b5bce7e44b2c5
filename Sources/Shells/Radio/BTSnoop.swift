import SiteModel

/// The btsnoop format (RFC 1761 with Bluetooth's datalinks): `btsnoop` and a NUL, version 4, datalink
/// 4; then records of original length 4, length 4, flags 4, drops 4, time 8, packet. All numbers are
/// big-endian.
enum BTSnoop {
    static let magic: [UInt8] = [0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0x00]
    static let version: UInt32 = 1
    static let headerLength = 16
    static let recordHeaderLength = 24
    /// Bare packets; the flags say of which type.
    static let bareDatalink: UInt32 = 1001
    /// Packets behind the type byte of H4.
    static let h4Datalink: UInt32 = 1002
    /// Packets of all adapters as `btmon -w` writes them; the flags are the adapter's number and a code.
    static let monitorDatalink: UInt32 = 2001
    /// The longest packet HCI knows: ACL data of 65,535 bytes with its header and type.
    static let longestPacket = 65_540
    /// 1970-01-01 in microseconds since the year 0, btsnoop's epoch.
    private static let unixEpoch: Int64 = 0x00DC_DDB3_0F2F_8000

    /// A record's time. Times beyond what 64 bits can hold become the nearest that they can.
    static func timestamp(microseconds: Int64) -> Timestamp {
        let (sinceUnix, isOverflown) = microseconds.subtractingReportingOverflow(unixEpoch)
        return Timestamp(milliseconds: (isOverflown ? Int64.min : sinceUnix) / 1000)
    }

    /// A moment as a record holds it. Moments beyond what 64 bits can hold become the nearest.
    static func microseconds(_ moment: Timestamp) -> Int64 {
        let (scaled, isOverflown) = moment.milliseconds.multipliedReportingOverflow(by: 1000)
        let nearest = moment.milliseconds < 0 ? Int64.min : Int64.max
        if isOverflown { return nearest }
        let (sum, isTooLate) = scaled.addingReportingOverflow(unixEpoch)
        return isTooLate ? nearest : sum
    }
}

/// Why a recording cannot be read on.
package enum BTSnoopError: Error, Equatable, CustomStringConvertible {
    /// The header is not that of btsnoop version 1.
    case notBTSnoop
    /// The packets are of a kind we do not read.
    case unsupportedDatalink(UInt32)
    /// The recording ends inside the record, or header, that begins at this byte.
    case truncated(offset: Int)
    /// The record that begins at this byte claims more than any HCI packet holds.
    case oversizeRecord(offset: Int)

    /// The fault in words.
    package var description: String {
        switch self {
        case .notBTSnoop: "not a btsnoop recording of version 1 (byte 0)"
        case .unsupportedDatalink(let type):
            "btsnoop datalink \(type) at byte 12 is not supported: expected 1001, 1002 or 2001"
        case .truncated(let offset): "cut off in what begins at byte \(offset)"
        case .oversizeRecord(let offset): "impossible length in the record at byte \(offset)"
        }
    }
}

/// Reads a btsnoop recording piece by piece, however it is cut into pieces.
package struct BTSnoopReader: Sendable {
    /// One packet that the controller sent to the host.
    package struct Record: Equatable, Sendable {
        package var at: Timestamp
        /// The packet, from the H4 type byte on.
        package var packet: [UInt8]

        package init(at: Timestamp, packet: [UInt8]) {
            self.at = at
            self.packet = packet
        }
    }

    /// Where the next record begins, in bytes from the start of the recording.
    package private(set) var offset = 0
    /// Packets passed over because the host sent them to the controller.
    package private(set) var sent = 0

    /// Bytes fed; those before `start` are done with.
    private var bytes: [UInt8] = []
    private var start = 0
    /// `nil` until the header was read.
    private var datalink: UInt32?

    /// Stands before the header.
    package init() {}

    /// Adds what was read next.
    package mutating func feed(_ more: Span<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.reserveCapacity(bytes.count + more.count)
        for index in more.indices { bytes.append(more[index]) }
    }

    /// The next packet the controller sent, or `nil` when it takes more bytes to tell. Once it has
    /// thrown, it throws the same again.
    package mutating func next() throws(BTSnoopError) -> Record? {
        while let packet = try nextOfBoth() {
            if packet.isReceived { return Record(at: packet.at, packet: packet.bytes) }
            sent += 1
        }
        return nil
    }

    /// The next packet of either direction; otherwise like `next`.
    mutating func nextOfBoth() throws(BTSnoopError) -> CapturedPacket? {
        guard let datalink = try readHeader() else { return nil }
        while bytes.count - start >= BTSnoop.recordHeaderLength {
            let length = number32(at: 4)
            guard length <= BTSnoop.longestPacket else { throw .oversizeRecord(offset: offset) }
            let end = BTSnoop.recordHeaderLength + Int(length)
            guard bytes.count - start >= end else { return nil }
            let flags = number32(at: 8)
            let time = UInt64(number32(at: 16)) << 32 | UInt64(number32(at: 20))
            let packet = bytes[start + BTSnoop.recordHeaderLength..<start + end]
            start += end
            offset += end
            let at = BTSnoop.timestamp(microseconds: Int64(bitPattern: time))
            if let found = Self.packet(packet, flags: flags, at: at, datalink) { return found }
        }
        return nil
    }

    /// The packet of a record, or `nil` if it is none.
    private static func packet(
        _ packet: ArraySlice<UInt8>, flags: UInt32, at: Timestamp, _ datalink: UInt32
    ) -> CapturedPacket? {
        let isReceived = flags & 1 == 1
        switch datalink {
        case BTSnoop.monitorDatalink:
            return MonitorCode.packet(UInt16(truncatingIfNeeded: flags), packet, at: at)
        case BTSnoop.bareDatalink:
            // Bit 1 tells commands and events from data, and data without a type can only be ACL.
            let type: UInt8 = flags & 2 == 0 ? 0x02 : isReceived ? 0x04 : 0x01
            return CapturedPacket(at: at, bytes: [type] + packet, isReceived: isReceived)
        default:
            return CapturedPacket(at: at, bytes: Array(packet), isReceived: isReceived)
        }
    }

    /// Says what is wrong with a recording that ends here, after `next` has returned `nil`.
    ///
    /// - Throws: `.truncated` with the byte at which what is cut off begins.
    package func end() throws(BTSnoopError) {
        if datalink == nil || start < bytes.count { throw .truncated(offset: offset) }
    }

    private mutating func readHeader() throws(BTSnoopError) -> UInt32? {
        if let datalink { return datalink }
        guard bytes.starts(with: BTSnoop.magic.prefix(bytes.count)) else { throw .notBTSnoop }
        guard bytes.count >= BTSnoop.headerLength else { return nil }
        guard number32(at: 8) == BTSnoop.version else { throw .notBTSnoop }
        let type = number32(at: 12)
        guard [BTSnoop.h4Datalink, BTSnoop.bareDatalink, BTSnoop.monitorDatalink].contains(type)
        else {
            throw .unsupportedDatalink(type)
        }
        datalink = type
        start = BTSnoop.headerLength
        offset = BTSnoop.headerLength
        return type
    }

    /// Four big-endian bytes, counted from `start`.
    private func number32(at index: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[start + index + $1]) }
    }
}

/// Writes a btsnoop recording of H4 packets: the header once, then a record a packet.
package enum BTSnoopWriter {
    /// What a recording begins with.
    package static var header: [UInt8] {
        BTSnoop.magic + bigEndian(BTSnoop.version) + bigEndian(BTSnoop.h4Datalink)
    }

    /// The record of one H4 packet of at most 65,540 bytes; `isReceived` says that the controller
    /// sent it to the host.
    package static func record(
        of packet: [UInt8], at moment: Timestamp, isReceived: Bool = true
    ) -> [UInt8] {
        precondition(packet.count <= BTSnoop.longestPacket, "longer than any HCI packet")
        let length = bigEndian(UInt32(packet.count))
        // Commands and events have bit 1, data has not.
        let isMessage = packet.first == 0x01 || packet.first == 0x04
        let flags = (isReceived ? 1 : 0) | (isMessage ? 2 : 0) as UInt32
        let time = UInt64(bitPattern: BTSnoop.microseconds(moment))
        return length + length + bigEndian(flags) + bigEndian(0)
            + bigEndian(UInt32(truncatingIfNeeded: time >> 32))
            + bigEndian(UInt32(truncatingIfNeeded: time)) + packet
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
