import GRDB
import Testing

@testable import Records
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore

/// What nobody waits for, because a person said so.
struct ExcuseTests {
    private let site: BooksSite
    /// Before Bob came, and after what `tell` makes the second node tell.
    private let boundary = BooksSite.now - .seconds(7000)

    init() throws { site = try BooksSite() }

    private var lock: BooksCall {
        .lock(through: "2025-11-08", boundary: boundary, reason: "paid", force: false)
    }

    /// The first node told everything a minute ago; the second what is given, at a moment.
    private func tell(_ through: Timestamp?, at told: Timestamp = BooksSite.now) throws {
        let first = Watermark(
            node: NodeID(1), through: BooksSite.now - .seconds(60), told: BooksSite.now)
        let second = through.map { Watermark(node: NodeID(2), through: $0, told: told) }
        try site.store.commit([
            .site(
                SiteRow(
                    clock: BooksSite.now, next: 4, coverage: [], clocks: [],
                    watermarks: [first] + [second].compactMap(\.self)))
        ])
    }

    private func text() throws -> String? {
        switch try Books(site.store).perform(lock, by: "mia", via: .cli, at: BooksSite.now) {
        case .success: nil
        case .failure(let refusal): refusal.text
        }
    }

    @Test func `a node that never told holds back the lock, by name, until it is excused`() throws {
        try tell(nil)
        let refusal = try #require(try text())
        #expect(refusal.contains("n-rack may still report"))
        #expect(!refusal.contains("n-hall"))
        #expect(try site.store.overrides().excuses == [])
        guard case .excuse(let row) = try site.ask(.excuse(node: "n-rack", reason: "stolen"))
        else { throw BooksRefusal(.unavailable, "no excuse") }
        #expect(
            (row.node, row.excusedBy, row.reason, row.endedAt) == ("n-rack", "mia", "stolen", nil))
        #expect(try site.store.revisions() == (1, 1), "no configuration changes")
        #expect(
            try site.store.overrides().excuses
                == [NodeExcuse(node: NodeID(2), since: BooksSite.now)])
        #expect(try Excuses(site.store).told().map(\.isAwaited) == [true, false])
        #expect(try text() == nil)
        #expect(
            try AuditTrail(site.store).entries(entity: "node_excuse", most: 9).map(\.action) == [
                "excuse"
            ])
    }

    @Test func `an excuse has no effect any more when the node tells again`() throws {
        try tell(BooksSite.now - .seconds(9000), at: BooksSite.now - .seconds(8000))
        _ = try site.ask(.excuse(node: "n-rack", reason: "broken"))
        #expect(try site.code(.excuse(node: "n-rack", reason: "again")) == "bad_state")
        let later = BooksSite.now + .seconds(5)
        try tell(BooksSite.now - .seconds(8900), at: later)
        #expect(try Excuses(site.store).told().map(\.isAwaited) == [true, true])
        #expect(try text()?.contains("n-rack") == true)
        // Silent again, it is excused again.
        _ = try site.ask(.excuse(node: "n-rack", reason: "broken again"), at: later + .seconds(1))
        #expect(try Excuses(site.store).told().last?.excuse?.reason == "broken again")
        #expect(
            try AuditTrail(site.store).entries(entity: "node_excuse", most: 9).map(\.action)
                == ["excuse", "await", "excuse"])
    }

    @Test func `an excuse ends by a word, and each refusal writes nothing`() throws {
        try tell(nil)
        _ = try site.ask(.excuse(node: "n-rack", reason: "stolen"))
        _ = try site.ask(.endExcuse(node: "n-rack"))
        #expect(try site.store.overrides().excuses == [])
        #expect(try text()?.contains("n-rack") == true)
        let before = try site.rows()
        #expect(try site.code(.endExcuse(node: "n-rack")) == "bad_state")
        #expect(try site.code(.endExcuse(node: "n-none")) == "not_found")
        #expect(try site.code(.excuse(node: "n-none", reason: "x")) == "not_found")
        #expect(try site.code(.excuse(node: "n-rack", reason: " ")) == "reason_required")
        #expect(try site.rows() == before)
    }
}
