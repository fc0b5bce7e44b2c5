import Testing

@testable import NodeEngine
@testable import SiteModel

/// The raw stream runs only under a lease, no faster than that allows, and says no more than it may.
struct DebugLeaseTests {
    let start = Timestamp(milliseconds: 1_700_000_000_000)
    let beacon = Packet.iBeacon(1, -60)
    /// A phone: a resolvable private address, and nothing that is a beacon.
    let phone = Packet.device(0x4B11_2233_4455, -50, isRandom: true)

    private func at(_ seconds: Double) -> Timestamp { start + .seconds(seconds) }

    private func lease(
        _ id: String = "a", until seconds: Double = 600, perSecond: Int = 200, redacted: Bool = true
    ) -> DebugLease {
        DebugLease(id: id, until: at(seconds), perSecond: perSecond, isRedacted: redacted)
    }

    @Test func `without a lease nothing is told`() {
        var core = NodeCore.listening(at: start)
        core.heard(beacon, at: at(0.1))
        #expect(core.tick(at: at(0.2)).raws == [])
        _ = core.lease(lease(), at: at(0.3))
        core.heard(beacon, at: at(0.4))
        #expect(core.tick(at: at(0.5)).raws.map(\.sequence) == [1])
        _ = core.lease(nil, at: at(0.6))
        core.heard(beacon, at: at(0.7))
        #expect(core.tick(at: at(0.8)).raws == [])
    }

    @Test func `a lease ends when it says so`() {
        var core = NodeCore.listening(at: start)
        _ = core.lease(lease(until: 2), at: start)
        core.heard(beacon, at: at(1.999))
        core.heard(beacon, at: at(2))
        #expect(core.tick(at: at(2.5)).raws.map(\.at) == [at(1.999)])
        let healths = (3...40).flatMap { core.tick(at: at(Double($0))) }.healths
        #expect(healths.map(\.leaseEnd) == [nil])
        #expect(healths.map(\.rawSent) == [1])
    }

    @Test func `a lease lasts an hour at most, however often it is told`() {
        var core = NodeCore.listening(at: start)
        let eternal = lease(until: 1e9)
        for second in 0...3600 {
            if second.isMultiple(of: 600) {
                // The broker was lost, and tells again what it kept.
                _ = core.lease(nil, at: at(Double(second)))
                _ = core.lease(eternal, at: at(Double(second)))
            }
            core.heard(beacon, at: at(Double(second)))
            #expect(core.tick(at: at(Double(second))).raws.isEmpty == (second == 3600))
        }
        // Whoever still looks asks anew.
        _ = core.lease(lease("b", until: 1e9), at: at(3601))
        core.heard(beacon, at: at(3602))
        #expect(core.tick(at: at(3602)).raws.count == 1)
    }

    @Test func `what exceeds the rate is left out and counted`() {
        var core = NodeCore.listening(at: start)
        _ = core.lease(lease(perSecond: 10), at: start)
        var told: [RawAdvertisement] = []
        for moment in 0..<5000 {  // 1,000 a second for five seconds
            core.heard(beacon, at: start + .milliseconds(Int64(moment)))
            told += core.tick(at: start + .milliseconds(Int64(moment))).raws
        }
        // A second's worth at once, then ten a second.
        #expect((59...60).contains(told.count), "\(told.count)")
        #expect(told.map(\.sequence) == (1...Int64(told.count)).map { $0 })
        #expect((told.last?.leftOut ?? 0) > 4500)
        let health = (5...30).flatMap { core.tick(at: at(Double($0))) }.healths.last
        #expect(health?.rawSent == told.count)
        #expect(health?.rawLeftOut == 5000 - told.count)
    }

    @Test func `strangers are withheld, beacons and fixed addresses are not`() throws {
        var core = NodeCore(
            boot: 7, policy: NodeCore.listening(at: start).policy, at: start, secret: 42)
        _ = core.adapter(.up, at: start)
        _ = core.lease(lease(), at: start)
        for packet in [phone, beacon, Packet.device(0xC0FF_EE00_0001, -70, isRandom: true), phone] {
            core.heard(packet, at: at(0.1))
        }
        let raws = core.tick(at: at(0.2)).raws
        try #require(raws.count == 4)
        guard case .withheld(let number) = raws[0].sender else {
            Issue.record("a private address is shown: \(raws[0].sender)")
            return
        }
        #expect(raws[0].data == nil)
        #expect(raws[0].report.address == 0)
        #expect(raws[0].randomKind == 0b01)
        #expect(raws[1].data?.prefix(5) == [0x02, 0x01, 0x06, 0x1A, 0xFF])
        #expect(raws[2].sender == .address(0xC0FF_EE00_0001))
        #expect(raws[2].data == nil)
        // The same device can be told from others.
        #expect(raws[3].sender == .withheld(number))
        #expect(raws[1].sender != .withheld(number))
    }

    @Test func `whoever may see everything does`() {
        var core = NodeCore.listening(at: start)
        _ = core.lease(lease(redacted: false), at: start)
        core.heard(phone, at: at(0.1))
        let raws = core.tick(at: at(0.2)).raws
        #expect(raws.map(\.sender) == [.address(0x4B11_2233_4455)])
        #expect(raws.map(\.data) == [[0x02, 0x01, 0x06]])
        #expect(raws.map(\.report.rssi) == [RSSI(dBm: -50)])
    }
}

extension [NodeCore.Effect] {
    fileprivate var raws: [RawAdvertisement] {
        compactMap { if case .raw(let raw) = $0 { raw } else { nil } }
    }
}
