import Basics
import Testing

@testable import BeaconDecoding
@testable import NodeEngine
@testable import SiteModel

/// Which strangers' devices a node tells of, and when.
struct StrangerWatchTests {
    private let start = Timestamp(milliseconds: 1_700_000_000_000)

    private func at(_ seconds: Double) -> Timestamp { start + .seconds(seconds) }

    private static let rules = [
        DeviceRule(
            id: "lock", deviceClass: "lock", confidence: 0.5, conditions: [.namePrefix("Lock")]),
        DeviceRule(
            id: "vendor", deviceClass: "camera", confidence: 0.9, conditions: [.vendor(0xC0FFEE)]),
        DeviceRule(
            id: "beacon", deviceClass: "beacon", confidence: 0.8,
            conditions: [.company(76, prefix: [2, 0x15])]),
        DeviceRule(id: "nothing", deviceClass: "all", confidence: 1, conditions: []),
    ]

    private static func report(_ address: UInt64) -> AdvertisingReport {
        AdvertisingReport(
            address: address, addressKind: .random, rssi: RSSI(dBm: -60), isConnectable: false,
            isScannable: false, isDirected: false, isScanResponse: false, isLegacy: true,
            dataStatus: .complete)
    }

    private func core(_ rules: [DeviceRule] = rules) -> NodeCore {
        var core = NodeCore.listening(known: 2, at: start)
        core.detect(rules, at: start)
        return core
    }

    /// What is told while somebody sends a packet each half second.
    private func told(
        _ core: inout NodeCore, _ packets: [[UInt8]], from: Int, through: Int
    ) -> [(second: Int, sightings: [NodeSighting])] {
        var told: [(Int, [NodeSighting])] = []
        for second in from...through {
            for half in [0.1, 0.6] {
                for packet in packets { core.heard(packet, at: at(Double(second) + half)) }
            }
            for effect in core.tick(at: at(Double(second + 1))) {
                if case .sightings(let sightings, _) = effect { told.append((second, sightings)) }
            }
        }
        return told
    }

    @Test func `a device is told when it stayed, each half minute, and once it has gone`() {
        var core = core()
        let lock = Packet.named("Lock 7", address: 0xC000_0000_0007, -70)
        let while1 = told(&core, [lock], from: 0, through: 64)
        #expect(while1.map(\.second) == [2, 32, 62])
        #expect(while1.last?.sightings.first?.hits == 126)
        #expect(while1.first?.sightings.map(\.name) == ["Lock 7"])
        #expect(while1.first?.sightings.map(\.rule) == [0])
        let after = told(&core, [], from: 65, through: 260)
        #expect(after.count == 1)
        #expect(after.first?.sightings.first?.last == at(64.6))
        #expect(told(&core, [lock], from: 300, through: 303).count == 1, "it is another visit")
    }

    @Test func `who passes by for a moment is not told`() {
        var core = core()
        let lock = Packet.named("Lock 7", address: 0xC000_0000_0007, -70)
        #expect(told(&core, [lock], from: 0, through: 0).isEmpty)
        #expect(told(&core, [], from: 1, through: 200).isEmpty)
    }

    @Test func `no registered tag is ever called anything`() {
        var core = core()
        // It fits the rule of beacons; so does one that nobody registered.
        let mine = Packet.iBeacon(0, -60)
        let strange = Packet.iBeacon(9, -60)
        let all = told(&core, [mine, strange], from: 0, through: 200).flatMap(\.sightings)
        #expect(!all.isEmpty)
        #expect(Set(all.map(\.address)) == [0x4000_0000_0009])
    }

    @Test func `what is not registered any more is a stranger's`() {
        var core = core()
        let tag = Packet.iBeacon(0, -60)
        #expect(told(&core, [tag], from: 0, through: 9).isEmpty)
        var policy = core.policy
        policy.known.removeFirst()
        _ = core.apply(policy, at: at(10))
        #expect(told(&core, [tag], from: 10, through: 19).count == 1)
    }

    @Test func `the surest rule counts, and a random address has no maker`() {
        var core = core()
        let fixed = Packet.report(
            address: 0xC0FF_EE00_0001, isRandom: false, [0x05, 0x09] + Array("Lock".utf8), -50)
        let random = Packet.named("Lock", address: 0xC0FF_EE00_0002)
        let all = told(&core, [fixed, random], from: 0, through: 5).flatMap(\.sightings)
        #expect(all.map(\.rule) == [1, 0])
        #expect(all.map(\.strongest) == [RSSI(dBm: -50), RSSI(dBm: -60)])
    }

    @Test func `a name that comes later is still in time`() {
        var core = core()
        let address: UInt64 = 0xC000_0000_0007
        core.heard(Packet.device(address, -60, isRandom: true), at: at(0.1))
        let all = told(
            &core, [Packet.named("LOCK", address: address, type: 0x04)], from: 1, through: 5)
        #expect(all.flatMap(\.sightings).map(\.rule) == [0])
    }

    @Test func `a surer rule that fits another of its packets counts, and its name`() {
        var core = core()
        // The maker's data are in one packet, the name in the other.
        let address: UInt64 = 0xC000_0000_0007
        let data = Packet.report(
            address: address, isRandom: true, [0x05, 0xFF, 0x4C, 0x00, 0x02, 0x15], -60)
        var rules = Self.rules
        rules[0].confidence = 0.85
        core.detect(rules, at: at(0))
        let all = told(
            &core, [data, Packet.named("Lock 7", address: address, type: 0x04)], from: 0,
            through: 4)
        #expect(all.flatMap(\.sightings).map(\.rule) == [0])
        #expect(all.flatMap(\.sightings).map(\.name) == ["Lock 7"])
    }

    @Test func `without rules nothing is told, and other rules begin anew`() {
        var core = core([])
        let lock = Packet.named("Lock 7", address: 0xC000_0000_0007, -70)
        #expect(told(&core, [lock], from: 0, through: 40).isEmpty)
        core.detect(Self.rules, at: at(41))
        #expect(told(&core, [lock], from: 41, through: 45).map(\.second) == [43])
        core.detect([], at: at(46))
        #expect(told(&core, [lock], from: 46, through: 90).isEmpty)
    }

    @Test func `a storm of addresses fills no memory, and what is left out is counted`() {
        var watch = StrangerWatch()
        watch.apply(Self.rules)
        let data = [UInt8(5), 0x09] + Array("Lock".utf8)
        for number in 0..<10_000 {
            let report = Self.report(0xC000_0000_0000 | UInt64(number))
            watch.heard(report, data.span, RSSI(dBm: -60), at: at(Double(number) / 5000))
        }
        #expect(watch.leftOut == 10_000 - StrangerWatch.capacity)
        #expect(watch.due(at: at(200)).isEmpty)
        let new = Self.report(0xC111_1111_1111)
        for second in 201...204 {
            watch.heard(new, data.span, RSSI(dBm: -60), at: at(Double(second)))
        }
        #expect(watch.due(at: at(205)).map(\.address) == [0xC111_1111_1111])
    }
}
