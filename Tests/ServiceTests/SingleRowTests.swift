import Testing

@testable import Records
@testable import Registry
@testable import SiteModel
@testable import SiteStore

/// What changes with a single row, and what a single row may not become because of others.
struct SingleRowTests {
    private let site: EditedSite

    init() throws { site = try EditedSite() }

    private func section(_ members: [(key: String, value: SiteTree)]) -> SiteTree {
        .section(members)
    }

    private func revision() throws -> Int64? { try SiteRows(site.store).site()?.revision }

    @Test
    func `an edit is one revision with a line of the audit, one that changes nothing is none`()
        throws
    {
        try site.edit(.patch(.rooms, "hall", section([("name", .text("Lobby"))])))
        #expect(try revision() == 2)
        let last = try #require(try AuditTrail(site.store).entries(most: 10).last)
        #expect(last.action == "change" && last.entity == "room" && last.entityID == "1")
        #expect(last.after == #"{"id": "hall", "revision": 2}"#)
        let same = try site.edit(.patch(.rooms, "hall", section([("name", .text("Lobby"))])))
        #expect(same.first?.after?["name"]?.string == "Lobby")
        #expect(try revision() == 2)
        try site.edit(.policy(section([("site_floor_dbm", .scalar("-91"))])))
        #expect(try revision() == 3)
        #expect(try SiteRows(site.store).policy()["site_floor_dbm"] == .scalar("-91"))
    }

    @Test func `a station that moves takes its nodes along`() throws {
        #expect(try site.row(.nodes, "n-1")?["room"]?.string == "hall")
        try site.edit(.patch(.stations, "rower", section([("room", .text("bar"))])))
        #expect(try site.row(.nodes, "n-1")?["room"]?.string == "bar")
        #expect(try site.row(.nodes, "n-1")?["station"]?.string == "rower")
        #expect(try site.row(.nodes, "n-2")?["room"]?.string == "bar")
        let document = try site.document()
        #expect(try SiteFile(SiteFileWriter(document).tree).document == document)
    }

    @Test func `what others name is not retired before them, and comes back as what it was`() throws
    {
        for (kind, slug, word) in [
            (SiteCollection.rooms, "hall", "it is the room of stations rower, bench"),
            (.stations, "rower", "it is the station of node n-1"),
            (.users, "u-a", "it is the user of node n-3"),
            (.rooms, "bar", "it is the room of node n-2"),
            (.stations, "bench", "it is the station of beacon b-w"),
        ] {
            let refusal = site.refusal { try $0.edit(.retire(kind, slug)) }
            #expect(refusal?.code == .schema)
            #expect(refusal?.text.hasPrefix(word) == true, "\(refusal?.text ?? "done")")
        }
        let number = try site.store.read { try RowTable(.beacons).number(of: "b-r", $0) }
        let beacon = try #require(try site.row(.beacons, "b-r"))
        try site.edit(.retire(.beacons, "b-r"))
        #expect(try site.row(.beacons, "b-r") == nil)
        #expect(site.refusal { try $0.edit(.retire(.beacons, "b-r")) }?.code == .notFound)
        try site.edit(.retire(.users, "u-b"))
        #expect(
            site.refusal { try $0.edit(.add(.beacons, beacon)) }?.text
                == #"user: there is no user "u-b""#)
        try site.edit(.add(.users, section([("id", .text("u-b"))])))
        try site.edit(.add(.beacons, beacon))
        #expect(try site.row(.beacons, "b-r") == beacon)
        #expect(try site.store.read { try RowTable(.beacons).number(of: "b-r", $0) } == number)
    }

    @Test func `who keeps places is not told what people carry`() throws {
        for (slug, words) in [("bench", "1 beacon"), ("rower", "node n-1")] {
            let refusal = site.refusal { site in
                try RowEditor(site.store).perform(
                    .retire(.stations, slug), readsPeople: false,
                    by: Asker(name: "ada", via: .rest, at: EditedSite.now))
            }
            #expect(refusal?.text.hasPrefix("it is the station of \(words):") == true)
        }
    }

