import Testing

@testable import SiteModel
@testable import SitePipeline
@testable import Wire

/// Which cards are shown of which tag, and which groups it is in.
struct CardTableTests {
    private static let uuid = "7b44b47b52a1538190c2f09b6838c5d4"
    private static let other = "00000000000000000000000000000001"

    private static func identity(_ text: String) throws -> Identity {
        try #require(Identity(text: text), "\(text)")
    }

    /// What a rule covers and what not.
    @Test(arguments: [
        ("ib-\(uuid)", "ib-\(uuid)-1-2", true), ("ib-\(uuid)", "ib-\(uuid)-1", true),
        ("ib-\(uuid)", "ib-\(other)-1-2", false), ("ib-\(uuid)-1", "ib-\(uuid)-1-2", true),
        ("ib-\(uuid)-1", "ib-\(uuid)-2-2", false), ("ib-\(uuid)-1-2", "ib-\(uuid)-1-2", true),
        ("ib-\(uuid)-1-2", "ib-\(uuid)-1", false),
        // The major counts, and of the minor its upper half, which is 1.
        ("ibm-\(uuid)-00000001-0001xxxx", "ib-\(uuid)-1-300", true),
        ("ibm-\(uuid)-00000001-0001xxxx", "ib-\(uuid)-1-512", false),
        ("ibm-\(uuid)-00000001-0001xxxx", "ib-\(uuid)-1", false),
        ("eu-00112233445566778899", "eu-00112233445566778899-aabbccddeeff", true),
        ("eu-00112233445566778899", "eu-00112233445566778898-aabbccddeeff", false),
        ("nm-5461672a", "nm-54616731", true), ("nm-5461672a", "nm-41616731", false),
        ("mac-c0ffee000001", "mac-c0ffee000001", true),
        ("mac-c0ffee000001", "mac-c0ffee000002", false),
    ])
    func `a rule covers what fits it`(rule: String, identity: String, isCovered: Bool) throws {
        #expect(try Self.identity(rule).covers(Self.identity(identity)) == isCovered)
    }

    private static func names(_ cards: [Card], groups: [BeaconGroup] = []) -> Names {
        var names = PipelineSite.names()
        names.cards = cards
        names.groups = groups
        return names
    }

    private static func beacon(_ id: Int64, _ text: String) throws -> Beacon {
        Beacon(id: BeaconID(id), identity: try identity(text), anchor: nil, threshold: nil)
    }

    @Test func `a tag's own card comes before its minor's, that before its group's`() throws {
        let groups = [
            BeaconGroup(slug: "all", rule: try Self.identity("ib-\(Self.uuid)")),
            BeaconGroup(slug: "ones", rule: try Self.identity("ib-\(Self.uuid)-1")),
        ]
        var cards = [
            Card("g2", of: .group("ones"), title: "of ones"),
            Card("g1", of: .group("all"), title: "of all"),
            Card("m", of: .minor(2, group: nil), title: "of any two"),
            Card("gm", of: .minor(2, group: "ones"), title: "of two of ones"),
            Card("b", of: .beacon(BeaconID(1)), title: "its own"),
        ]
        let beacon = try Self.beacon(1, "ib-\(Self.uuid)-1-2")
        for title in ["its own", "of two of ones", "of any two", "of all", "of ones"] {
            let table = CardTable(Self.names(cards, groups: groups))
            #expect(table.cards(of: beacon).map(\.title) == [title])
            #expect(table.groups(of: beacon) == ["all", "ones"])
            cards.removeAll { $0.title == title }
        }
        let table = CardTable(Self.names(cards, groups: groups))
        #expect(table.cards(of: beacon).isEmpty)
        #expect(table.groups(of: try Self.beacon(2, "ib-\(Self.other)-1-2")).isEmpty)
    }

    @Test func `each language has its card, and no more than fit a message are told`() throws {
        let long = String(repeating: "漢", count: 240)
        let cards = (0..<12).map {
            Card(
                "c-\($0)", of: .beacon(BeaconID(1)), title: String(long.prefix(120)),
                subtitle: long,
                text: String(repeating: "漢", count: 2000),
                picture: String(repeating: "p", count: 90),
                link: "https://" + String(repeating: "x", count: 500), language: "l\($0)")
        }
        let table = CardTable(Self.names(cards))
        let told = table.cards(of: try Self.beacon(1, "mac-c0ffee000001"))
        #expect(told.map(\.language) == (0..<6).map { "l\($0)" })
        let payload = BeaconInfoPayload(
            kind: .address, title: String(long.prefix(120)),
            groups: (0..<64).map { "g-\($0)" + String(repeating: "g", count: 60) }, cards: told)
        #expect(payload.json.count <= BeaconInfoPayload.limit)
        #expect(try BeaconInfoPayload(json: payload.json.span) == payload)
    }

    @Test func `a card that is new is told, and nothing else is`() throws {
        var run = PipelineRun()
        let plan = PipelineSite.plan(2)
        let beacon = try #require(plan.beacons.first)
        let slug = PipelineSite.names().beacons.slug(beacon.id)
        let card = Card("c", of: .beacon(beacon.id), title: "Hello")
        _ = run.note(
            run.pipeline.adopt(plan: plan, names: PipelineSite.names(), at: PipelineRun.moment(1)))
        let effects = run.note(
            run.pipeline.adopt(
                plan: PipelineSite.plan(3), names: Self.names([card]), at: PipelineRun.moment(2)))
        let told = effects.publications.filter { $0.topic.hasSuffix("/info") }
        #expect(told.map(\.topic) == [PipelineSite.root + "beacon/\(slug)/info"])
        let info = try #require(effects.last("beacon/\(slug)/info"))
        #expect(try BeaconInfoPayload(json: info.payload.span).cards.map(\.title) == ["Hello"])
    }
}
