import Basics
import Testing

@testable import SiteModel
@testable import Wire

/// One identity, one text, and no other text for it.
struct IdentityTextTests {
    static let uuid = Identity.Bytes16(high: 0xF782_6DA6_4FA2_4E98, low: 0x8024_BC5B_71E0_893E)
    static let hex = "f7826da64fa24e988024bc5b71e0893e"

    static let pairs: [(Identity, String)] = [
        (.iBeacon(uuid: uuid, major: 1, minor: 65535), "ib-\(hex)-1-65535"),
        (.iBeacon(uuid: uuid, major: 0, minor: 0), "ib-\(hex)-0-0"),
        (.iBeaconRolling(uuid: uuid, major: 10), "ib-\(hex)-10"),
        (.altBeacon(head: uuid, tail: 0xFF), "ab-\(hex)000000ff"),
        (.eddystoneUID(uuid), "eu-f7826da64fa24e988024-bc5b71e0893e"),
        (.eddystoneUID(.init(high: 0, low: 1)), "eu-00000000000000000000-000000000001"),
        (.address(0x00C0_FFEE_1234), "mac-00c0ffee1234"),
        (.address(0xFFFF_FFFF_FFFF), "mac-ffffffffffff"),
        (.irk(.digits(0x0123_4567)), "irk-01234567"),
        (.eddystoneEID(.digits(0)), "eid-00000000"),
    ]
    static let rules: [(Identity, String)] = [
        (.region(uuid: uuid, major: .any, minor: .any), "ib-\(hex)"),
        (
            .anyDigit(uuid: uuid, major: 1, minor: 65535),
            "ib-f7826da64fa24e988024bc5b71e0893x-1-65535"
        ),
        (
            .region(uuid: uuid, major: .any, minor: .init(0x1B, mask: 0x3F)),
            "ibm-\(hex)-xxxxxxxx-xxxxx123"
        ),
        (
            .region(uuid: uuid, major: .init(0xFFFF), minor: .init(0x21B8, mask: 0x6699)),
            "ibm-\(hex)-33333333-cbcabdbc"
        ),
        (.eddystoneNamespace(.init(high: 1, low: 0xFFFF << 48)), "eu-0000000000000001ffff"),
        (.irk(.label(label("mary-watch"))), "irk-mary-watch"),
        (.irk(.label(label("0123456"))), "irk-0123456"),
        (.eddystoneEID(.label(label("a"))), "eid-a"),
        (.name(label("Tag *")), "nm-546167202a"),
        (
            .name(label(String(repeating: "z", count: 30))),
            "nm-" + String(repeating: "7a", count: 30)
        ),
    ]

    private static func label(_ text: String) -> ShortText {
        guard let text = ShortText(text.utf8) else { preconditionFailure("no label: \(text)") }
        return text
    }

    @Test func `only transmitters stand on topics`() {
        #expect(Self.pairs.allSatisfy { $0.0.isOwnName })
        #expect(!Self.rules.contains { $0.0.isOwnName })
    }

    @Test(arguments: pairs + rules)
    func `an identity is written and read`(identity: Identity, text: String) {
        #expect(identity.text == text)
        #expect(Identity(text: text) == identity)
        #expect(Identity(text: "x\(text)"[...].dropFirst()) == identity)
        #expect(text.isSlug)
    }

    @Test(arguments: pairs + rules)
    func `no other text stands for an identity`(identity: Identity, text: String) {
        #expect(Identity(text: text.uppercased()) == nil)
        #expect(Identity(text: text + "\n") == nil)
        #expect(Identity(text: text + "-") != identity)
        #expect(Identity(text: "-" + text) == nil)
        for length in 0..<text.count {
            // A shorter number is another identity, but never this one.
            #expect(Identity(text: text.prefix(length)) != identity)
        }
    }

    @Test(arguments: [
        "", "-", "ib", "ib-", "ib-\(hex)-", "ib-\(hex)-1-", "ib-\(hex)--1",
        "ib-\(hex)-65536", "ib-\(hex)-1-65536", "ib-\(hex)-01-1", "ib-\(hex)-+1-1",
        "ib-\(hex)-1-1-1", "ib-\(hex.dropLast())x", "ib-\(hex.dropLast())x-1", "ib-\(hex)x-1-1",
        "ib-\(hex.dropLast(2))xx-1-1", "ibm-\(hex.dropLast())x-xxxxxxxx-00000001",
        "ib-\(hex)0-1-1", "ib-f7826da6-4fa2-4e98-8024-bc5b71e0893e-1-1", "ab-\(hex)",
        "ab-\(hex)0000000g",
        "eu-\(hex)", "eu-f7826da64fa24e98802-4bc5b71e0893e", "mac-", "mac-00c0ffee123",
        "mac-00:c0:ff:ee:12:34", "mac-00c0ffee123é", "IB-\(hex)-1-1",
        "ibm-\(hex)-xxxxxxxx-xxxxxxxx", "ibm-\(hex)-00000001-xxxxxxxx",
        "ibm-\(hex)-00000001-00000002", "ibm-\(hex)-xxxxxxxx-0000000", "ibm-\(hex)-xxxxxxxx",
        "ibm-\(hex)-xxxxxxxx-00000004", "ibm-\(hex)-xxxxxxxx-0000000é", "irk", "irk-", "irk-Mary",
        "irk-a_b", "irk-" + String(repeating: "a", count: 29), "eid-", "nm-", "nm-5", "nm-00",
        "nm-5400", "nm-+1", "nm-5A", "nm-" + String(repeating: "61", count: 31), "eu-", "eu-00",
    ])
    func `what is not quite right is nothing`(text: String) {
        #expect(Identity(text: text) == nil)
    }
}
