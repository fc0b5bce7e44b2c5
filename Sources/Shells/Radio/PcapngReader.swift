import SiteModel

/// Reads the pcapng format (draft-ietf-opsawg-pcapng), what Wireshark saves unless told otherwise:
/// blocks of type 4, length 4, body, length 4 again. A section tells the order of bytes, an
/// interface its link type and its unit of time. All but packets is passed over.
struct PcapngReader: Sendable {
    /// The type of a section's header, the same in either order of bytes.
    static let magic: [UInt8] = [0x0A, 0x0D, 0x0D, 0x0A]

    private static let section: UInt32 = 0x0A0D_0D0A
    private static let description: UInt32 = 1
    private static let oldPacket: UInt32 = 2
    private static let simplePacket: UInt32 = 3
    private static let packet: UInt32 = 6
    /// The shortest block: type, length, length.
    private static let leastBlock = 12
    /// The longest block that is looked into: a packet with many comments.
    private static let longestBlock = 1 << 20
    /// The most interfaces of a section.
    private static let mostInterfaces = 256

    /// Where packets come from.
    private struct Interface: Sendable {
        /// No moment is farther from 1970, in ms, so that differences can be computed.
        private static let farthest: Int64 = 9_000_000_000_000_000

        var linkType: UInt32
        /// The most bytes of a packet that were kept; 0 for all.
        var most: Int
        /// The unit of time: 10 to the minus n, or, with the top bit, 2 to the minus n seconds.
        var resolution: UInt8 = 6
        /// What is added to each time, in seconds.
        var offset: Int64 = 0

        /// `nil` if packets of this kind are not read.
        var link: CaptureLink? { CaptureLink(rawValue: linkType) }

        /// A moment in units of this interface.
        func moment(_ ticks: UInt64) -> Timestamp {
            let power = UInt128(resolution & 0x7F)
            var milliseconds = UInt128(ticks) * 1000
            if resolution & 0x80 != 0 {
                milliseconds >>= power
            } else {
                for _ in 0..<power where milliseconds > 0 { milliseconds /= 10 }
            }
            let (base, isFar) = offset.multipliedReportingOverflow(by: 1000)
            let (sum, isFarther) = Int64(clamping: milliseconds)
                .addingReportingOverflow(isFar ? 0 : base)
            return Timestamp(
                milliseconds: isFarther ? 0 : min(max(sum, -Self.farthest), Self.farthest))
        }
    }

    private var isLittleEndian = true
    /// Of the section under way.
    private var interfaces: [Interface] = []
    /// Bytes fed; those before `start` are done with.
    private var bytes: [UInt8] = []
    private var start = 0
    /// Where the block under way begins in the file.
    private var offset = 0
    /// How much of a block that is passed over is still to come, and how long it is.
    private var rest = 0
    private var passed = 0
    /// When the latest packet with a time was: some have none.
    private var latest = Timestamp(milliseconds: 0)

    /// Adds what was read next, the magic included.
    mutating func feed(_ more: Span<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.reserveCapacity(bytes.count + more.count)
        for index in more.indices { bytes.append(more[index]) }
    }

    /// The next packet, or `nil` when it takes more bytes to tell. Once it has thrown, it throws
    /// the same again.
    mutating func next() throws(CaptureError) -> CapturedPacket? {
        while isPassed(), bytes.count - start >= Self.leastBlock {
            let type = number32(at: 0)
            if type == Self.section { try readOrder() }
            let length = Int(number32(at: 4))
            guard length >= Self.leastBlock, length.isMultiple(of: 4) else {
                throw .oversizeRecord(offset: offset)
            }
            let isRead = [
                Self.section, Self.description, Self.oldPacket, Self.simplePacket, Self.packet,
            ].contains(type)
            guard isRead else {
                (rest, passed) = (length, length)
                continue
            }
            guard length <= Self.longestBlock else { throw .oversizeRecord(offset: offset) }
            guard bytes.count - start >= length else { return nil }
            guard number32(at: length - 4) == UInt32(length) else {
                throw .damagedBlock(offset: offset)
            }
            let found = try read(type, length)
            start += length
            offset += length
            if let found { return found }
        }
        return nil
    }

    /// Says what is wrong with a file that ends here, after `next` has returned `nil`.
    func end() throws(CaptureError) {
        if rest > 0 || start < bytes.count { throw .truncated(offset: offset) }
    }

