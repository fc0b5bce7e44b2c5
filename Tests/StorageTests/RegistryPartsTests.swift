import Basics
import Testing

@testable import Records
@testable import Registry
@testable import SiteModel
@testable import SiteStore

/// What is read of a site after single rows changed is what is read of all of it.
struct RegistryPartsTests {
    private let scratch: Scratch
    private let store: Store
    /// The revision that is known.
    private final class Seen { var revision: Int64 = 1 }
    private let seen = Seen()

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
        _ = try store.changedRegistry(since: nil)
    }

    private func expectSame(_ comment: Comment) throws {
        let known = try #require(try store.changedRegistry(since: seen.revision))
        seen.revision = known.plan.revision
        let read = try #require(try store.registry())
        #expect(known.plan == read.plan, comment)
        #expect(known.names == read.names, comment)
        #expect(known.names.users.entries == read.names.users.entries, comment)
        for entry in read.names.users.entries {
            #expect(known.names.users.id(entry.slug) == entry.id, comment)
            #expect(known.names.users.slug(entry.id) == entry.slug, comment)
        }
    }

    /// A walk of edits that a generator chooses, valid or refused.
    @Test(arguments: 0..<12)
    func `after any edits of rows`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let editor = RowEditor(store)
        var done = 0
        for step in 0..<60 {
            let asker = Asker(name: "ada", via: .cli, at: at(Double(step) * 10))
            let n = Int.random(in: 0..<6, using: &random)
            func section(_ members: (key: String, value: String)...) -> SiteTree {
                .section(members.map { ($0.key, .text($0.value)) })
            }
            let edits: [RowEdit] = [
                .put(.users, section(("id", "u-\(n)"), ("name", "Person \(step)"))),
                .patch(.users, "u-ann", section(("name", "Ann \(step)"))),
                .patch(.users, "u-\(n)", section(("consent", "2026-\(step)"))),
                .retire(.users, "u-\(n)"),
                .put(
                    .beacons,
                    section(
                        ("id", "b-\(n)x"), ("identity", "mac-c0ffee0000\(n + 10)"),
                        ("user", n < 3 ? "u-ann" : "u-\(n)"))),
                .patch(.beacons, "b-\(n)x", section(("title", "Tag \(step)"))),
                .patch(.beacons, "b-\(n)x", section(("user", "u-bob"))),
                .patch(.beacons, "b-\(n)x", .section([("user", .null)])),
                .retire(.beacons, "b-\(n)x"), .swap("b-1", "b-\(n)x"),
                .patch(.rooms, "hall", section(("name", "Hall \(step)"))),
                .patch(.stations, "bench", section(("room", n < 3 ? "hall" : "yard"))),
                .put(.exercises, section(("id", "e-\(n)"))), .retire(.exercises, "e-\(n)"),
                .policy(.section([("site_floor_dbm", .scalar("-\(80 + n)"))])),
            ]
            guard let edit = edits.randomElement(using: &random) else { continue }
            do {
                try editor.perform(edit, by: asker)
                done += 1
            } catch is BooksRefusal {}
            // Several at once are followed, too.
            if Int.random(in: 0..<3, using: &random) > 0 { try expectSame("\(step): \(edit)") }
        }
        try expectSame("at the end")
        #expect(done > 20)
    }

    @Test func `what no write has touched is not read again`() throws {
        // Without a revision, as nothing of ours would do it: so that it shows.
        try scratch.execute("UPDATE room SET name = 'Lobby' WHERE slug = 'hall'")
        try RowEditor(store).perform(
            .patch(.users, "u-ann", .section([("name", .text("Anne"))])),
            by: Asker(name: "ada", via: .cli, at: at(6)))
        let followed = try #require(try store.changedRegistry(since: 1)).names
        #expect(followed.rooms.entries[0].name == "Hall")
        #expect(followed.users.entries[0].name == "Anne")
        let anew = try #require(try store.changedRegistry(since: nil)).names
        #expect(anew.rooms.entries[0].name == "Lobby")
    }

    @Test func `after a write beside this store all is read`() throws {
        let other = try Store(path: scratch.path)
        try RowEditor(other).perform(
            .patch(.rooms, "hall", .section([("name", .text("Lobby"))])),
            by: Asker(name: "bob", via: .cli, at: at(5)))
        let before = try store.revisions().plan
        try RowEditor(store).perform(
            .patch(.users, "u-ann", .section([("name", .text("Anne"))])),
            by: Asker(name: "ada", via: .cli, at: at(6)))
        seen.revision = before
        try expectSame("a room of another, a person of ours")
        // It comes between our looking and our writing.
        let known = try store.revisions().plan
        for (writer, name) in [(other, "Foyer"), (store, "Hall 2")] {
            try RowEditor(writer).perform(
                .patch(
                    writer === other ? .rooms : .stations, writer === other ? "hall" : "bench",
                    .section([("name", .text(name))])),
                by: Asker(name: "bob", via: .cli, at: at(7)))
        }
        seen.revision = known
        try expectSame("another was between")
    }

    @Test func `after an import, an erasure and what is undone`() throws {
        var gym = SiteDocument.gym
        gym.users += (0..<100).map { .init(slug: "u-n\($0)", name: "N") }
        gym.users[0].name = "Anne"
        gym.timeZone = "Europe/Paris"
        try SiteImport(store).importDocument(gym, at: at(10))
        try expectSame("import")
        #expect(throws: (any Error).self) {
            try store.transaction { db in
                try db.run("UPDATE user SET name = 'x'")
                throw CancellationError()
            }
        }
        try expectSame("undone")
        _ = try Erasures(store).erase(
            user: "u-cid", reason: "asked", by: "ada", via: .cli, at: at(20)
        ).get()
        try expectSame("erasure")
    }
}
