import Testing

@testable import BeaconDecoding
@testable import SiteModel

/// A transmitter goes by the beacon it sends, else by an address that stays.
struct AdvertisingIdentificationTests {
    typealias Bytes = AdvertisingBytes

    private func beacon(_ data: [UInt8]) -> Identified? { Identification.beacon(in: data.span) }

    /// What a report with this address and data goes by.
    private func identity(kind: UInt8, address: [UInt8], data: [UInt8] = []) -> Identity? {
        let record = Bytes.legacy(kind: kind, address: address, data: data, rssi: 0xC0)
        let packet = Bytes.event(subevent: 0x02, count: 1, record)
        return Bytes.heard(in: packet).reports.first?.identified?.identity
    }

    @Test func `an iBeacon has unsigned major and minor and a signed level`() {
        #expect(
            beacon(Bytes.flags + Bytes.iBeacon)
                == Identified(identity: Bytes.iBeaconIdentity, measuredPower: RSSI(dBm: -59)))
    }

    @Test func `an AltBeacon may be of any company`() {
        var other = Bytes.altBeacon
        other[2...3] = [0x4C, 0x00]
        for data in [Bytes.altBeacon, other] {
            #expect(
                beacon(data)
                    == Identified(
                        identity: Bytes.altBeaconIdentity, measuredPower: RSSI(dBm: -60)))
        }
    }

    @Test func `an Eddystone UID may lack its reserved bytes, and states the level at 0 m`() {
        let expected = Identified(
            identity: .eddystoneUID(Bytes.uuid16), measuredPower: RSSI(dBm: -59))
        var longer = Bytes.eddystone + [0, 0]
        longer[0] += 2
        #expect(beacon(Bytes.eddystone) == expected)
        #expect(beacon(longer) == expected)
    }

    @Test func `a beacon too short, or of other company, code, UUID or frame, is none`() {
        for whole in [Bytes.iBeacon, Bytes.eddystone, Bytes.altBeacon] {
            var short = Array(whole.dropLast())
            short[0] -= 1
            #expect(beacon(short) == nil)
        }
        for index in 2...5 {
            var other = Bytes.iBeacon
            other[index] ^= 0x01
            #expect(beacon(other) == nil, "byte \(index) of an iBeacon")
        }
        for index in 2...4 {
            var other = Bytes.eddystone
            other[index] ^= 0x01
            #expect(beacon(other) == nil, "byte \(index) of an Eddystone UID")
        }
        for index in 4...5 {
            var other = Bytes.altBeacon
            other[index] ^= 0x01
            #expect(beacon(other) == nil, "byte \(index) of an AltBeacon")
        }
    }

    @Test func `an iBeacon comes before an AltBeacon before an Eddystone, wherever it stands`() {
        let all = Bytes.eddystone + Bytes.altBeacon + Bytes.iBeacon
        #expect(beacon(all)?.identity == Bytes.iBeaconIdentity)
        #expect(beacon(Bytes.eddystone + Bytes.altBeacon)?.identity == Bytes.altBeaconIdentity)
    }

    @Test func `a beacon behind another manufacturer's structure is found`() {
        let other: [UInt8] = [0x05, 0xFF, 0x88, 0xEC, 0x00, 0x01]
        #expect(beacon(other + Bytes.iBeacon)?.identity == Bytes.iBeaconIdentity)
    }

    @Test func `a structure that runs over ends the walk and keeps what came before`() {
        let overrun: [UInt8] = [0x1F, 0xFF, 0x4C]
        #expect(beacon(Bytes.iBeacon + overrun)?.identity == Bytes.iBeaconIdentity)
        #expect(beacon(overrun + Bytes.iBeacon) == nil)
        var structures = AdvertisingStructures()
        let data = Bytes.flags + overrun
        #expect(structures.next(in: data.span)?.type == 0x01)
        #expect(!structures.isOverrun)
        #expect(structures.next(in: data.span) == nil)
        #expect(structures.isOverrun)
        #expect(structures.next(in: data.span) == nil)
    }

    @Test func `a length of zero ends the data`() {
        #expect(beacon([0x00] + Bytes.iBeacon) == nil)
        #expect(beacon(Bytes.iBeacon + [0x00, 0x00])?.identity == Bytes.iBeaconIdentity)
    }

    @Test func `without a beacon only a fixed address is a name`() {
        #expect(identity(kind: 0, address: Bytes.rotatingAddress) == .address(0x4102_0304_0506))
        #expect(identity(kind: 1, address: Bytes.staticAddress) == .address(0xC102_0304_0506))
        #expect(identity(kind: 1, address: Bytes.rotatingAddress) == nil)
        #expect(identity(kind: 1, address: [0x81, 2, 3, 4, 5, 6]) == nil)
        #expect(identity(kind: 1, address: [0x01, 2, 3, 4, 5, 6]) == nil)
        #expect(identity(kind: 2, address: Bytes.rotatingAddress) == .address(0x4102_0304_0506))
        #expect(identity(kind: 3, address: Bytes.staticAddress) == .address(0xC102_0304_0506))
    }

    @Test func `a beacon goes before the address`() {
        for address in [Bytes.staticAddress, Bytes.rotatingAddress] {
            #expect(
                identity(kind: 1, address: address, data: Bytes.iBeacon) == Bytes.iBeaconIdentity)
        }
    }
}
