import Testing

@testable import BeaconDecoding
@testable import SiteModel

/// Each format is read by its own rules, and cut short it says so.
struct BeaconFormatTests {
    typealias Bytes = DecodingBytes

    static func frame(_ data: [UInt8], keys: DecodingKeys = Bytes.keys) -> BeaconFrame? {
        Bytes.contents(data, keys: keys).beacons.first
    }

    static func eddystone(_ frame: [UInt8], keys: DecodingKeys = Bytes.keys) -> BeaconFrame? {
        self.frame(Bytes.service(0xFEAA, frame), keys: keys)
    }

    @Test func `an iBeacon's numbers are unsigned and its power is signed`() throws {
        guard case .iBeacon(let beacon) = Self.frame(AdvertisingBytes.iBeacon) else {
            throw DecodingBytes.Missing()
        }
        #expect(beacon.uuid == AdvertisingBytes.uuid16)
        #expect(beacon.major == 43_240 && beacon.minor == 65_535)
        #expect(beacon.measuredPower == RSSI(dBm: -59))
    }

    @Test func `an AltBeacon names its company`() throws {
        guard case .altBeacon(let beacon) = Self.frame(AdvertisingBytes.altBeacon) else {
            throw DecodingBytes.Missing()
        }
        #expect(beacon.company == 0x0118)
        #expect(beacon.tail == 0x0102_0304 && beacon.reserved == 0)
    }

    @Test func `a web address is written out`() throws {
        let frame = Self.eddystone([0x10, 0xEE, 0x01] + Array("gym".utf8) + [0x07, 0x2F, 0x0D])
        guard case .eddystoneURL(let beacon) = frame else { throw DecodingBytes.Missing() }
        #expect(beacon.url == "https://www.gym.com/.gov")
        #expect(beacon.powerAtZero == RSSI(dBm: -18))
    }

    @Test(arguments: [0x0E, 0x20, 0x7F, 0xFF] as [UInt8])
    func `a web address has no such byte`(byte: UInt8) throws {
        let frame = Self.eddystone([0x10, 0xEE, 0x00, byte])
        #expect(frame == .unreadable(.eddystoneURL, .eddystoneCharacter))
    }

