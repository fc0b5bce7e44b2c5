import Testing

@testable import Ciphers
@testable import NodeEngine
@testable import SiteModel

/// libcrypto does what the specifications say, with bytes in our order.
struct LibCiphersTests {
    let aes = LibCrypto.cryptography

    @Test func `a block is encrypted as FIPS 197 does in its example`() {
        let key = Identity.Bytes16(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F)
        let block = Identity.Bytes16(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)
        #expect(
            aes.encrypt(block, key)
                == Identity.Bytes16(high: 0x69C4_E0D8_6A7B_0430, low: 0xD8CD_B780_70B4_C55A))
    }

    /// Bluetooth Core 5.4, Vol 3 Part H, appendix D.7: prand 708194, hash 0dfbaa.
    @Test func `a node resolves the private address of the specification's example`() throws {
        let irk = Identity.Bytes16(high: 0xEC02_34A3_57C8_AD05, low: 0x3410_10A6_0A39_7D9B)
        let label = try #require(ShortText("example".utf8))
        let keys = NodeKeys(
            resolving: [.init(label: label, key: irk)], ephemeral: [], cryptography: aes)
        let start = Timestamp(milliseconds: 1_700_000_000_000)
        let policy = NodePolicy(
            revision: 1, profile: .ranging, publishesUnregistered: false, maximumRange: 20,
            known: [.irk(.label(label))])
        var core = NodeCore(boot: 1, policy: policy, keys: keys, at: start)
        _ = core.adapter(.up, at: start)
        for address: [UInt8] in [
            [0x70, 0x81, 0x94, 0x0D, 0xFB, 0xAA], [0x70, 0x81, 0x94, 0x0D, 0xFB, 0xAB],
        ] {
            let packet: [UInt8] =
                [0x04, 0x3E, 0x0C, 0x02, 0x01, 0x03, 0x01] + address.reversed() + [0x00, 0xC4]
            core.heard(packet.span, at: start)
        }
        let frames: [NodeFrame] = core.tick(at: start + .seconds(1)).compactMap {
            if case .frame(let frame) = $0 { frame } else { nil }
        }
        #expect(frames.first?.entries.map(\.beacon) == [.known(0)])
        #expect(frames.first?.entries.map(\.count) == [1])
    }

    /// Changing how the digits are made would rename what sites have registered by them.
    @Test func `the digits of a key stay what they are, and differ by purpose`() {
        let key = Identity.Bytes16(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F)
        let other = Identity.Bytes16(high: key.high, low: key.low ^ 1)
        #expect(KeyName.digits(of: key, for: .irk, aes) == 0x8037_F062)
        #expect(KeyName.digits(of: key, for: .eid, aes) == 0xCF8F_81E0)
        #expect(
            KeyName.digits(of: other, for: .irk, aes) != KeyName.digits(of: key, for: .irk, aes))
    }
}
