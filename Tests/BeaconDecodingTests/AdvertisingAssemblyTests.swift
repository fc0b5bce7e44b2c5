import Testing

@testable import BeaconDecoding
@testable import SiteModel

/// Parts of an advertisement come out as one, whatever else is in the air.
struct AdvertisingAssemblyTests {
    typealias Bytes = AdvertisingBytes

    /// An event with one extended report.
    static func event(
        _ type: UInt16, _ data: [UInt8], address: [UInt8] = Bytes.staticAddress, set: UInt8 = 1
    ) -> [UInt8] {
        var record = Bytes.extended(type: type, address: address, data: data, rssi: 0xC0)
        record[11] = set
        return Bytes.event(subevent: 0x0D, count: 1, record)
    }

    static func data(_ packet: DecodedPacket) -> [[UInt8]] { packet.reports.map(\.data) }

    @Test func `parts are joined, with the status of the last`() {
        let packet = DecodingBytes.decoded(events: [
            Self.event(0x20, [2, 1]), Self.event(0x20, []), Self.event(0x40, [6]),
        ])
        #expect(Self.data(packet) == [[2, 1, 6]])
        #expect(packet.reports.first?.header?.report.dataStatus == .truncated)
        #expect(packet.status == .ok)
    }

    @Test func `sets, advertisers and scan responses are kept apart`() {
        let other: [UInt8] = [0xC1, 9, 9, 9, 9, 9]
        let packet = DecodingBytes.decoded(events: [
            Self.event(0x20, [2, 1]), Self.event(0x20, [3], set: 2),
            Self.event(0x20, [4], address: other), Self.event(0x28, [5]),
            Self.event(0x10, [2, 10, 0]),  // A legacy PDU passes in between.
            Self.event(0x00, [9, 7], set: 2), Self.event(0x00, [6]),
            Self.event(0x08, [1, 1, 1, 1]),
        ])
        #expect(Self.data(packet) == [[2, 10, 0], [3, 9, 7], [2, 1, 6], [5, 1, 1, 1, 1]])
    }

    @Test func `an advertisement may have 1650 bytes and no more`() {
        let parts = [[UInt8]](repeating: [UInt8](repeating: 0, count: 206), count: 8)
        let head = parts.map { Self.event(0x20, $0) }
        let fits = DecodingBytes.decoded(events: head + [Self.event(0x00, [0, 0])])
        #expect(Self.data(fits).map(\.count) == [1650])
        #expect(fits.faults == [])
        let tooLong = DecodingBytes.decoded(
            events: head + [
                Self.event(0x20, [0, 0, 0]), Self.event(0x20, [0]), Self.event(0x00, [0]),
                Self.event(0x00, [2, 1, 6]),
            ])
        #expect(Self.data(tooLong) == [[2, 1, 6]])
        #expect(tooLong.faults == [.reassemblyOverflow])
        let tooLongAtLast = DecodingBytes.decoded(events: head + [Self.event(0x00, [0, 0, 0])])
        #expect(tooLongAtLast.reports == [])
        #expect(tooLongAtLast.status == .error)
    }

    @Test func `of too many at once the first is given up`() {
        func address(_ number: Int) -> [UInt8] {
            [0xC1, 0, 0, 0, UInt8(number >> 8), UInt8(number & 0xFF)]
        }
        let capacity = AdvertisingAssembly.capacity
        let begun = (0...capacity).map { Self.event(0x20, [2, 1], address: address($0)) }
        let ended = (1...capacity).map { Self.event(0x00, [6], address: address($0)) }
        let packet = DecodingBytes.decoded(events: begun + ended)
        #expect(packet.faults == [.reassemblyOverflow])
        #expect(packet.reports.count == capacity)
        #expect(Self.data(packet).allSatisfy { $0 == [2, 1, 6] })
    }

    @Test func `what never ends gives nothing, unless nothing more can come`() {
        let parts = [Self.event(0x20, [2, 1])]
        #expect(DecodingBytes.decoded(events: parts).reports == [])
        #expect(DecodingBytes.decoded(events: parts).status == .ok)
        let last = DecodingBytes.decoded(events: parts, isLast: true)
        #expect(last.reports.map(\.header?.report.dataStatus) == [.incomplete])
        #expect(last.faults == [.overrun])
    }

    @Test func `a node sees an identity that stands in the first part`() {
        var assembly = AdvertisingAssembly()
        var identities: [Identity?] = []
        var outcome = AdvertisingEvent.Outcome()
        for event in [Self.event(0x20, Bytes.iBeacon), Self.event(0x00, Bytes.flags)] {
            outcome += AdvertisingEvent.forEachReport(in: event.span, joining: &assembly) {
                identities.append(Identification.identity(of: $0, data: $1)?.identity)
            }
        }
        #expect(identities == [Bytes.iBeaconIdentity])
        #expect(outcome.fragments == 1 && outcome.reports == 1 && outcome.faults == 0)
    }
}
