import GRDB
import Testing

@testable import Notifications
@testable import Records
@testable import Registry
@testable import SiteModel
@testable import SiteStore

/// What is stored of tags that come and go.
struct RangeNoticeTests {
    @Test func `tags of people who agreed and tags of nobody are told of, others are not`() throws {
        // Ada agreed, and the carrier of b-r did not; nobody carries b-u.
        let site = try EditedSite()
        let notices = RangeNotices(site.store)
        let crossings = ["b-a", "b-r", "b-u", "none"].map {
            RangeWatch.Crossing(beacon: $0, isIn: true, at: EditedSite.now)
        }
        try notices.put(crossings, at: EditedSite.now)
        try notices.put(crossings, at: EditedSite.now)
        try notices.put(
            [RangeWatch.Crossing(beacon: "b-u", isIn: false, at: EditedSite.now + .seconds(90))],
            at: EditedSite.now + .seconds(150))
        let rows = try site.store.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT kind || ' ' || subject || ' ' || coalesce(user.slug, '-') FROM notification
                        LEFT JOIN user ON user.id = notification.user ORDER BY notification.id
                    """)
        }
        #expect(rows == ["tag-seen b-a u-a", "tag-seen b-u -", "tag-gone b-u -"])
        #expect(try notices.known() == ["b-a": true, "b-u": false])
    }

    @Test func `a group tells of what it says, and of nothing at first`() throws {
        let site = try EditedSite()
        let groups = try RangeNotices(site.store).groups()
        #expect(groups.keys.sorted() == ["machines"])
        #expect(groups["machines"]?.enter == true && groups["machines"]?.leave == true)
    }
}
