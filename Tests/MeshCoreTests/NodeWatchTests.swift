import Testing

@testable import NodeEngine
@testable import SiteModel

/// What a node notices about registered beacons: clones of another make, and low batteries.
struct NodeWatchTests {
    let start = Timestamp(milliseconds: 1_700_000_000_000)
    private let namespace = Identity.Bytes16(
        high: 0x1122_3344_5566_7788, low: 0x99AA_0000_0000_0001)
    private let address: UInt64 = 0xC000_0000_0001

    private func at(_ seconds: Double) -> Timestamp { start + .seconds(seconds) }

    /// Tells `core` a packet every half second, and returns what it noticed.
    private func notices(
        _ core: inout NodeCore, _ seconds: Range<Int>, _ packets: [[UInt8]]
    ) -> [BeaconNotice] {
        var notices: [BeaconNotice] = []
        for half in 2 * seconds.lowerBound..<2 * seconds.upperBound {
            let now = at(Double(half) / 2)
            for packet in packets { core.heard(packet, at: now) }
            notices += core.tick(at: now).notices
        }
        return notices
    }

    /// An iBeacon from a given address, claiming a power.
    private func iBeacon(_ power: Int8, address: UInt64, isPlain: Bool = false) -> [UInt8] {
        let flags: [UInt8] = isPlain ? [] : [0x02, 0x01, 0x06]
        let data =
            flags + [0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + (1...16).map { UInt8($0) }
            + [0, 1, 0, 1, UInt8(bitPattern: power)]
        return Packet.report(address: address, isRandom: true, data, -60)
    }

    // MARK: Fingerprints

    @Test func `a clone from another sort of address is noticed once a day`() {
        var core = NodeCore.recognising([Packet.identity(1)], at: start)
        let tag = iBeacon(-59, address: address)
        let clone = iBeacon(-59, address: 0x4000_0000_0001)
        #expect(notices(&core, 0..<200, [tag]) == [])
        let first = notices(&core, 200..<300, [tag, clone])
        #expect(first.map(\.kind) == [.fingerprintChanged])
        #expect(first.first?.beacon == 0)
        #expect(first.first?.detail == "address fixed -> resolvable")
        #expect(notices(&core, 300..<2000, [tag, clone]) == [])
        #expect(notices(&core, 86_600..<86_700, [tag, clone]).count == 1)
    }

    @Test func `another power and another structure are another make`() {
        for (other, detail) in [
            (iBeacon(-50, address: address), "power -59 -> -50"),
            (iBeacon(-59, address: address, isPlain: true), "structure"),
        ] {
            var core = NodeCore.recognising([Packet.identity(1)], at: start)
            #expect(notices(&core, 0..<200, [iBeacon(-59, address: address)]) == [])
            // The tag was exchanged: nothing fits any more.
            #expect(notices(&core, 200..<400, [other]).map(\.detail) == [detail])
        }
    }

    @Test func `what is seen in the first minute is all usual`() {
        var core = NodeCore.recognising([.address(address)], at: start)
        let frames = [
            iBeacon(-59, address: address), iBeacon(-62, address: address),
            Packet.device(address, -60, isRandom: true), Packet.named("Tag 7", address: address),
        ]
        #expect(notices(&core, 0..<600, frames) == [])
    }

    @Test func `another frame of the same tag is no clone`() {
        var core = NodeCore.recognising([.address(address)], at: start)
        let tag = Packet.device(address, -60, isRandom: true)
        let button = Packet.named("Alarm", address: address)
        #expect(notices(&core, 0..<200, [tag]) == [])
        #expect(notices(&core, 200..<260, [tag, button]) == [])
    }

    @Test func `four strange packets are an accident, five are not`() {
        for (count, expected) in [(4, 0), (5, 1)] {
            var core = NodeCore.recognising([Packet.identity(1)], at: start)
            _ = notices(&core, 0..<200, [iBeacon(-59, address: address)])
            for _ in 0..<count {
                core.heard(iBeacon(-59, address: 0x4000_0000_0001), at: at(201))
            }
            #expect(core.tick(at: at(202)).notices.count == expected)
        }
    }

    @Test func `many that fit one rule have no common make`() {
        let rule = Identity.region(
            uuid: Packet.uuid, major: .init(1), minor: .init(0, mask: 0xFF00))
        var core = NodeCore.recognising([rule], at: start)
        #expect(notices(&core, 0..<200, [iBeacon(-59, address: address)]) == [])
        #expect(notices(&core, 200..<400, [iBeacon(-50, address: 0x4000_0000_0001)]) == [])
    }

    /// After a day without the old one it is a new tag, and no clone.
    @Test func `an exchanged tag is learnt after a day`() {
        var core = NodeCore.recognising([Packet.identity(1)], at: start)
        _ = notices(&core, 0..<200, [iBeacon(-59, address: address)])
        #expect(notices(&core, 86_700..<90_000, [iBeacon(-50, address: address)]) == [])
        #expect(
            notices(&core, 90_000..<90_100, [iBeacon(-59, address: address)]).map(\.detail)
                == ["power -50 -> -59"])
    }

