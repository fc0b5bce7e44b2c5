@testable import SiteModel
@testable import Records
@testable import Registry
@testable import SiteStore
import Testing

/// What people decided about attendance, apart from the plan.
struct OverridesTests {
    private let site: BooksSite

    init() throws { site = try BooksSite() }

    @Test func `what people decided is not what the machines know until they have taken it in`()
        throws
    {
        let before = try #require(try site.store.load())
        try site.correct(.remove(2, revision: nil))
        _ = try site.ask(
            .lock(through: "2025-10-09", boundary: at(10_000), reason: "paid", force: false))
        let decided = try site.store.overrides()
        #expect(decided.revision == 2 && decided.amendments.count == 1)
        #expect(decided.lockedThrough == at(10_000))
        let after = try #require(try site.store.load())
        #expect(after.plan == before.plan && after.names == before.names)
        #expect(after.saved == before.saved && after.saved.overrides == nil)
        try site.store.commit([.overrides(decided)])
        #expect(try site.store.load()?.saved.overrides == decided)
        #expect(try site.store.revisions() == (1, 2), "taking it in is no decision")
    }

    @Test func `a person nodes know nothing of is erased without a new configuration`() throws {
        var gym = SiteDocument.gym
        gym.beacons.removeAll { $0.user == "u-cid" }
        try SiteImport(site.store).importDocument(gym, at: BooksSite.now - .seconds(60))
        let before = try #require(try site.store.load())
        guard
            case .success = try Erasures(site.store).erase(
                user: "u-cid", reason: "asked for it", by: "mia", via: .cli, at: BooksSite.now)
        else { throw BooksRefusal(.unavailable, "not erased") }
        let after = try #require(try site.store.load())
        #expect(try site.store.revisions() == (2, 1))
        #expect(after.plan.beacons == before.plan.beacons)
        #expect(after.plan.users != before.plan.users && after.names != before.names)
    }

    @Test func `nothing of an erased person's corrections stays with what the machines know`()
        throws
    {
        try site.correct(.remove(2, revision: nil))
        let decided = try site.store.overrides()
        let user = try #require(decided.amendments.first?.user)
        try site.store.commit([.overrides(decided)])
        let names = try #require(try site.store.load()).names
        let slug = names.users.slug(user)
        guard
            case .success = try Erasures(site.store).erase(
                user: slug, reason: "asked for it",
                options: ErasureOptions(deletesAttendance: true), by: "mia", via: .cli,
                at: BooksSite.now)
        else { throw BooksRefusal(.unavailable, "not erased") }
        #expect(try site.store.load()?.saved.overrides?.amendments == [])
    }

    @Test func `a database of before has nothing taken in, and all that was decided`() throws {
        try site.correct(.remove(2, revision: nil))
        site.store.close()
        try site.scratch.execute(
            "DROP TABLE overrides; PRAGMA user_version = \(Schema.version - 1)")
        let store = try Store(path: site.scratch.path)
        #expect(try store.load()?.saved.overrides == nil)
        let decided = try store.overrides()
        #expect(decided.revision == 0 && decided.amendments.count == 1)
    }
}