    @Test func `any policy may be replaced with a star`() throws {
        let policy = section([("site_floor_dbm", .scalar("-91"))])
        #expect(
            site.refusal { try $0.edit(.policy(policy), ifMatch: "\"x\"") }?.code
                == .preconditionFailed)
        try site.edit(.policy(policy), ifMatch: "*")
        #expect(try SiteRows(site.store).policy()["site_floor_dbm"] == .scalar("-91"))
    }

    @Test func `the last room stays`() throws {
        let alone = try EditedSite("site: {id: gym}\nrooms: [{id: hall}]\n")
        let refusal = alone.refusal { try $0.edit(.retire(.rooms, "hall")) }
        #expect(refusal?.text == "it is the last room, and a site has one at least")
    }

    @Test(arguments: [
        // The one with any minor, and one minor of it.
        ("ib-7b44b47b52a1538190c2f09b6838c5d4-2-7", "b-r"),
        ("ib-7b44b47b52a1538190c2f09b6838c5d4-1", "b-a"),
        ("ib-7b44b47b52a1538190c2f09b6838c5dx-1-1", "b-a"),
        ("mac-001122334455", "b-w"), ("00:11:22:33:44:55", "b-w"),
    ])
    func `what another beacon answers to is taken`(identity: String, other: String) throws {
        for edit in [
            RowEdit.add(
                .beacons, section([("id", .text("b-new")), ("identity", .text(identity))])),
            .patch(.beacons, "b-k", section([("identity", .text(identity))])),
        ] {
            let refusal = site.refusal { try $0.edit(edit) }
            #expect(
                refusal?.text.hasPrefix("identity: beacon \"\(other)\" has it already") == true,
                "\(identity): \(refusal?.text ?? "done")")
        }
    }

    @Test func `rules are tried in the order of their rows, also after one of them changes`() throws
    {
        func name(_ text: String) -> SiteTree { .section([("name", .text(text))]) }
        try site.edit(
            .add(.beacons, section([("id", .text("b-t")), ("identity", name("Tag 1*"))])))
        let later = site.refusal {
            try $0.edit(
                .add(.beacons, section([("id", .text("b-u2")), ("identity", name("Tag 12*"))])))
        }
        #expect(later?.text.contains("beacon \"b-t\" comes first and takes all of it") == true)
        // b-n stands before b-t.
        let first = site.refusal {
            try $0.edit(.patch(.beacons, "b-n", section([("identity", name("Tag*"))])))
        }
        #expect(first?.text == "identity: takes all of what beacon \"b-t\" is recognised by")
        try site.edit(.patch(.beacons, "b-t", section([("identity", name("Tag 1?"))])))
        let rule = try site.row(.beacons, "b-t")?["identity"]
        try site.edit(.swap("b-n", "b-t"))
        #expect(try site.row(.beacons, "b-n")?["identity"] == rule)
    }

    @Test func `two who change one row: the second is told`() throws {
        let seen = RowEdit.tag(try #require(try site.row(.stations, "bench")))
        try site.edit(
            .patch(.stations, "bench", section([("slots", .scalar("2"))])), ifMatch: seen)
        for edit in [
            RowEdit.patch(.stations, "bench", section([("slots", .scalar("3"))])),
            .put(.stations, section([("id", .text("bench")), ("room", .text("hall"))])),
            .retire(.stations, "bench"),
        ] {
            let refusal = site.refusal { try $0.edit(edit, ifMatch: seen) }
            #expect(refusal?.code == (edit.isRetirement ? .schema : .preconditionFailed))
        }
        // What can never be is refused whatever the row is by now.
        let never = site.refusal {
            try $0.edit(
                .patch(.stations, "bench", section([("slots", .scalar("0"))])), ifMatch: seen)
        }
        #expect(never?.code == .schema)
        #expect(try site.row(.stations, "bench")?["slots"] == .scalar("2"))
    }

    @Test func `an erased id is nobody's any more`()
        throws
    {
        try site.edit(.add(.users, section([("id", .text("u-c")), ("name", .text("Cleo"))])))
        _ = try Erasures(site.store).erase(
            user: "u-c", reason: "asked", options: ErasureOptions(), by: "ada", via: .cli,
            at: EditedSite.now
        ).get()
        let refusal = site.refusal { try $0.edit(.add(.users, section([("id", .text("u-c"))]))) }
        #expect(refusal?.text.contains("was erased") == true)
    }

    @Test func `a list is filtered, sorted and turned over in the database`() throws {
        let rows = SiteRows(site.store)
        for (id, name) in [("e-1", "Überkopf"), ("e-2", "überzug"), ("e-3", "Zug")] {
            try site.add(.exercises, id, [("name", name)])
        }
        var query = SiteRows.Query()
        query.part = "ÜBER"
        query.isByLabel = true
        query.most = 1
        let first = try rows.page(.exercises, query)
        #expect(first.rows.map { $0["id"]?.string } == ["e-1"])
        query.after = first.next
        let second = try rows.page(.exercises, query)
        #expect(second.rows.map { $0["id"]?.string } == ["e-2"] && second.next == nil)
        var mine = SiteRows.Query()
        mine.onlyOf = "u-b"
        #expect(try rows.page(.nodes, mine).rows.map { $0["id"]?.string } == ["n-1", "n-2"])
        mine.onlyOf = ""
        mine.matching = [(SiteCollection.nodes.members[3], "hall")]
        #expect(try rows.page(.nodes, mine).rows.map { $0["id"]?.string } == ["n-1"])
    }
}

extension RowEdit {
    fileprivate var isRetirement: Bool { if case .retire = self { true } else { false } }
}
