import Testing

@testable import BeaconDecoding
@testable import SiteModel

/// Objects are read by their ids, as far as the ids are known.
struct BTHomeTests {
    typealias Bytes = DecodingBytes
    static let sender: UInt64 = 0x5448_E68F_80A5

    static func frame(
        _ data: [UInt8], sender: UInt64? = sender, keys: DecodingKeys = Bytes.keys
    ) -> BeaconFrame? {
        Bytes.contents(Bytes.service(0xFCD2, data), sender: sender, keys: keys).beacons.first
    }

    static func bthome(
        _ data: [UInt8], sender: UInt64? = sender, keys: DecodingKeys = Bytes.keys
    ) throws -> BTHome {
        let frame = frame(data, sender: sender, keys: keys)
        guard case .bthome(let bthome) = try #require(frame) else {
            throw Bytes.Missing()
        }
        return bthome
    }

    static func values(_ objects: [UInt8]) throws -> [BTHomeObject.Value] {
        try bthome([0x40] + objects).objects.map(\.value)
    }

    @Test func `numbers are scaled, and signed where they are`() throws {
        let values = try Self.values(
            [0x02, 0x38, 0xFF, 0x03, 0xBF, 0x13, 0x04, 0x13, 0x8A, 0x01, 0x58, 0xEA, 0x5C, 2, 0]
                + [0, 0x80, 0x63, 1, 0, 0, 0, 0x3E, 0xFF, 0xFF, 0xFF, 0xFF])
        #expect(
            values == [
                .number(-2), .number(50.55), .number(1008.83), .number(-7.7),
                .number(-21_474_836.46), .number(1e-6), .number(4_294_967_295),
            ])
    }

    @Test func `words, flags, versions and bytes are what they are`() throws {
        let values = try Self.values(
            [0x2D, 0x01, 0x1A, 0x00, 0x3A, 0x80, 0x3A, 0x7F, 0x3C, 0x02, 5, 0x3C, 0x09, 5]
                + [0x53, 2, 0x48, 0x69, 0x54, 2, 0xAB, 0xCD, 0xF1, 4, 3, 2, 1, 0xF2, 3, 2, 1])
        #expect(
            values == [
                .flag(true), .flag(false), .press("hold_press"), .press("unknown"),
                .turn(direction: "right", steps: 5), .unknown, .text("Hi"), .raw([0xAB, 0xCD]),
                .version([1, 2, 3, 4]), .version([1, 2, 3]),
            ])
    }

    @Test func `address, packet and trigger are told apart from objects`() throws {
        let bthome = try Self.bthome([0x46, 1, 2, 3, 4, 5, 6, 0x00, 9, 0x01, 97])
        #expect(bthome.isTriggered && bthome.address == 0x0605_0403_0201)
        #expect(bthome.packet == 9 && bthome.objects.map(\.id) == [0, 1])
        #expect(bthome.encryption == nil && bthome.fault == nil)
    }

    @Test func `what stands before an unknown id is given`() throws {
        let unknown = try Self.bthome([0x40, 0x01, 97, 0xFE, 1, 0x01, 96])
        #expect(unknown.objects.map(\.value) == [.number(97)])
        #expect(unknown.fault == .bthomeUnknownObject)
        for cut in [[0x02, 1], [0x53], [0x53, 3, 0x41]] as [[UInt8]] {
            let bthome = try Self.bthome([0x40, 0x01, 97] + cut)
            #expect(bthome.objects.count == 1 && bthome.fault == .bthomeTruncated)
        }
    }

    @Test func `other versions are not read`() {
        #expect(Self.frame([0x20, 0x01, 97]) == .unreadable(.bthome, .bthomeVersion))
        #expect(Self.frame([0x41, 1, 2, 3]) == .unreadable(.bthome, .bthomeTruncated))
        let empty = Bytes.contents(Bytes.service(0xFCD2, []))
        #expect(empty.beacons == [] && empty.faults == [.bthomeTruncated])
    }

    /// The toy cipher opens a message whose tag is its counter.
    static let sealed: [UInt8] = [0x41, 0x01, 0x61, 7, 0, 0, 0x80, 7, 0, 0, 0x80]

    @Test func `with its key an encrypted one is read`() throws {
        var keys = Bytes.keys
        keys.sensors[Self.sender] = Identity.Bytes16(high: 1, low: 2)
        let bthome = try Self.bthome(Self.sealed, keys: keys)
        #expect(bthome.encryption?.isDecrypted == true)
        #expect(bthome.encryption?.counter == 0x8000_0007)
        #expect(bthome.objects.map(\.value) == [.number(97)] && bthome.fault == nil)
        let changed = try Self.bthome(Self.sealed.dropLast() + [0x81], keys: keys)
        #expect(changed.encryption?.isDecrypted == false && changed.objects == [])
        #expect(changed.fault == .bthomeBadCheck)
    }

    @Test func `without a key nothing is wrong with it`() throws {
        for sender in [Self.sender, nil] {
            let bthome = try Self.bthome(Self.sealed, sender: sender)
            #expect(bthome.fault == .bthomeNoKey && bthome.encryption?.isDecrypted == false)
        }
        #expect(Bytes.contents(Bytes.service(0xFCD2, Self.sealed)).faults == [])
    }
}
