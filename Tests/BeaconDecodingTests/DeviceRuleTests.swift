import Testing

@testable import BeaconDecoding

/// The surest rule of which all conditions hold says what a device is.
struct DeviceRuleTests {
    typealias Bytes = DecodingBytes

    static func rule(
        _ id: String, _ confidence: Double, _ conditions: DeviceRule.Condition...
    ) -> DeviceRule {
        DeviceRule(id: id, deviceClass: id, confidence: confidence, conditions: conditions)
    }

    /// The rule that wins for data from the public address 58:8E:81:00:00:01, or a random one.
    static func winner(
        _ rules: [DeviceRule], data: [UInt8], kind: AdvertisingReport.AddressKind = .public
    ) -> String? {
        let decoder = AdvertisementDecoder(keys: Bytes.keys, rules: rules)
        var packet = DecodedPacket()
        let sender = DecodedReport.Sender(address: 0x588E_8100_0001, kind: kind)
        decoder.decode(data: data.span, from: sender, into: &packet)
        return packet.reports.first?.device?.id
    }

    @Test func `the surest wins, the earlier of two as sure`() {
        let rules = [
            Self.rule("a", 0.4, .company(0x4C, prefix: [])),
            Self.rule("b", 0.9, .company(0x4C, prefix: [2])),
            Self.rule("c", 0.9, .company(0x4C, prefix: [2, 0x15])),
        ]
        #expect(Self.winner(rules, data: AdvertisingBytes.iBeacon) == "b")
        #expect(Self.winner(rules, data: Bytes.structure(0xFF, [0x4C, 0, 0x10])) == "a")
        #expect(Self.winner(rules, data: AdvertisingBytes.flags) == nil)
    }

    @Test func `all conditions must hold, and there must be one`() {
        let both = Self.rule("a", 1, .namePrefix("GVH5"), .service(.short(0xEC88)))
        let name = Bytes.structure(9, Array("gvh5102".utf8))
        #expect(Self.winner([both], data: name) == nil)
        #expect(Self.winner([both], data: name + Bytes.structure(3, [0x88, 0xEC])) == "a")
        #expect(Self.winner([both], data: name + Bytes.service(0xEC88, [])) == "a")
        #expect(Self.winner([Self.rule("b", 1)], data: name) == nil)
    }

    @Test func `a name may begin so or have it inside, in either case`() {
        let name = Bytes.structure(9, Array("My FS ext battery".utf8))
        #expect(Self.winner([Self.rule("a", 1, .nameContains("FS Ext"))], data: name) == "a")
        #expect(Self.winner([Self.rule("a", 1, .namePrefix("FS Ext"))], data: name) == nil)
        #expect(Self.winner([Self.rule("a", 1, .namePrefix("my fs"))], data: name) == "a")
    }

    @Test func `a vendor is told by a public address only`() {
        let rules = [Self.rule("a", 1, .vendor(0x588E81))]
        #expect(Self.winner(rules, data: []) == "a")
        #expect(Self.winner(rules, data: [], kind: .random) == nil)
    }

    @Test func `an appearance has a category`() {
        let rules = [Self.rule("a", 1, .appearanceCategory(3))]
        #expect(Self.winner(rules, data: Bytes.structure(0x19, [0xC1, 0x00])) == "a")
        #expect(Self.winner(rules, data: Bytes.structure(0x19, [0x00, 0x01])) == nil)
    }
}
