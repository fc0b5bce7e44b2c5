@testable import SiteModel
@testable import Records
@testable import Registry
@testable import SiteEngine
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

    /// What nodes are told is the list of beacons in force: their slugs and identities.
    @Test(arguments: ["own", "kept", "handed on", "retired"])
    func `an erasure raises the plan's revision only with what nodes are told`(
        beacon: String
    ) throws {
        var gym = SiteDocument.gym
        let tag = try #require(gym.beacons.firstIndex { $0.user == "u-cid" })
        let slug = gym.beacons[tag].slug
        if beacon == "handed on" {
            gym.beacons[tag].user = "u-bob"
            try SiteImport(site.store).importDocument(gym, at: BooksSite.now - .seconds(60))
        } else if beacon == "retired" {
            gym.beacons.remove(at: tag)
            try SiteImport(site.store).importDocument(gym, at: BooksSite.now - .seconds(60))
        }
        let before = try #require(try site.store.load())
        guard
            case .success = try Erasures(site.store).erase(
                user: "u-cid", reason: "asked for it",
                options: ErasureOptions(keepsBeacons: beacon == "kept"), by: "mia", via: .cli,
                at: BooksSite.now)
        else { throw BooksRefusal(.unavailable, "not erased") }
        let after = try #require(try site.store.load())
        let lists = [before, after].map { loaded in
            loaded.plan.beacons.map { "\(loaded.names.beacons.slug($0.id)) \($0)" }
        }
        #expect((after.plan.revision != before.plan.revision) == (lists[0] != lists[1]), "\(slug)")
        #expect((after.plan.revision != before.plan.revision) == ["own", "kept"].contains(beacon))
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

    /// Two sessions of Ann are corrected; then she comes in again, long after.
    @Test func `who is in is not remembered by all that was ever corrected`() throws {
        let now = BooksSite.now
        try site.correct(
            .times(
                2, revision: nil, from: now - .seconds(7000), to: now - .seconds(3600)))
        #expect(try site.store.overrides().amendments.count == 1)
        let later = now + .seconds(30 * 86_400)
        let open = Session(id: 7, user: ann, from: later, to: nil)
        try site.store.commit([
            .session(open),
            .site(SiteRow(clock: later + .seconds(60), next: 9, coverage: [], clocks: [])),
        ])
        #expect(try site.store.overrides().amendments == [])
        try site.correct(
            .times(7, revision: nil, from: later - .seconds(600), to: nil),
            at: later + .seconds(60))
        #expect(try site.store.overrides().amendments.count == 1)
    }

    @Test func `before machines took anything in, there is nothing of theirs, and all decided`()
        throws
    {
        let scratch = try Scratch()
        try FrozenSchema(version: 1).make(at: scratch.path)
        try scratch.execute("UPDATE overrides SET revision = 0, taken = NULL")
        let store = try Store(path: scratch.path)
        #expect(try store.load()?.saved.overrides == nil)
        let decided = try store.overrides()
        #expect(decided.revision == 0 && decided.amendments.count == 1)
    }
}
