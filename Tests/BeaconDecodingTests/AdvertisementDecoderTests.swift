import Testing

@testable import BeaconDecoding
@testable import SiteModel

/// Everything the controller says comes out, and a fault spoils no more than it must.
struct AdvertisementDecoderTests {
    typealias Bytes = AdvertisingBytes

    static let good = Bytes.legacy(type: 0x00, data: Bytes.flags, rssi: 0xB5)

    static func legacy(_ count: UInt8, _ records: [UInt8]) -> DecodedPacket {
        DecodingBytes.decoded(events: [Bytes.event(subevent: 0x02, count: count, records)])
    }

    @Test func `an extended report tells set, PHYs, power and interval`() throws {
        var record = Bytes.extended(type: 0x8005, data: Bytes.flags, rssi: 0x7F)
        record.replaceSubrange(
            9..<23, with: [3, 2, 0x0F, 0xF8, 0x7F, 0x50, 0, 1, 6, 5, 4, 3, 2, 0x41])
        let packet = DecodingBytes.decoded(
            events: [Bytes.event(subevent: 0x0D, count: 1, record)])
        let header = try #require(packet.reports.first?.header)
        #expect(header.source == .extended && header.pdu == .extended)
        #expect(header.report.isConnectable && header.report.isDirected)
        #expect(header.extended?.primary == .coded && header.extended?.secondary == .twoMegabit)
        #expect(header.extended?.set == 15 && header.extended?.txPower == -8)
        #expect(header.extended?.periodicInterval == 80)
        #expect(header.called == 0x4102_0304_0506 && header.level == nil)
    }

    @Test(
        arguments: [
            (0x13, .connectable), (0x15, .directed), (0x12, .scannable), (0x10, .plain),
            (0x1A, .scanResponse), (0x1B, .scanResponse), (0x01, .extended),
        ] as [(UInt16, AdvertisingHeader.PDU)])
    func `an extended report names the packet it came from`(
        type: UInt16, pdu: AdvertisingHeader.PDU
    ) {
        let event = Bytes.event(subevent: 0x0D, count: 1, Bytes.extended(type: type, rssi: 0))
        let packet = DecodingBytes.decoded(events: [event])
        #expect(packet.reports.map(\.header?.pdu) == [pdu])
    }

    @Test func `a directed event tells whom it called, and is nothing else`() {
        let record: [UInt8] =
            [1, 1] + Bytes.staticAddress.reversed() + [1] + Bytes.rotatingAddress.reversed()
            + [0xC0]
        let directed = Bytes.event(subevent: 0x0B, count: 1, record)
        let packet = DecodingBytes.decoded(events: [directed])
        #expect(packet.reports.map(\.header?.called) == [0x4102_0304_0506])
        #expect(packet.reports.map(\.header?.pdu) == [.directed])
        var other = directed
        other[5] = 0
        #expect(DecodingBytes.decoded(events: [other]).faults == [.badEventType])
    }

    @Test func `levels no radio can measure are given as they were sent`() {
        for (byte, level) in [(0x7E, 126), (0x80, -128), (0, 0)] as [(UInt8, Int8)] {
            let packet = Self.legacy(1, Bytes.legacy(rssi: byte))
            #expect(packet.reports.map(\.header?.level) == [level])
        }
    }

    @Test func `a bad report spoils itself only`() {
        let type = Self.legacy(2, Bytes.legacy(type: 9, rssi: 0) + Self.good)
        #expect(type.faults == [.badEventType] && type.reports.count == 1)
        let kind = Self.legacy(2, Bytes.legacy(kind: 9, rssi: 0) + Self.good)
        #expect(kind.faults == [.badAddressType] && kind.reports.count == 1)
        let overrun = Self.legacy(2, Bytes.legacy(data: [9, 9], rssi: 0xC0) + Self.good)
        #expect(overrun.faults == [.overrun] && overrun.reports.count == 2)
        #expect(overrun.status == .partial)
        #expect(overrun.reports.first?.header?.level == -64)
    }

    @Test func `each way to be cut off or padded has its name`() {
        let event = Bytes.event(subevent: 0x02, count: 1, Self.good)
        let cases: [([UInt8], DecodingFault)] = [
            ([], .truncatedEvent), (Array(event.dropLast()), .truncatedEvent),
            (event + [0], .trailingBytes),
            (Bytes.event(subevent: 0x02, count: 2, Self.good), .truncatedReport),
            (Bytes.event(subevent: 0x02, count: 1, Self.good + [0]), .extraReportBytes),
            (Bytes.event(subevent: 0x02, count: 0, []), .noReports),
            ([0x02, 0x40, 0x00, 0x00, 0x00], .notHCIEvent),
        ]
        for (bytes, fault) in cases {
            let packet = DecodingBytes.decoded(events: [bytes])
            #expect(packet.faults == [fault], "\(bytes)")
            #expect(packet.status == (packet.reports.isEmpty ? .error : .partial))
        }
        #expect(DecodingBytes.decoded(events: [[4, 0x0F, 4, 0, 1, 0x0C, 0x20]]).status == .ignored)
        #expect(DecodingBytes.decoded(events: [[4, 0x3E, 1, 0x11]]).status == .ignored)
    }

    @Test func `more than 31 bytes of legacy data are told and read`() {
        let data = Bytes.flags + Bytes.iBeacon + DecodingBytes.structure(9, [0x41, 0x42])
        let packet = Self.legacy(1, Bytes.legacy(data: data, rssi: 0))
        #expect(packet.faults == [.legacyDataTooLong])
        #expect(packet.reports.first?.contents.name?.text == "AB")
    }

    @Test func `a private address is known by its key, if it is one`() {
        // The toy cipher adds the key, here 1, to the random part, here 410203.
        var keys = DecodingBytes.keys
        keys.resolving = [
            .init(label: "none", key: Identity.Bytes16(high: 0, low: 0)),
            .init(label: "mine", key: Identity.Bytes16(high: 0, low: 1)),
        ]
        func owner(_ address: [UInt8], kind: UInt8) -> String? {
            let record = Bytes.legacy(kind: kind, address: address, rssi: 0)
            return DecodingBytes.decoded(
                events: [Bytes.event(subevent: 0x02, count: 1, record)], keys: keys
            ).reports.first?.owner
        }
        #expect(owner([0x41, 2, 3, 0x41, 2, 4], kind: 1) == "mine")
        #expect(owner([0x41, 2, 3, 0x41, 2, 5], kind: 1) == nil)
        #expect(owner([0x41, 2, 3, 0x41, 2, 3], kind: 1) == nil, "a key of zeros")
        #expect(owner([0x41, 2, 3, 0x41, 2, 4], kind: 0) == nil, "a public address")
        #expect(owner([0xC1, 2, 3, 0xC1, 2, 4], kind: 1) == nil, "a static address")
    }
}
