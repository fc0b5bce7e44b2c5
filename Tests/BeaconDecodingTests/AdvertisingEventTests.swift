import Testing

@testable import BeaconDecoding
@testable import SiteModel

/// Reports come out of an event as they were put in, and a bad one spoils only itself.
struct AdvertisingEventTests {
    typealias Bytes = AdvertisingBytes
    typealias Outcome = AdvertisingEvent.Outcome

    @Test func `a legacy report gives address, level, kind and data`() throws {
        let record = Bytes.legacy(type: 0x00, data: Bytes.flags, rssi: 0xB5)
        let packet = Bytes.event(subevent: 0x02, count: 1, record)
        let (reports, outcome) = Bytes.heard(in: packet)
        let heard = try #require(reports.first)
        #expect(reports.count == 1)
        #expect(outcome == counted { $0.reports = 1 })
        #expect(heard.report.address == 0xC102_0304_0506)
        #expect(heard.report.addressKind == .random)
        #expect(heard.report.rssi == RSSI(dBm: -75))
        #expect(heard.report.isConnectable && heard.report.isScannable && heard.report.isLegacy)
        #expect(!heard.report.isDirected && !heard.report.isScanResponse)
        #expect(heard.data == Bytes.flags)
    }

    @Test(arguments: [UInt8](0...4)) func `each legacy type says what it is`(type: UInt8) throws {
        let packet = Bytes.event(subevent: 0x02, count: 1, Bytes.legacy(type: type, rssi: 0xC0))
        let report = try #require(Bytes.heard(in: packet).reports.first).report
        #expect(report.isConnectable == [true, true, false, false, false][Int(type)])
        #expect(report.isScannable == [true, false, true, false, false][Int(type)])
        #expect(report.isDirected == [false, true, false, false, false][Int(type)])
        #expect(report.isScanResponse == [false, false, false, false, true][Int(type)])
    }

    @Test func `a level of 127 is none at all`() throws {
        let legacy = Bytes.event(subevent: 0x02, count: 1, Bytes.legacy(rssi: 0x7F))
        let extended = Bytes.event(
            subevent: 0x0D, count: 1, Bytes.extended(type: 0x10, rssi: 0x7F))
        for packet in [legacy, extended] {
            let (reports, outcome) = Bytes.heard(in: packet)
            #expect(try #require(reports.first).report.rssi == nil)
            #expect(outcome.faults == 0)
        }
    }

    @Test func `several reports of one event come in order`() {
        let records =
            Bytes.legacy(data: Bytes.flags, rssi: 0xC0) + Bytes.legacy(rssi: 0xC1)
            + Bytes.legacy(data: Bytes.iBeacon, rssi: 0xC2)
        let (reports, outcome) = Bytes.heard(
            in: Bytes.event(subevent: 0x02, count: 3, records))
        #expect(reports.map(\.report.rssi?.dBm) == [-64, -63, -62])
        #expect(reports.map(\.data) == [Bytes.flags, [], Bytes.iBeacon])
        #expect(outcome == counted { $0.reports = 3 })
    }

    @Test func `reserved bits of an extended type are ignored`() throws {
        let record = Bytes.extended(type: 0x8013, data: Bytes.flags, rssi: 0xC0)
        let (reports, outcome) = Bytes.heard(in: Bytes.event(subevent: 0x0D, count: 1, record))
        let report = try #require(reports.first).report
        #expect(report.isLegacy && report.isConnectable && report.isScannable)
        #expect(report.dataStatus == .complete)
        #expect(outcome == counted { $0.reports = 1 })
    }

    @Test func `reserved bits do not make an advertisement incomplete`() {
        let records =
            Bytes.extended(type: 0x8000, rssi: 0xC0) + Bytes.extended(type: 0x8020, rssi: 0xC0)
        let (reports, outcome) = Bytes.heard(in: Bytes.event(subevent: 0x0D, count: 2, records))
        #expect(reports.map(\.report.dataStatus) == [.complete])
        #expect(outcome == counted { ($0.reports, $0.fragments) = (1, 1) })
    }

    @Test func `an advertisement in parts counts once, with its last part`() {
        let parts =
            Bytes.extended(type: 0x20, data: Bytes.flags, rssi: 0xC0)
            + Bytes.extended(type: 0x20, data: Bytes.flags, rssi: 0xC1)
            + Bytes.extended(type: 0x00, data: Bytes.iBeacon, rssi: 0xC2)
        let (reports, outcome) = Bytes.heard(in: Bytes.event(subevent: 0x0D, count: 3, parts))
        #expect(reports.map(\.report.rssi?.dBm) == [-62])
        #expect(outcome == counted { ($0.reports, $0.fragments) = (1, 2) })
    }

    @Test func `an advertisement whose rest was lost still counts, and says so`() {
        let record = Bytes.extended(type: 0x40, data: Bytes.flags, rssi: 0xC0)
        let (reports, _) = Bytes.heard(in: Bytes.event(subevent: 0x0D, count: 1, record))
        #expect(reports.map(\.report.dataStatus) == [.truncated])
    }

