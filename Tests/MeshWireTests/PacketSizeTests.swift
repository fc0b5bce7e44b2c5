import Testing

@testable import Operations
@testable import Wire

/// No message of ours is too long for our own limit.
struct PacketSizeTests {
    @Test(arguments: PayloadKind.allCases)
    func `every payload fits into a packet`(kind: PayloadKind) {
        #expect(kind.type.limit + PacketSize.envelope <= PacketSize.most)
    }

    @Test func `the longest topic leaves room for the rest`() {
        let topics = SiteTopics(site: Self.slug)
        let longest = [
            topics[.rssi, Self.slug, Self.slug],
            topics[.response, Self.slug, Verb.checkOut.name],
            topics[.event, Self.slug, Self.slug],
        ].map(\.utf8.count)
        #expect((longest.max() ?? 0) <= PacketSize.envelope / 2)
    }

    /// As long as a slug may be.
    private static let slug = String(repeating: "a", count: 64)
}