    @Test func `a web address has one of four schemes`() throws {
        #expect(
            Self.eddystone([0x10, 0xEE, 0x04, 0x41])
                == .unreadable(.eddystoneURL, .eddystoneScheme))
    }

    @Test func `telemetry is signed where it must be, and absent where it says so`() throws {
        let frame = Self.eddystone([
            0x20, 0x00, 0x0B, 0xB8, 0xFF, 0x80, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 25,
        ])
        guard case .eddystoneTLM(let beacon) = frame else { throw DecodingBytes.Missing() }
        #expect(beacon.battery == 3000 && beacon.temperature == -0.5)
        #expect(beacon.advertisements == .max && beacon.uptime == 25)
        let none = Self.eddystone([0x20, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        guard case .eddystoneTLM(let nothing) = none else { throw DecodingBytes.Missing() }
        #expect(nothing.battery == nil && nothing.temperature == nil)
        #expect(Self.eddystone([0x20, 0x02]) == .unreadable(.eddystoneTLM, .eddystoneVersion))
    }

    @Test func `encrypted telemetry is given as it is`() throws {
        guard case .eddystoneETLM(let beacon) = Self.eddystone([0x20, 0x01] + [UInt8](1...16))
        else { throw DecodingBytes.Missing() }
        #expect(beacon.readings == [UInt8](1...12))
        #expect(beacon.salt == 0x0D0E && beacon.check == 0x0F10)
    }

    @Test(
        arguments: [
            ([0x00], .eddystoneUID), ([0x10, 1], .eddystoneURL), ([0x20], .eddystoneTLM),
            ([0x20, 0, 1], .eddystoneTLM), ([0x20, 1, 1], .eddystoneETLM),
            ([0x30, 1], .eddystoneEID),
        ] as [([UInt8], BeaconFrame.Format)])
    func `an Eddystone cut short has no fields`(bytes: [UInt8], format: BeaconFrame.Format) throws {
        #expect(Self.eddystone(bytes) == .unreadable(format, .eddystoneTruncated))
    }

    @Test func `an Eddystone without a frame is none`() throws {
        let contents = Bytes.contents(Bytes.service(0xFEAA, []))
        #expect(contents.beacons == [])
        #expect(contents.faults == [.eddystoneTruncated])
        #expect(Self.eddystone([0x40, 1, 2]) == .eddystoneUnknown(frame: 0x40))
    }

    @Test func `a changing name is told by the first key that made it`() throws {
        // The toy cipher adds the key, so the name is the upper half of both keys' sum: the same at
        // any time. It takes a real cipher to tell times apart: see the tests of libcrypto.
        let key = Identity.Bytes16(high: 0x0101_0101_0101_0101, low: 0)
        var keys = Bytes.keys
        keys.identities = [(5, "mine"), (5, "second")].compactMap { exponent, label in
            EddystoneIdentityKey(
                label: label, key: key, exponent: exponent, time: 1000, window: 10)
        }
        func resolved(_ name: [UInt8]) -> String? {
            guard case .eddystoneEID(let beacon) = Self.eddystone([0x30, 0] + name, keys: keys)
            else { return nil }
            return beacon.resolved
        }
        #expect(resolved([UInt8](repeating: 1, count: 8)) == "mine")
        #expect(resolved([UInt8](repeating: 2, count: 8)) == nil)
        #expect(
            EddystoneIdentityKey(label: "", key: key, exponent: 16, time: 0, window: 0) == nil)
    }

    @Test func `an exposure notification has two parts`() throws {
        let whole = Self.frame(Bytes.service(0xFD6F, AdvertisingBytes.uuid + [1, 2, 3, 4]))
        guard case .exposureNotification(let beacon) = whole else { throw DecodingBytes.Missing() }
        #expect(beacon.identifier == AdvertisingBytes.uuid16 && beacon.metadata == 0x0102_0304)
        #expect(Self.frame(Bytes.service(0xFD6F, [1, 2])) == nil)
    }

    @Test func `Ruuvi's own examples give Ruuvi's own values`() throws {
        guard
            case .ruuviTag(let five) = Self.frame(
                Bytes.structure(0xFF, [0x99, 0x04] + Bytes.ruuvi5)),
            case .ruuviTag(let three) = Self.frame(
                Bytes.structure(0xFF, [0x99, 0x04] + Bytes.ruuvi3))
        else { throw DecodingBytes.Missing() }
        #expect(five.temperature == 24.3 && five.humidity == 53.49 && five.pressure == 100_044)
        #expect(five.acceleration == [0.004, -0.004, 1.036] && five.battery == 2977)
        #expect(five.more?.txPower == 4 && five.more?.movement == 66)
        #expect(five.more?.sequence == 205 && five.more?.address == 0xCBB8_334C_884F)
        #expect(three.temperature == -1.69 && three.humidity == 20.5)
        #expect(three.pressure == 102_766 && three.battery == 2899 && three.more == nil)
        #expect(three.acceleration == [-1, -1.726, 0.714])
    }

    @Test func `what a RuuviTag has not measured is absent`() throws {
        let none: [UInt8] =
            [0x05, 0x80, 0x00, 0xFF, 0xFF, 0xFF, 0xFF] + [0x80, 0x00, 0x80, 0x00, 0x80, 0x00]
            + [UInt8](repeating: 0xFF, count: 11)
        guard
            case .ruuviTag(let tag) = Self.frame(Bytes.structure(0xFF, [0x99, 0x04] + none))
        else { throw DecodingBytes.Missing() }
        #expect(tag.temperature == nil && tag.humidity == nil && tag.pressure == nil)
        #expect(tag.acceleration == [nil, nil, nil] && tag.battery == nil)
        #expect(tag.more?.txPower == nil && tag.more?.movement == nil)
        #expect(tag.more?.sequence == nil && tag.more?.address == nil)
    }

    @Test func `a RuuviTag cut short or of no format says so`() throws {
        func ruuvi(_ data: [UInt8]) -> BeaconFrame? {
            Self.frame(Bytes.structure(0xFF, [0x99, 0x04] + data))
        }
        #expect(ruuvi(Array(Bytes.ruuvi5.dropLast())) == .unreadable(.ruuviTag, .ruuviTruncated))
        #expect(ruuvi(Array(Bytes.ruuvi3.dropLast())) == .unreadable(.ruuviTag, .ruuviTruncated))
        #expect(ruuvi([0x63, 1, 2]) == .unreadable(.ruuviTag, .ruuviFormat))
        #expect(ruuvi([0x06, 1, 2]) == nil)
    }
}
