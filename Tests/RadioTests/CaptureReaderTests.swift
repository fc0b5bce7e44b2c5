import Testing

@testable import Radio
@testable import SiteModel

/// HCI logs of either format give the same packets.
struct CaptureReaderTests {
    /// Everything a reader gives when fed pieces of this length, and how it ended.
    static func read(
        _ bytes: [UInt8], pieces: Int = 1 << 20
    ) -> (packets: [CapturedPacket], error: CaptureError?) {
        var reader = CaptureReader()
        var packets: [CapturedPacket] = []
        do throws(CaptureError) {
            for start in stride(from: 0, to: bytes.count, by: pieces) {
                reader.feed(bytes.span.extracting(start..<min(start + pieces, bytes.count)))
                while let packet = try reader.next() { packets.append(packet) }
            }
            try reader.end()
        } catch {
            return (packets, error)
        }
        return (packets, nil)
    }

    /// A pcap file of packets at 1,700,000,000.25 s, each behind `prefix`.
    static func pcap(
        _ packets: [[UInt8]], linkType: UInt32, isLittleEndian: Bool = true,
        isInNanoseconds: Bool = false, prefix: [UInt8] = []
    ) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] {
            let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
            return isLittleEndian ? bytes.reversed() : bytes
        }
        let header =
            number(isInNanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4) + [UInt8](repeating: 0, count: 12)
            + number(65_535) + number(linkType)
        return packets.reduce(into: header) { bytes, packet in
            let length = number(UInt32(packet.count + prefix.count))
            bytes += number(1_700_000_000) + number(isInNanoseconds ? 250_000_000 : 250_000)
            bytes += length + length + prefix + packet
        }
    }

    static let at = Timestamp(milliseconds: 1_700_000_000_250)

    @Test(arguments: [true, false], [true, false])
    func `pcap in every byte order and resolution`(isLittleEndian: Bool, isInNanoseconds: Bool) {
        let file = Self.pcap(
            [Recording.report, Recording.report], linkType: 187, isLittleEndian: isLittleEndian,
            isInNanoseconds: isInNanoseconds)
        for pieces in [1, 7, 1000] {
            let (packets, error) = Self.read(file, pieces: pieces)
            #expect(error == nil)
            #expect(packets.map(\.bytes) == [Recording.report, Recording.report])
            #expect(packets.allSatisfy { $0.at == Self.at && $0.isReceived })
        }
    }

    @Test func `link type 201 tells the direction`() {
        for (prefix, isReceived) in [([0, 0, 0, 0], false), ([0, 0, 0, 1], true)]
            as [([UInt8], Bool)]
        {
            let file = Self.pcap([Recording.report], linkType: 201, prefix: prefix)
            let packets = Self.read(file).packets
            #expect(packets.map(\.bytes) == [Recording.report])
            #expect(packets.map(\.isReceived) == [isReceived])
        }
        #expect(Self.read(Self.pcap([[1, 2]], linkType: 201)).packets.map(\.bytes) == [[]])
    }

    @Test func `btsnoop gives what the host sent too`() {
        let file =
            BTSnoopWriter.header
            + BTSnoopWriter.record(
                of: Recording.command, at: Recording.start, isReceived: false)
            + BTSnoopWriter.record(of: Recording.report, at: Recording.start)
        let (packets, error) = Self.read(file, pieces: 3)
        #expect(error == nil)
        #expect(packets.map(\.bytes) == [Recording.command, Recording.report])
        #expect(packets.map(\.isReceived) == [false, true])
    }

    @Test func `cut anywhere, what was complete is given`() {
        let file = Self.pcap([Recording.report, Recording.report], linkType: 187)
        let length = 16 + Recording.report.count
        for cut in file.indices {
            let (packets, error) = Self.read(Array(file[..<cut]))
            let complete = max(0, (cut - 24) / length)
            #expect(packets.count == complete)
            let isBetween = cut >= 24 && (cut - 24).isMultiple(of: length)
            let offset = cut < 24 ? 0 : 24 + complete * length
            let expected: CaptureError? = cut < 4 ? .unknownFormat : .truncated(offset: offset)
            #expect(error == (isBetween ? nil : expected), "at \(cut)")
        }
    }

    @Test func `what is neither is refused, with its kind where it has one`() {
        #expect(Self.read(Array("#!/bin/sh\n".utf8)).error == .unknownFormat)
        #expect(Self.read([0x0A, 0x0D, 0x0D, 0x0A, 1]).error == .truncated(offset: 0))
        #expect(Self.read(Self.pcap([], linkType: 1)).error == .unsupportedLinkType(1))
        let whole = BTSnoopWriter.header.dropLast() + [0xFF]
        #expect(Self.read(Array(whole)).error == .btsnoop(.unsupportedDatalink(0x03FF)))
        var long = Self.pcap([Recording.report], linkType: 187)
        long[24 + 11] = 0xFF
        #expect(Self.read(long).error == .oversizeRecord(offset: 24))
    }

    @Test func `no flipped byte does harm`() {
        let whole = Self.pcap([Recording.report, Recording.report], linkType: 201)
        for index in whole.indices {
            for value in [0x00, 0x01, 0x7F, 0x80, 0xFF] as [UInt8] {
                var bytes = whole
                bytes[index] = value
                #expect(Self.read(bytes).packets.count <= 2)
            }
        }
    }

    @Test func `link type 254 tells what each record is`() {
        let event = Array(Recording.report.dropFirst())
        let file = Self.pcap(
            [
                [0, 0, 0, 3] + event, [0, 0, 0, 0] + [1, 2, 3], [0, 1, 0, 2] + [0x0C, 0x20, 0],
                [0, 0, 0], [], [0, 0, 0, 3] + event,
            ], linkType: 254)
        for pieces in [1, 7, 1000] {
            let (packets, error) = Self.read(file, pieces: pieces)
            #expect(error == nil)
            #expect(
                packets.map(\.bytes) == [
                    Recording.report, [0x01, 0x0C, 0x20, 0], Recording.report,
                ])
            #expect(packets.map(\.isReceived) == [true, false, true])
        }
    }
}
