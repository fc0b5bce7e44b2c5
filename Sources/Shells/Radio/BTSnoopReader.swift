import SiteModel

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
        guard bytes.count - start >= BTSnoop.recordHeaderLength else { return nil }
        let length = number32(at: 4)
        guard length <= BTSnoop.longestPacket else { throw .oversizeRecord(offset: offset) }
        let end = BTSnoop.recordHeaderLength + Int(length)
        guard bytes.count - start >= end else { return nil }
        let flags = number32(at: 8)
        let time = UInt64(number32(at: 16)) << 32 | UInt64(number32(at: 20))
        let packet = bytes[start + BTSnoop.recordHeaderLength..<start + end]
        start += end
        offset += end
        let isReceived = flags & 1 == 1
        let at = BTSnoop.timestamp(microseconds: Int64(bitPattern: time))
        guard datalink == BTSnoop.bareDatalink else {
            return CapturedPacket(at: at, bytes: Array(packet), isReceived: isReceived)
        }
        // Bit 1 tells commands and events from data, and data without a type can only be ACL.
        let type: UInt8 = flags & 2 == 0 ? 0x02 : isReceived ? 0x04 : 0x01
        return CapturedPacket(at: at, bytes: [type] + packet, isReceived: isReceived)
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
        guard type == BTSnoop.h4Datalink || type == BTSnoop.bareDatalink else {
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
