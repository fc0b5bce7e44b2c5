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

    /// The fault in words.
    package var description: String {
        switch self {
        case .unknownFormat: "neither btsnoop nor pcap (byte 0)"
        case .btsnoop(let error): error.description
        case .unsupportedLinkType(let type):
            "pcap link type \(type) at byte 20 is not supported: expected 187 or 201"
        case .truncated(let offset): "cut off in what begins at byte \(offset)"
        case .oversizeRecord(let offset): "impossible length in the record at byte \(offset)"
        }
    }
}

/// Reads an HCI log piece by piece, however it is cut into pieces: btsnoop or pcap, told by the
/// first bytes.
package struct CaptureReader: Sendable {
    private enum Format: Sendable {
        /// Not told yet; these are the bytes so far.
        case open([UInt8])
        case btsnoop(BTSnoopReader)
        case pcap(PcapReader)
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
        }
    }

    private static func format(of bytes: [UInt8]) -> Format {
        guard bytes.count >= 4 else { return .open(bytes) }
        if bytes.starts(with: BTSnoop.magic.prefix(4)) {
            var reader = BTSnoopReader()
            reader.feed(bytes.span)
            return .btsnoop(reader)
        }
        guard var reader = PcapReader(magic: bytes.prefix(4)) else { return .open(bytes) }
        reader.feed(bytes.span)
        return .pcap(reader)
    }
}
