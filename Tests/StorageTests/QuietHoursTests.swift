import Basics
import Foundation
import Scheduling
import Testing

@testable import Notifications
@testable import SiteModel
@testable import SiteStore
@testable import Platform

/// People are left alone at night, and nothing is lost by it.
struct QuietHoursTests {
    private let scratch: Scratch
    private let store: Store
    private let night = DailyHours("22:00-07:00")

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    /// A moment by its UTC text.
    private static func utc(_ text: String) throws -> Timestamp {
        let date = try Date(text, strategy: .iso8601)
        return Timestamp(milliseconds: Int64(date.timeIntervalSince1970 * 1000))
    }

    @Test(
        arguments: [
            // Europe/Berlin, winter: UTC+1.
            ("22:00-07:00", "2026-01-15T20:59:59Z", nil),
            ("22:00-07:00", "2026-01-15T21:00:00Z", "2026-01-16T06:00:00Z"),
            ("22:00-07:00", "2026-01-16T05:59:59Z", "2026-01-16T06:00:00Z"),
            ("22:00-07:00", "2026-01-16T06:00:00Z", nil),
            // Within one day.
            ("12:00-13:30", "2026-01-16T11:00:00Z", "2026-01-16T12:30:00Z"),
            ("12:00-13:30", "2026-01-16T12:30:00Z", nil),
            // The night of 29 March 2026 has an hour less, that of 25 October one more.
            ("22:00-07:00", "2026-03-28T21:00:00Z", "2026-03-29T05:00:00Z"),
            ("22:00-07:00", "2026-10-24T20:00:00Z", "2026-10-25T06:00:00Z"),
            // An end that clocks skip is the moment after.
            ("22:00-02:30", "2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z"),
            // 02:30 comes twice: the first time is long enough.
            ("22:00-02:30", "2026-10-25T00:10:00Z", "2026-10-25T00:30:00Z"),
            // 02:10 for the second time: quiet again.
            ("22:00-02:30", "2026-10-25T01:10:00Z", "2026-10-25T01:30:00Z"),
        ] as [(String, String, String?)])
    func `quiet hours end by the site's clocks`(
        hours: String, moment: String, end: String?
    ) throws {
        let quiet = try #require(DailyHours(hours))
        let berlin = SiteCalendar(zone: "Europe/Berlin")
        let found = quiet.end(after: try Self.utc(moment), by: berlin)
        #expect(found == (try end.map(Self.utc)))
        #expect(quiet.text == hours)
    }

    @Test(arguments: [
        "", "22:00", "22:00-22:00", "24:00-07:00", "22:60-07:00", "2:00-07:00", "22:00-07:00-08:00",
        "22.00-07.00", "-1:00-07:00", "22:00 - 07:00", "+2:00-07:00",
    ])
    func `what are no hours is refused`(text: String) { #expect(DailyHours(text) == nil) }

    /// 23:00 in Berlin on the tests' first evening.
    private let evening = 14.0 * 3600 + 400 - 7200
    /// 07:00 on the day after.
    private var morning: Double { evening + 8 * 3600 }

    @Test func `what waits for the end of quiet hours is told then, in order`() throws {
        try store.commit([
            .arrival(1, of: ann, evening, due: morning),
            .departure(2, of: ann, evening + 60, due: morning),
        ])
        #expect(try NotificationQueue(store).untold(at: at(morning - 1), most: 9) == [])
        let again = try Store(path: scratch.path)
        #expect(
            try NotificationQueue(again).untold(at: at(morning), most: 9).map(\.payload.kind) == [
                .arrival, .departure,
            ])
    }

    @Test func `a webhook keeps quiet unless it is told not to`() throws {
        let (quiet, awake) = (
            try WebhookAddress("http://127.0.0.1:9/quiet"), try WebhookAddress("http://[::1]:9/")
        )
        _ = try Webhooks(store).add(
            quiet, secret: .secret, kinds: [.arrival], keepsQuiet: true, by: "ann", at: at(0))
        _ = try Webhooks(store).add(
            awake, secret: .secret, kinds: [.arrival], keepsQuiet: false, by: "ann", at: at(0))
        try store.commit([.arrival(1, of: ann, evening, due: morning)])
        #expect(try Deliveries(store).due(at: at(evening + 1), busy: []).map(\.url) == [awake.url])
        #expect(
            try Deliveries(store).due(at: at(morning), busy: []).map(\.url) == [
                quiet.url, awake.url,
            ])
    }

    @Test func `the rules are kept as they were set`() throws {
        #expect(try NotificationQueue(store).noticeRules() == NoticeRules())
        let rules = NoticeRules(
            quiet: night, urgent: [.noCheckIn, .batteryLow], forgotten: .seconds(3600))
        try NotificationQueue(store).setNoticeRules(rules, by: "ann", at: at(0))
        #expect(try NotificationQueue(Store(path: scratch.path)).noticeRules() == rules)
    }
}
