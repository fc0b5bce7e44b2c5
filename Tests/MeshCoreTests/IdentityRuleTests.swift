import Testing

@testable import NodeEngine
@testable import SiteModel

/// Which identity says what, and which leaves nothing for another.
struct IdentityRuleTests {
    typealias Masked = Identity.Masked
    let uuid = Packet.uuid

    private func name(_ text: String) throws -> Identity {
        .name(try #require(ShortText(text.utf8)))
    }

    @Test func `a region that means one thing is that thing`() {
        #expect(
            Identity.region(uuid: uuid, major: Masked(1), minor: Masked(2))
                == .iBeacon(uuid: uuid, major: 1, minor: 2))
        #expect(
            Identity.region(uuid: uuid, major: Masked(1), minor: .any)
                == .iBeaconRolling(uuid: uuid, major: 1))
        let half = Masked(0x1234, mask: 0xFF00)
        #expect(half.value == 0x1200)
        #expect(
            Identity.region(uuid: uuid, major: Masked(1), minor: half)
                == .iBeaconRegion(uuid: uuid, major: Masked(1), minor: half))
    }

    @Test func `a wider region before a narrower one hides it, and not the other way round`() {
        let all = Identity.region(uuid: uuid, major: .any, minor: .any)
        let some = Identity.region(uuid: uuid, major: Masked(1), minor: Masked(0, mask: 0xFF00))
        let fewer = Identity.region(uuid: uuid, major: Masked(1), minor: Masked(16, mask: 0xFFF0))
        let others = Identity.region(
            uuid: uuid, major: Masked(1), minor: Masked(0x110, mask: 0xFFF0))
        #expect(all.hides(some) && some.hides(fewer) && all.hides(fewer))
        #expect(!some.hides(all) && !fewer.hides(some) && !some.hides(others))
        let hidden = Identity.hidden(in: [.address(1), some, others, fewer])
        #expect(hidden?.place == 3 && hidden?.by == 1)
        #expect(Identity.hidden(in: [fewer, some, all]) == nil)
        // Whole identities are looked up before any rule.
        #expect(Identity.hidden(in: [all, .iBeacon(uuid: uuid, major: 1, minor: 1)]) == nil)
    }

    @Test(arguments: [
        ("Tag*", "Tag 1*", true), ("Tag*", "Tag*", true), ("*", "?", true), ("?*", "*", false),
        ("Tag ?", "Tag *", false), ("Tag *", "Tag ?", true), ("*a*", "ba?", true),
        ("*a", "*b", false), ("Tag 1*", "Tag*", false), ("T*g", "T?g", true), ("T?g", "T*g", false),
    ])
    func `a wider pattern hides a narrower one`(wide: String, narrow: String, isHidden: Bool) throws
    {
        #expect(try name(wide).hides(try name(narrow)) == isHidden)
    }

    /// Heard through a node, because that is what patterns are for.
    @Test(arguments: [
        ("Tag 7", "Tag 7", true), ("Tag 7", "Tag 71", false), ("Tag 7", "tag 7", false),
        ("Tag *", "Tag ", true), ("Tag *", "Tag 7", true), ("Tag *", "Tag", false),
        ("*", "x", true), ("*7", "Tag 7", true), ("*7", "Tag 7 ", false),
        ("T*g*7", "Tagg 77", true),
        ("T*g*7", "Tagg 78", false), ("?", "é", true), ("??", "é", false), ("Tag ?", "Tag 😀", true),
        ("*é", "caf\u{e9}", true), ("a*a*a*a*b", String(repeating: "a", count: 29), false),
        ("Rower.7", "Rower 7", false), ("*", "", false),
    ])
    func `a pattern fits what it says`(pattern: String, shown: String, isHeard: Bool) throws {
        let start = Timestamp(milliseconds: 1_700_000_000_000)
        var core = NodeCore.recognising([try name(pattern)], at: start)
        core.heard(Packet.named(shown, address: 0x4000_0000_0001), at: start)
        let heard = core.tick(at: start + .seconds(1)).frames.first?.entries.map(\.beacon)
        #expect(heard == (isHeard ? [.known(0)] : []))
    }

    @Test func `a text is kept byte by byte, and has at most thirty`() {
        let bytes = [UInt8](1...30)
        #expect(ShortText(bytes)?.bytes == bytes)
        #expect(ShortText(bytes + [31]) == nil)
        #expect(ShortText([UInt8]()) == nil)
        #expect(ShortText([1, 0, 2] as [UInt8]) == nil)
        for length in 1...30 { #expect(ShortText(bytes.prefix(length))?.bytes.count == length) }
    }
}
