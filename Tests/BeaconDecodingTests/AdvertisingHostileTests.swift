import Testing

/// Whatever arrives, the decoder returns, and does not make reports up.
struct AdvertisingHostileTests {
    typealias Bytes = AdvertisingBytes

    static let packets: [[UInt8]] = [
        Bytes.event(
            subevent: 0x02, count: 2,
            Bytes.legacy(data: Bytes.flags + Bytes.iBeacon, rssi: 0xC0)
                + Bytes.legacy(data: Bytes.altBeacon, rssi: 0xC1)),
        Bytes.event(
            subevent: 0x0D, count: 2,
            Bytes.extended(type: 0x10, data: Bytes.eddystone, rssi: 0xC0)
                + Bytes.extended(type: 0x00, data: Bytes.flags + Bytes.iBeacon, rssi: 0xC1)),
        Bytes.event(
            subevent: 0x0B, count: 1,
            [0x01, 0x01] + Bytes.staticAddress + [0x01] + Bytes.staticAddress + [0xC0]),
    ]

    @Test(arguments: packets) func `every truncation is noticed`(packet: [UInt8]) {
        let whole = Bytes.heard(in: packet)
        #expect(whole.outcome.faults == 0)
        for length in packet.indices {
            let (reports, outcome) = Bytes.heard(in: Array(packet[..<length]))
            #expect(outcome.truncated == 1, "cut to \(length) bytes")
            #expect(reports == Array(whole.reports.prefix(reports.count)))
            #expect(reports.count < whole.reports.count)
        }
    }

    @Test(arguments: packets) func `every flipped byte returns`(packet: [UInt8]) {
        for index in packet.indices {
            for value in [UInt8](0...255) {
                var broken = packet
                broken[index] = value
                let (reports, outcome) = Bytes.heard(in: broken)
                #expect(reports.count == outcome.reports)
                #expect(reports.count <= max(2, Int(broken[4])))
            }
        }
    }

    @Test(arguments: UInt64(1)...20) func `random bytes return`(seed: UInt64) {
        var state = seed
        func next() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
        for _ in 0..<300 {
            var packet = (0..<Int(next())).map { _ in next() }
            let subevents: [UInt8] = [0x02, 0x0B, 0x0D]
            let header = [0x04, 0x3E, UInt8(packet.count), subevents[Int(next() % 3)], next() % 8]
            packet.replaceSubrange(..<min(5, packet.count), with: header)
            let (reports, outcome) = Bytes.heard(in: packet)
            #expect(reports.count == outcome.reports)
            #expect(reports.count <= Int(header[4]), "seed \(seed)")
            #expect(reports.reduce(0) { $0 + $1.data.count + 10 } <= max(10, packet.count))
        }
    }
}
