import Testing

@testable import Radio
@testable import SiteModel

/// pcapng as Wireshark writes it, in either order of bytes, and what no program writes.
struct PcapngReaderTests {
    /// A file of blocks.
    struct File {
        var isLittleEndian = true
        var bytes: [UInt8] = []

        func number(_ value: UInt64, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
            return isLittleEndian ? bytes : bytes.reversed()
        }

        mutating func block(_ type: UInt64, _ body: [UInt8]) {
            let padded = body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
            let length = number(UInt64(padded.count + 12), 4)
            bytes += number(type, 4) + length + padded + length
        }

        mutating func section() {
            block(
                0x0A0D_0D0A,
                number(0x1A2B_3C4D, 4) + number(1, 2) + number(0, 2) + number(.max, 8))
        }

        mutating func interface(_ linkType: UInt64, options: [UInt8] = []) {
            block(1, number(linkType, 2) + number(0, 2) + number(65_535, 4) + options)
        }

        mutating func packet(
            _ packet: [UInt8], at ticks: UInt64, interface: UInt64 = 0, options: [UInt8] = []
        ) {
            let padding = [UInt8](repeating: 0, count: (4 - packet.count % 4) % 4)
            let length = number(UInt64(packet.count), 4)
            block(
                6,
                number(interface, 4) + number(ticks >> 32, 4) + number(ticks & 0xFFFF_FFFF, 4)
                    + length + length + packet + padding + options)
        }

        init(isLittleEndian: Bool = true) {
            self.isLittleEndian = isLittleEndian
            section()
        }
    }

    static let moment: UInt64 = 1_700_000_000_250
    private let report = [0, 0, 0, 1] + Recording.report
    private let at = Timestamp(milliseconds: Int64(moment))

    @Test(arguments: [true, false]) func `packets come with time and direction`(isLittle: Bool) {
        var file = File(isLittleEndian: isLittle)
        file.interface(201)
        file.packet(report, at: Self.moment * 1000)
        file.block(5, [1, 2, 3, 4, 5, 6, 7])
        file.block(0x0BAD, [UInt8](repeating: 7, count: 4001))
        file.packet(
            [0, 0, 0, 0] + Recording.command, at: Self.moment * 1000, options: [1, 0, 0, 0])
        for pieces in [1, 7, 1000, 100_000] {
            let (packets, error) = CaptureReaderTests.read(file.bytes, pieces: pieces)
            #expect(error == nil)
            #expect(packets.map(\.bytes) == [Recording.report, Recording.command])
            #expect(packets.map(\.isReceived) == [true, false])
            #expect(packets.allSatisfy { $0.at == at })
        }
    }

    /// Unit, ticks, and what comes of it in ms.
    @Test(
        arguments: [
            (3, moment, moment), (9, moment * 1_000_000, moment),
            (0, 1_700_000_000, 1_700_000_000_000), (0x80, 1_700_000_000, 1_700_000_000_000),
            (0x8A, 1024 * 1_700_000_000, 1_700_000_000_000),
            (0x7F, .max, 0), (0xFF, .max, 0), (0, .max, 9_000_000_000_000_000),
        ] as [(UInt8, UInt64, UInt64)])
    func `an interface says in what its time counts`(unit: UInt8, ticks: UInt64, result: UInt64) {
        var file = File()
        file.interface(201, options: file.number(9, 2) + file.number(1, 2) + [unit, 0, 0, 0])
        file.packet(report, at: ticks)
        let packets = CaptureReaderTests.read(file.bytes).packets
        #expect(packets.map(\.at) == [Timestamp(milliseconds: Int64(result))])
    }

    @Test(
        arguments: [(3600, 3_600_250), (-3600, -3_599_750), (.max, 250), (.min, 250)]
            as [(Int64, Int64)])
    func `an offset of time counts, as far as there are numbers`(offset: Int64, result: Int64) {
        var file = File()
        file.interface(
            187,
            options: file.number(14, 2) + file.number(8, 2)
                + file.number(UInt64(bitPattern: offset), 8) + [0, 0, 0, 0])
        file.packet(Recording.report, at: 250_000)
        let packets = CaptureReaderTests.read(file.bytes).packets
        #expect(packets.map(\.at) == [Timestamp(milliseconds: result)])
    }

