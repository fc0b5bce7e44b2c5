import Testing

@testable import BeaconDecoding
@testable import SiteModel

/// Whatever arrives, the complete decoder returns, and agrees with the node's.
struct DecodingHostileTests {
    typealias Bytes = AdvertisingBytes

    /// Every sample as data, in a legacy and in an extended event.
    static let events: [[UInt8]] = DecodingBytes.samples.flatMap { data in
        [
            Bytes.event(subevent: 0x02, count: 1, Bytes.legacy(data: data, rssi: 0xC0)),
            Bytes.event(
                subevent: 0x0D, count: 1, Bytes.extended(type: 0, data: data, rssi: 0xC0)),
        ]
    }

    static let keys: DecodingKeys = {
        var keys = DecodingBytes.keys
        let key = Identity.Bytes16(high: 1, low: 1)
        keys.resolving = [.init(label: "a", key: key)]
        keys.sensors[0xC102_0304_0506] = key
        keys.identities = [(2, UInt32.max), (15, 0)].compactMap {
            EddystoneIdentityKey(label: "a", key: key, exponent: $0, time: $1, window: 40)
        }
        return keys
    }()

    static func check(_ event: [UInt8]) {
        let packet = DecodingBytes.decoded(events: [event], keys: keys, isLast: true)
        let (heard, outcome) = Bytes.heard(in: event)
        let whole = packet.reports.filter {
            $0.header?.report.dataStatus != .incomplete
        }
        #expect(outcome.reports == heard.count)
        // Parts of one advertisement that share an event are one report for the complete decoder.
        #expect(whole.count == heard.count)
        for (report, heard) in zip(whole, heard) {
            #expect(report.header?.report == heard.report)
            #expect(report.data.suffix(heard.data.count) == heard.data[...])
        }
    }

    @Test func `every sample is read without a fault`() {
        for event in Self.events {
            let packet = DecodingBytes.decoded(events: [event], keys: Self.keys)
            #expect(packet.faults.filter { $0 != .legacyDataTooLong } == [])
            #expect(packet.reports.count == 1)
        }
    }

    @Test(arguments: events) func `every prefix returns`(event: [UInt8]) {
        for length in event.indices {
            Self.check(Array(event[..<length]))
            // The same with a header that does not tell.
            guard length >= 3 else { continue }
            var honest = Array(event[..<length])
            honest[2] = UInt8(length - 3)
            Self.check(honest)
        }
    }

    @Test(arguments: events) func `every flipped byte returns`(event: [UInt8]) {
        for index in event.indices {
            for bit in 0..<8 {
                var flipped = event
                flipped[index] ^= 1 << UInt8(bit)
                Self.check(flipped)
            }
            for value in [0x00, 0x7F, 0x80, 0xFF] as [UInt8] {
                var changed = event
                changed[index] = value
                Self.check(changed)
            }
        }
    }
}