    // MARK: Uptime

    /// Eddystone telemetry: battery in mV, then temperature, packets, tenths of a second.
    private func telemetry(_ millivolts: UInt16, uptime: UInt32) -> [UInt8] {
        let tenths = uptime * 10
        let data: [UInt8] =
            [0x11, 0x16, 0xAA, 0xFE, 0x20, 0x00, UInt8(millivolts >> 8), UInt8(millivolts & 0xFF)]
            + [0x15, 0x00, 0, 0, 0, 9]
            + (0..<4).map { UInt8(truncatingIfNeeded: tenths >> UInt32(24 - 8 * $0)) }
        return Packet.report(address: address, isRandom: true, data, -60)
    }

    private func told(of uptimes: [(at: Double, uptime: UInt32)]) -> [String] {
        var core = NodeCore.recognising([.address(address)], at: start)
        return uptimes.flatMap { moment, uptime in
            core.heard(telemetry(3000, uptime: uptime), at: at(moment))
            return core.tick(at: at(moment + 1)).notices.map(\.detail)
        }
    }

    @Test func `one clock cannot tell two stories`() {
        let honest = (0..<20).map { (at: 30 * Double($0), uptime: 5000 + 30 * UInt32($0)) }
        #expect(told(of: honest) == [])
        #expect(told(of: honest + [(620, 900_000)]) == ["uptime of another"])
        // Started again within the last 30 s, or 40 minutes ago while it was not heard.
        #expect(told(of: honest + [(620, 10), (650, 40)]) == [])
        #expect(told(of: honest + [(3600, 2400)]) == [])
        #expect(told(of: honest + [(3600, 20)]) == [])
        // Back from the past it is another one.
        #expect(told(of: honest + [(620, 2000)]) == ["uptime of another"])
        // Some count in other units: that is no clock.
        let wrong = (0..<40).map { (at: 300 * Double($0), uptime: 5000 + 3000 * UInt32($0)) }
        #expect(told(of: wrong) == [])
    }

    // MARK: Batteries

    private func service(_ bytes: [UInt8]) -> [UInt8] {
        Packet.report(
            address: address, isRandom: true,
            [UInt8(bytes.count + 1), 0x16] + bytes, -60)
    }

    @Test func `a low battery is told once a day, whatever says so`() {
        let ruuvi: [UInt8] =
            [0x1B, 0xFF, 0x99, 0x04, 5] + Array(repeating: 0, count: 12)
            + [UInt8((650 << 5) >> 8), UInt8((650 << 5) & 0xFF)] + Array(repeating: 0, count: 9)
        let cases: [(packet: [UInt8], value: Double?, unit: String)] = [
            (telemetry(2250, uptime: 100), 2.25, "volts"),
            (service([0x0F, 0x18, 12]), 12, "percent"),
            (service([0xD2, 0xFC, 0x40, 0x00, 0x07, 0x01, 0x0F]), 15, "percent"),
            (service([0xD2, 0xFC, 0x40, 0x15, 0x01]), nil, "flag"),
            (
                Packet.report(address: address, isRandom: true, ruuvi, -60), 2.25, "volts"
            ),
        ]
        for (packet, value, unit) in cases {
            var core = NodeCore.recognising([.address(address)], at: start)
            let told = notices(&core, 0..<900, [packet])
            #expect(told.map(\.kind) == [.batteryLow], "\(unit)")
            #expect(told.first?.value == value)
            #expect(told.first?.detail == unit)
            // A process that starts again and again does not tell it each time.
            #expect(told.first.map { $0.at >= at(600) } ?? false)
        }
    }