    @Test func `blocks of other kinds of packets are read too, each in its section`() {
        var file = File()
        file.interface(187)
        let length = file.number(UInt64(Recording.report.count), 4)
        file.block(3, length + Recording.report)
        file.block(
            2,
            file.number(0, 2) + file.number(0, 2) + file.number(0, 4) + file.number(250_000, 4)
                + length + length + Recording.report)
        var second = File(isLittleEndian: false)
        second.interface(254)
        second.packet([0, 0, 0, 3] + Array(Recording.report.dropFirst()), at: 0)
        let (packets, error) = CaptureReaderTests.read(file.bytes + second.bytes, pieces: 5)
        #expect(error == nil)
        #expect(packets.map(\.bytes) == [Recording.report, Recording.report, Recording.report])
    }

    @Test func `what else was recorded beside an adapter is passed over`() {
        var file = File()
        file.interface(1)
        file.interface(201)
        file.packet([1, 2, 3], at: 0)
        file.packet(report, at: 0, interface: 1)
        let (packets, error) = CaptureReaderTests.read(file.bytes)
        #expect(error == nil && packets.map(\.bytes) == [Recording.report])
        var sniffer = File()
        sniffer.interface(272)
        sniffer.packet([1, 2, 3], at: 0)
        #expect(CaptureReaderTests.read(sniffer.bytes).error == .unsupportedLinkType(272))
        #expect("\(CaptureError.unsupportedLinkType(272))".contains("sniffer"))
    }

    @Test func `cut anywhere, what was complete is given`() {
        var file = File()
        file.interface(201)
        let head = file.bytes.count
        file.packet(report, at: 0)
        let length = file.bytes.count - head
        file.packet(report, at: 0)
        for cut in file.bytes.indices.dropFirst(4) {
            let (packets, error) = CaptureReaderTests.read(Array(file.bytes[..<cut]))
            #expect(packets.count == max(0, (cut - head) / length), "at \(cut)")
            let isBetween = cut == 28 || cut >= head && (cut - head).isMultiple(of: length)
            #expect((error == nil) == isBetween, "at \(cut)")
        }
    }

    @Test func `lengths that cannot be are named, with the block`() {
        var file = File()
        file.interface(201)
        let place = file.bytes.count
        file.packet(report, at: 0)
        let whole = file.bytes
        func error(_ index: Int, _ value: UInt8) -> CaptureError? {
            var bytes = whole
            bytes[index] = value
            return CaptureReaderTests.read(bytes).error
        }
        // The block's length: no multiple of four, too short, too long; and the one at its end.
        #expect(error(place + 4, 0x51) == .oversizeRecord(offset: place))
        #expect(error(place + 4, 8) == .oversizeRecord(offset: place))
        #expect(error(place + 7, 0x40) == .oversizeRecord(offset: place))
        #expect(error(whole.count - 1, 1) == .damagedBlock(offset: place))
        // The packet's: beyond its block, beyond any packet; an interface there is not.
        #expect(error(place + 20, 0xF0) == .damagedBlock(offset: place))
        #expect(error(place + 23, 0xFF) == .oversizeRecord(offset: place))
        #expect(error(place + 8, 1) == .damagedBlock(offset: place))
        #expect(error(8, 0) == .damagedBlock(offset: 0))
        // A block nobody looks into may be as long as it likes; then the file ends in it.
        #expect(error(place, 0x0A) == nil)
        var endless = whole
        endless.replaceSubrange(place..<place + 8, with: [0x0A, 0, 0, 0, 0xFC, 0xFF, 0xFF, 0xFF])
        #expect(CaptureReaderTests.read(endless).error == .truncated(offset: place))
    }

    @Test func `no flipped byte does harm`() {
        var file = File()
        file.interface(201, options: [9, 0, 1, 0, 9, 0, 0, 0, 14, 0, 8, 0] + file.number(7, 8))
        file.packet(report, at: Self.moment)
        file.packet(report, at: Self.moment)
        for index in file.bytes.indices {
            for value in [0x00, 0x01, 0x7F, 0x80, 0xFF] as [UInt8] {
                var bytes = file.bytes
                bytes[index] = value
                #expect(CaptureReaderTests.read(bytes).packets.count <= 2)
            }
        }
    }
}
