import Foundation
import Notifications
import Testing

@testable import SiteModel
@testable import SiteStore

/// Who should be there and is not, by the clocks of Europe/Berlin.
struct MissedShiftTests {
    private let scratch: Scratch
    private let store: Store

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    private static func utc(_ text: String) throws -> Timestamp {
        let date = try Date(text, strategy: .iso8601)
        return Timestamp(milliseconds: Int64(date.timeIntervalSince1970 * 1000))
    }

    /// A shift with 10 minutes of grace and an hour of coming early; Ann and Bob have it.
    private func shift(_ from: Int, _ to: Int, weekdays: Int = 127) throws {
        try scratch.execute(
            """
            INSERT INTO shift (id, slug, name, start_min, end_min, early_in_min, late_out_min,
                late_grace_min, exit_grace_min, break_min, half_day_min, absent_min)
            VALUES (1, 'desk', 'Desk', \(from), \(to), 60, 60, 10, 0, 0, 0, 0);
            INSERT INTO shift_assignment (id, user, shift, from_date, to_date, weekdays)
            VALUES (1, 1, 1, '2026-01-01', NULL, \(weekdays)), (2, 2, 1, '2026-01-01', NULL, \(weekdays));
            """)
    }

    private func session(_ id: Int64, of user: UserID, _ from: String, _ to: String?) throws {
        try store.commit([
            .session(
                Session(
                    id: id, user: user, from: try Self.utc(from), to: try to.map(Self.utc)))
        ])
    }

    private func missed(_ moment: String) throws -> [String] {
        let before = try store.texts("SELECT max(id) FROM notification").first ?? "-"
        _ = try NotificationQueue(store).notice(at: try Self.utc(moment))
        return try store.texts(
            """
            SELECT user.slug || ' ' || subject FROM notification JOIN user ON user.id = user
            WHERE kind = 'no-check-in' AND notification.id > \(before == "-" ? "0" : before)
            ORDER BY notification.id
            """)
    }

    @Test func `whoever does not come within the grace is told of once`() throws {
        // Monday 12 January 2026, 09:00 in Berlin is 08:00 UTC.
        try shift(9 * 60, 17 * 60)
        try session(1, of: ann, "2026-01-12T07:55:00Z", nil)
        #expect(try missed("2026-01-12T08:09:59Z") == [])
        #expect(try missed("2026-01-12T08:10:00Z") == ["u-bob desk 2026-01-12"])
        #expect(try missed("2026-01-12T08:10:01Z") == [])
        #expect(
            try store.texts("SELECT body, late FROM notification")
                == ["u-bob has not come; the shift began at 09:00. 0"])
        // The next day is another one.
        #expect(try missed("2026-01-13T08:10:00Z") == ["u-bob desk 2026-01-13"])
    }

    @Test func `who came early counts, and who left before that does not`() throws {
        try shift(9 * 60, 17 * 60)
        try session(1, of: ann, "2026-01-12T06:00:00Z", "2026-01-12T07:00:00Z")
        try session(2, of: bob, "2026-01-12T06:00:00Z", "2026-01-12T07:00:01Z")
        #expect(try missed("2026-01-12T08:10:00Z") == ["u-ann desk 2026-01-12"])
    }

    @Test func `leave, other weekdays, other dates and shifts that are over are left alone`() throws
    {
        // Monday only.
        try shift(9 * 60, 17 * 60, weekdays: 1)
        try scratch.execute("INSERT INTO leave_day VALUES (1, '2026-01-12', 'holiday', 0)")
        try scratch.execute("UPDATE shift_assignment SET to_date = '2026-01-19' WHERE id = 2")
        #expect(try missed("2026-01-11T08:10:00Z") == [])
        #expect(try missed("2026-01-12T08:10:00Z") == ["u-bob desk 2026-01-12"])
        #expect(try missed("2026-01-13T08:10:00Z") == [])
        #expect(try missed("2026-01-19T16:00:00Z") == [])
        #expect(try missed("2026-01-26T08:10:00Z") == ["u-ann desk 2026-01-26"])
    }

    @Test func `a night shift is told of after midnight, too`() throws {
        try shift(22 * 60, 6 * 60)
        try session(1, of: ann, "2026-01-12T21:00:00Z", nil)
        // 00:30 in Berlin: recorded, and no news.
        #expect(try missed("2026-01-12T23:30:00Z") == ["u-bob desk 2026-01-12"])
        #expect(try store.texts("SELECT late FROM notification") == ["1"])
        #expect(try missed("2026-01-13T05:00:00Z") == [])
    }

    @Test func `a shift begins by the clocks in the nights when they are changed`() throws {
        try shift(2 * 60 + 30, 10 * 60)
        // 29 March 2026: 02:30 is skipped, and 03:00 counts; 25 October: it comes twice, and the first counts.
        #expect(try missed("2026-03-29T01:09:59Z") == [])
        #expect(try missed("2026-03-29T01:10:00Z").count == 2)
        #expect(try missed("2026-10-25T00:39:59Z") == [])
        #expect(try missed("2026-10-25T00:40:00Z").count == 2)
    }
}
