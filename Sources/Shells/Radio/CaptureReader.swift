import SiteModel

/// One packet of an HCI log, in either direction.
package struct CapturedPacket: Equatable, Sendable {
    /// When it was recorded.
    package var at: Timestamp
    /// The packet, from the H4 type byte on.
    package var bytes: [UInt8]
    /// Whether the controller sent it to the host.
    package var isReceived: Bool
}

/// Why an HCI log cannot be read on.
package enum CaptureError: Error, Equatable, CustomStringConvertible {
    /// It begins like none of the formats.
    case unknownFormat
    /// A fault of a btsnoop file.
    case btsnoop(BTSnoopError)
    /// The packets of a pcap file are of a kind we do not read.
    case unsupportedLinkType(UInt32)
    /// The pcap file ends inside the record, or header, that begins at this byte.
    case truncated(offset: Int)
    /// The record of a pcap file that begins at this byte claims more than any HCI packet holds.
    case oversizeRecord(offset: Int)
    /// A block of a pcapng file contradicts itself; it begins at this byte.
    case damagedBlock(offset: Int)

    /// The fault in words.
    package var description: String {
        switch self {
        case .unknownFormat: "neither btsnoop nor pcap nor pcapng (byte 0)"
        case .btsnoop(let error): error.description
        case .unsupportedLinkType(let type):
            "link type \(type) is not supported: expected 187, 201 or 254"
                + ([251, 256, 272].contains(type)
                    ? ", which is what btmon, tcpdump and Wireshark record at an adapter; this is a"
                        + " sniffer's" : "")
        case .truncated(let offset): "cut off in what begins at byte \(offset)"
        case .oversizeRecord(let offset): "impossible length in the record at byte \(offset)"
        case .damagedBlock(let offset): "contradictory block at byte \(offset)"
        }
    }
}

/// Reads an HCI log piece by piece, however it is cut into pieces: btsnoop, pcap or pcapng,
/// told by the first bytes.
package struct CaptureReader: Sendable {
    private enum Format: Sendable {
        /// Not told yet; these are the bytes so far.
        case open([UInt8])
        case btsnoop(BTSnoopReader)
        case pcap(PcapReader)
        case pcapng(PcapngReader)
    }

    private var format = Format.open([])

    /// Stands before the header.
    package init() {}

    /// Adds what was read next.
    package mutating func feed(_ more: Span<UInt8>) {
        switch format {
        case .btsnoop(var reader):
            format = .open([])  // So that there is one copy of the bytes only.
            reader.feed(more)
            format = .btsnoop(reader)
        case .pcap(var reader):
            format = .open([])
            reader.feed(more)
            format = .pcap(reader)
        case .pcapng(var reader):
            format = .open([])
            reader.feed(more)
            format = .pcapng(reader)
        case .open(var bytes):
            for index in more.indices { bytes.append(more[index]) }
            format = Self.format(of: bytes)
        }
    }

    /// The next packet, or `nil` when it takes more bytes to tell. Once it has thrown, it throws the
    /// same again.
    package mutating func next() throws(CaptureError) -> CapturedPacket? {
        switch format {
        case .open(let bytes):
            guard bytes.count < 4 else { throw .unknownFormat }
            return nil
        case .btsnoop(var reader):
            format = .open([])
            defer { format = .btsnoop(reader) }
            do throws(BTSnoopError) { return try reader.nextOfBoth() } catch {
                throw .btsnoop(error)
            }
        case .pcap(var reader):
            format = .open([])
            defer { format = .pcap(reader) }
            return try reader.next()
        case .pcapng(var reader):
            format = .open([])
            defer { format = .pcapng(reader) }
            return try reader.next()
        }
    }

    /// Says what is wrong with a log that ends here, after `next` has returned `nil`.
    ///
    /// - Throws: `.unknownFormat` if it never was a log, `.truncated` or `.btsnoop` if it is cut
    ///   off.
    package func end() throws(CaptureError) {
        switch format {
        case .open: throw .unknownFormat
        case .btsnoop(let reader):
            do throws(BTSnoopError) { try reader.end() } catch { throw .btsnoop(error) }
        case .pcap(let reader): try reader.end()
        case .pcapng(let reader): try reader.end()
        }
    }

    private static func format(of bytes: [UInt8]) -> Format {
        guard bytes.count >= 4 else { return .open(bytes) }
        if bytes.starts(with: BTSnoop.magic.prefix(4)) {
            var reader = BTSnoopReader()
            reader.feed(bytes.span)
            return .btsnoop(reader)
        }
        if bytes.starts(with: PcapngReader.magic) {
            var reader = PcapngReader()
            reader.feed(bytes.span)
            return .pcapng(reader)
        }
        guard var reader = PcapReader(magic: bytes.prefix(4)) else { return .open(bytes) }
        reader.feed(bytes.span)
        return .pcap(reader)
    }
}