    /// Passes over what there is of a block nobody looks into; `false` if more of it must come.
    private mutating func isPassed() -> Bool {
        guard rest > 0 else { return true }
        let part = min(rest, bytes.count - start)
        start += part
        rest -= part
        guard rest == 0 else { return false }
        offset += passed
        return true
    }

    private mutating func readOrder() throws(CaptureError) {
        switch Array(bytes[start + 8..<start + 12]) {
        case [0x4D, 0x3C, 0x2B, 0x1A]: isLittleEndian = true
        case [0x1A, 0x2B, 0x3C, 0x4D]: isLittleEndian = false
        default: throw .damagedBlock(offset: offset)
        }
    }

    /// Reads a block that is there as a whole.
    private mutating func read(
        _ type: UInt32, _ length: Int
    ) throws(CaptureError) -> CapturedPacket? {
        switch type {
        case Self.section:
            guard length >= 28 else { throw .damagedBlock(offset: offset) }
            interfaces = []
            return nil
        case Self.description:
            try describe(length)
            return nil
        case Self.simplePacket:
            guard length >= 16, let interface = interfaces.first else {
                throw .damagedBlock(offset: offset)
            }
            let original = Int(number32(at: 8))
            let count = interface.most > 0 ? min(original, interface.most) : original
            return try packet(count, at: 12, before: length - 4, of: interface)
        default:
            guard length >= 32 else { throw .damagedBlock(offset: offset) }
            let index = type == Self.packet ? Int(number32(at: 8)) : number16(at: 8)
            guard interfaces.indices.contains(index) else { throw .damagedBlock(offset: offset) }
            latest = interfaces[index].moment(
                UInt64(number32(at: 12)) << 32 | UInt64(number32(at: 16)))
            return try packet(
                Int(number32(at: 20)), at: 28, before: length - 4, of: interfaces[index])
        }
    }

    /// The packet of so many bytes at a place of the block, all of them before `end`.
    private func packet(
        _ count: Int, at place: Int, before end: Int, of interface: Interface
    ) throws(CaptureError) -> CapturedPacket? {
        guard count <= BTSnoop.longestPacket + 4 else { throw .oversizeRecord(offset: offset) }
        guard place + count <= end else { throw .damagedBlock(offset: offset) }
        guard let link = interface.link else {
            // Others may have been recorded beside an adapter; without one there is nothing.
            guard interfaces.contains(where: { $0.link != nil }) else {
                throw .unsupportedLinkType(interface.linkType)
            }
            return nil
        }
        return link.packet(in: bytes[start + place..<start + place + count], at: latest)
    }

    /// Takes in an interface: link type 2, reserved 2, length of packets 4, options.
    private mutating func describe(_ length: Int) throws(CaptureError) {
        guard length >= 20, interfaces.count < Self.mostInterfaces else {
            throw .damagedBlock(offset: offset)
        }
        var interface = Interface(
            linkType: UInt32(number16(at: 8)), most: Int(number32(at: 12)))
        var place = 16
        while place + 4 <= length - 4 {
            let (code, count) = (number16(at: place), number16(at: place + 2))
            guard code != 0 else { break }
            guard place + 4 + count <= length - 4 else { throw .damagedBlock(offset: offset) }
            if code == 9, count == 1 { interface.resolution = bytes[start + place + 4] }
            if code == 14, count == 8 {
                interface.offset = Int64(bitPattern: number64(at: place + 4))
            }
            place += 4 + (count + 3) / 4 * 4
        }
        interfaces.append(interface)
    }

    /// Numbers in the section's order, counted from `start`.
    private func number16(at index: Int) -> Int {
        let (first, second) = (Int(bytes[start + index]), Int(bytes[start + index + 1]))
        return isLittleEndian ? second << 8 | first : first << 8 | second
    }

    private func number32(at index: Int) -> UInt32 {
        let bigEndian = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[start + index + $1]) }
        return isLittleEndian ? bigEndian.byteSwapped : bigEndian
    }

    private func number64(at index: Int) -> UInt64 {
        let (first, second) = (UInt64(number32(at: index)), UInt64(number32(at: index + 4)))
        return isLittleEndian ? second << 32 | first : first << 32 | second
    }
}
