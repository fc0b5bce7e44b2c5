import Testing

@testable import CoordinatorService
@testable import Registry
@testable import SiteModel
@testable import SitePipeline
@testable import SiteStore
@testable import WebServer
@testable import Wire

/// What is taken out of a site is gone from its page and its topics; history keeps the names.
struct RetiredThingsTests {
    /// Slugs and names of what is taken out.
    private let gone = [
        "u-gone", "Gone G.", "old-rack", "Old rack", "attic", "Attic", "n-back", "Back door",
        "tag-lost", "Lost tag",
    ]
    private let site: ScriptedSite

    init() throws {
        site = try ScriptedSite { store in
            var document = ScriptedSite.document
            document.rooms.append(.init(slug: "attic", name: "Attic"))
            document.stations.append(
                .init(slug: "old-rack", name: "Old rack", room: "attic", slots: 1))
            document.nodes.append(.init(slug: "n-back", name: "Back door", room: "attic"))
            document.users.append(.init(slug: "u-gone", name: "Gone G."))
            document.beacons.append(
                .init(
                    slug: "tag-lost", title: "Lost tag", identity: .address(0x0102_0304_0506),
                    user: "u-gone"))
            try SiteImport(store).importDocument(document, at: ScriptedSite.start)
        }
        site.connect()
    }

    private var page: String { String(decoding: site.feed.snapshot().json, as: UTF8.self) }

    private func sayOnline(_ node: String) {
        let status = NodeStatusPayload(
            state: .online, boot: 1, sinceMs: site.script.now.milliseconds)
        site.receive("node/\(node)/status", status.json)
    }

    private var nodesTotal: Int? {
        get throws {
            let state = site.loop.pipeline.board.topics[ScriptedSite.root + "state"]
            return try state.map { try SiteStatePayload(json: $0.span).nodesTotal }
        }
    }

    @Test func `what is retired is gone from the page, and a node that goes on talking, too`()
        throws
    {
        sayOnline("n-back")
        sayOnline("n1")
        try site.turn { page.contains("node/n-back/status") && site.loop.pipeline.isSettled }
        for word in gone { #expect(page.contains(word), "\(word)") }
        #expect(try nodesTotal == 2)

        try SiteImport(site.store).importDocument(ScriptedSite.document, at: site.script.now)
        try site.turn { site.loop.pipeline.mesh.plan.nodes.count == 1 }
        try site.turn { site.loop.pipeline.isSettled }
        for turn in ["at once", "after the node said something"] {
            for word in gone { #expect(!page.contains(word), "\(word) \(turn)") }
            sayOnline("n-back")
            try site.pass(seconds: 1)
        }
        #expect(page.contains("node/n1/status") && page.contains("Door"))
        #expect(try nodesTotal == 1)
        var kept: [String: [UInt8]] = [:]
        for message in site.script.published where message.isRetained {
            kept[message.topic] = message.payload.isEmpty ? nil : message.payload
        }
        for slug in ["u-gone", "old-rack", "attic", "n-back", "tag-lost"] {
            #expect(!kept.keys.contains { $0.contains("/\(slug)/") }, "\(slug)")
        }
    }

    @Test func `after a restart it is gone, too, and history has its name`() throws {
        try SiteImport(site.store).importDocument(ScriptedSite.document, at: site.script.now)
        let (plan, names, _) = try #require(try site.store.load())
        let shown = String(decoding: PageNames.json(names, in: plan), as: UTF8.self)
        for word in gone { #expect(!shown.contains(word), "\(word)") }
        #expect(shown.contains(#""nodes":{"n1":"Door"}"#))
        let user = try #require(names.users.id("u-gone"))
        #expect(names.users.entry(user)?.name == "Gone G.")
    }
}