    @Test func `a directed report has an address and a level, no data`() throws {
        let caller: [UInt8] = [0x01, 0x01] + Bytes.staticAddress.reversed()
        let called: [UInt8] = [0xFE] + Bytes.rotatingAddress.reversed() + [0xB0]
        let packet = Bytes.event(subevent: 0x0B, count: 1, caller + called)
        let (reports, outcome) = Bytes.heard(in: packet)
        let heard = try #require(reports.first)
        #expect(heard.report.isDirected && heard.data.isEmpty)
        #expect(heard.report.rssi == RSSI(dBm: -80))
        #expect(heard.identified?.identity == .address(0xC102_0304_0506))
        #expect(outcome == counted { $0.reports = 1 })
    }

    @Test func `an unknown event or address type spoils its own report only`() {
        let good = Bytes.legacy(data: Bytes.flags, rssi: 0xC0)
        let badType = Bytes.legacy(type: 0x05, data: Bytes.flags, rssi: 0xC1)
        let badKind = Bytes.legacy(kind: 0xFF, data: Bytes.flags, rssi: 0xC2)
        let (reports, outcome) = Bytes.heard(
            in: Bytes.event(subevent: 0x02, count: 4, good + badType + badKind + good))
        #expect(reports.map(\.report.rssi?.dBm) == [-64, -64])
        #expect(
            outcome
                == counted { ($0.reports, $0.badEventType, $0.badAddressType) = (2, 1, 1) })
    }

    @Test func `only an extended report may be anonymous, and then has no address`() throws {
        let record = Bytes.extended(type: 0x00, kind: 0xFF, data: Bytes.iBeacon, rssi: 0xC0)
        let heard = try #require(
            Bytes.heard(in: Bytes.event(subevent: 0x0D, count: 1, record)).reports.first)
        #expect(heard.report.address == 0)
        #expect(heard.identified?.identity == Bytes.iBeaconIdentity)
    }

    @Test func `a report longer than its event keeps the one before it`() {
        var records = Bytes.legacy(data: Bytes.flags, rssi: 0xC0)
        records += Bytes.legacy(data: Bytes.flags, rssi: 0xC1).dropLast()
        let (reports, outcome) = Bytes.heard(
            in: Bytes.event(subevent: 0x02, count: 2, records))
        #expect(reports.map(\.report.rssi?.dBm) == [-64])
        #expect(outcome == counted { ($0.reports, $0.truncated) = (1, 1) })
    }

    @Test func `bytes after the last report, and after the packet, are counted`() {
        let record = Bytes.legacy(rssi: 0xC0)
        let inside = Bytes.event(subevent: 0x02, count: 1, record + [0])
        let outside = Bytes.event(subevent: 0x02, count: 1, record) + [0]
        for packet in [inside, outside] {
            let (reports, outcome) = Bytes.heard(in: packet)
            #expect(reports.count == 1)
            #expect(outcome == counted { ($0.reports, $0.trailing) = (1, 1) })
        }
    }

    @Test func `an event without reports, and a legacy report too long, are counted`() {
        let none = Bytes.heard(in: Bytes.event(subevent: 0x02, count: 0, []))
        #expect(none.outcome == counted { $0.empty = 1 })
        let long = Bytes.legacy(data: [UInt8](repeating: 0, count: 32), rssi: 0xC0)
        let (reports, outcome) = Bytes.heard(in: Bytes.event(subevent: 0x02, count: 1, long))
        #expect(reports.count == 1)
        #expect(outcome == counted { ($0.reports, $0.oversize) = (1, 1) })
    }

    @Test(
        arguments: [
            [0x04, 0x0E, 0x01, 0x00], [0x02, 0x3E, 0x01, 0x02], [0x04, 0x3E, 0x02, 0x7F, 0x00],
            [0x04, 0x3E, 0x00],
        ] as [[UInt8]])
    func `other packets are no fault`(packet: [UInt8]) {
        let (reports, outcome) = Bytes.heard(in: packet)
        #expect(reports.isEmpty)
        #expect(outcome == counted { $0.others = 1 })
    }

    @Test func `counts of packets add up`() {
        var total = Outcome()
        for fill in 1...2 {
            total += counted { outcome in
                outcome.reports = fill
                outcome.fragments = 2 * fill
                outcome.others = 3 * fill
                outcome.truncated = 4 * fill
                outcome.trailing = 5 * fill
                outcome.empty = 6 * fill
                outcome.badEventType = 7 * fill
                outcome.badAddressType = 8 * fill
                outcome.oversize = 9 * fill
            }
        }
        #expect(total.reports == 3 && total.fragments == 6 && total.others == 9)
        #expect(total.faults == 3 * (4 + 5 + 6 + 7 + 8 + 9))
    }

    private func counted(_ change: (inout Outcome) -> Void) -> Outcome {
        var outcome = Outcome()
        change(&outcome)
        return outcome
    }
}