    @Test func `a battery that is well is not told`() {
        let packets = [
            telemetry(2301, uptime: 100), service([0x0F, 0x18, 16]), service([0x0F, 0x18, 101]),
            service([0xD2, 0xFC, 0x40, 0x01, 0x10]), service([0xD2, 0xFC, 0x40, 0x15, 0x00]),
            // Sealed, cut short, of another version, of unknown length.
            service([0xD2, 0xFC, 0x41, 0x01, 0x05]), service([0xD2, 0xFC, 0x40, 0x01]),
            service([0xD2, 0xFC, 0x20, 0x01, 0x05]), service([0xD2, 0xFC, 0x40, 0xEE, 0x01, 0x05]),
            service([0xAA, 0xFE, 0x20, 0x01, 0x01, 0x00]), service([0xAA, 0xFE, 0x20, 0x00, 0x01]),
            telemetry(0, uptime: 100),
        ]
        for packet in packets {
            var core = NodeCore.recognising([.address(address)], at: start)
            #expect(notices(&core, 0..<900, [packet]) == [])
        }
    }

    /// A dip while it sends is no low battery.
    @Test func `three low readings in a row count`() {
        var core = NodeCore.recognising([.address(address)], at: start)
        let (low, well) = (service([0x0F, 0x18, 5]), service([0x0F, 0x18, 50]))
        #expect(notices(&core, 0..<1200, [low, low, well]) == [])
    }

    @Test func `what a tag says in a frame without its name counts for its name`() {
        var core = NodeCore.recognising([.eddystoneUID(namespace)], at: start)
        let uid = Packet.report(
            address: address, isRandom: true,
            Array(Packet.eddystone(namespace).dropFirst(14).dropLast()),
            -60)
        let told = notices(&core, 0..<700, [uid, telemetry(2100, uptime: 5)])
        #expect(told.map(\.kind) == [.batteryLow])
        var stranger = NodeCore.recognising([.eddystoneUID(namespace)], at: start)
        #expect(notices(&stranger, 0..<700, [telemetry(2100, uptime: 5)]) == [])
    }

    @Test func `another list of beacons keeps what is known of those that stay`() {
        var core = NodeCore.recognising([Packet.identity(1)], at: start)
        _ = notices(&core, 0..<200, [iBeacon(-59, address: address)])
        var policy = core.policy
        policy.known = [Packet.identity(9), Packet.identity(1)]
        _ = core.apply(policy, at: at(200))
        let told = notices(&core, 201..<300, [iBeacon(-40, address: address)])
        #expect(told.map(\.beacon) == [1])
    }

    /// Radioland's tags send their battery's tenths of volts there, others a percentage.
    @Test(arguments: [(30, 29), (36, 20), (20, 36), (100, 3), (0, 4), (127, -128), (-19, -101)])
    func `a power that no tag has says nothing of its make`(first: Int8, then: Int8) {
        var core = NodeCore.recognising([Packet.identity(1)], at: start)
        #expect(notices(&core, 0..<200, [iBeacon(first, address: address)]) == [])
        #expect(notices(&core, 200..<600, [iBeacon(then, address: address)]) == [])
    }

    @Test func `a power that follows the battery is the same make`() {
        var core = NodeCore.recognising([Packet.identity(1)], at: start)
        #expect(notices(&core, 0..<200, [iBeacon(-59, address: address)]) == [])
        for (step, power) in [Int8(-60), -62, -64, -65, -57, -53].enumerated() {
            let from = 200 + 100 * step
            #expect(notices(&core, from..<from + 100, [iBeacon(power, address: address)]) == [])
        }
        #expect(
            notices(&core, 900..<1100, [iBeacon(-66, address: address)]).map(\.detail)
                == ["power -59 -> -66"])
    }

    @Test func `a clone is another make, whatever battery its power byte has`() {
        var core = NodeCore.recognising([Packet.identity(1)], at: start)
        #expect(notices(&core, 0..<200, [iBeacon(30, address: address)]) == [])
        let clone = iBeacon(29, address: 0x4000_0000_0001)
        #expect(
            notices(&core, 200..<300, [iBeacon(30, address: address), clone]).map(\.detail)
                == ["address fixed -> resolvable"])
    }
}

extension [NodeCore.Effect] {
    var notices: [BeaconNotice] {
        compactMap { if case .notice(let notice) = $0 { notice } else { nil } }
    }
}