/// Reads the pcap format (draft-ietf-opsawg-pcap): magic 4, version 4, reserved 8, snapshot length
/// 4, link type 4; then records of seconds 4, fraction 4, captured length 4, original length 4,
/// packet. Numbers are in the byte order of the machine that wrote it.
struct PcapReader: Sendable {
    private static let headerLength = 24
    private static let recordHeaderLength = 16

    private let isLittleEndian: Bool
    /// The fraction of a second counts these.
    private let fractionsPerMillisecond: Int64
    /// Bytes fed; those before `start` are done with.
    private var bytes: [UInt8] = []
    private var start = 0
    /// Where `start` is in the file.
    private var offset = 0
    /// `nil` until the header was read.
    private var link: CaptureLink?

    /// `nil` if a file that begins with these four bytes is no pcap.
    init?(magic: some Sequence<UInt8>) {
        switch Array(magic) {
        case [0xD4, 0xC3, 0xB2, 0xA1]: (isLittleEndian, fractionsPerMillisecond) = (true, 1000)
        case [0xA1, 0xB2, 0xC3, 0xD4]: (isLittleEndian, fractionsPerMillisecond) = (false, 1000)
        case [0x4D, 0x3C, 0xB2, 0xA1]: (isLittleEndian, fractionsPerMillisecond) = (true, 1_000_000)
        case [0xA1, 0xB2, 0x3C, 0x4D]:
            (isLittleEndian, fractionsPerMillisecond) = (false, 1_000_000)
        default: return nil
        }
    }

    /// Adds what was read next, the magic included.
    mutating func feed(_ more: Span<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.reserveCapacity(bytes.count + more.count)
        for index in more.indices { bytes.append(more[index]) }
    }

    /// The next packet, or `nil` when it takes more bytes to tell. Once it has thrown, it throws the
    /// same again.
    mutating func next() throws(CaptureError) -> CapturedPacket? {
        guard let link = try readHeader() else { return nil }
        while bytes.count - start >= Self.recordHeaderLength {
            let length = number32(at: 8)
            guard length <= BTSnoop.longestPacket + 4 else { throw .oversizeRecord(offset: offset) }
            let end = Self.recordHeaderLength + Int(length)
            guard bytes.count - start >= end else { return nil }
            let milliseconds =
                Int64(number32(at: 0)) * 1000 + Int64(number32(at: 4)) / fractionsPerMillisecond
            let record = bytes[start + Self.recordHeaderLength..<start + end]
            start += end
            offset += end
            let at = Timestamp(milliseconds: milliseconds)
            if let packet = link.packet(in: record, at: at) { return packet }
        }
        return nil
    }

    /// Says what is wrong with a file that ends here, after `next` has returned `nil`.
    func end() throws(CaptureError) {
        if link == nil || start < bytes.count { throw .truncated(offset: offset) }
    }

    private mutating func readHeader() throws(CaptureError) -> CaptureLink? {
        if let link { return link }
        guard bytes.count >= Self.headerLength else { return nil }
        // The upper bits may tell the length of a checksum.
        let type = number32(at: 20) & 0xFFFF
        guard let known = CaptureLink(rawValue: type) else { throw .unsupportedLinkType(type) }
        link = known
        start = Self.headerLength
        offset = Self.headerLength
        return known
    }

    /// Four bytes in the file's order, counted from `start`.
    private func number32(at index: Int) -> UInt32 {
        let bigEndian = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[start + index + $1]) }
        return isLittleEndian ? bigEndian.byteSwapped : bigEndian
    }
}
