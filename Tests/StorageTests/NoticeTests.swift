import Records
import Scheduling
import Synchronization
import Testing

@testable import Basics
@testable import Notifications
@testable import Registry
@testable import SiteEngine
@testable import SiteModel
@testable import SiteStore
@testable import Wire

/// Who is told what, from what is stored.
struct NoticeTests {
    private let scratch: Scratch
    private let store: Store

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
    }

    /// The whole of what waits to be told.
    private func told(_ seconds: Double) throws -> [NotificationPayload] {
        try NotificationQueue(store).untold(at: at(seconds), most: 100).map(\.payload)
    }

    @Test func `who comes and who goes is told with the time of the site's zone`() throws {
        try store.commit([.arrival(1, of: ann, 0), .departure(2, of: ann, 600)])
        let told = try told(611)
        #expect(told.map(\.kind) == [.arrival, .departure])
        #expect(told.map(\.id) == ["gym-n1-1", "gym-n1-2"])
        #expect(told.map(\.user) == ["u-ann", "u-ann"])
        // 2025-10-09T08:53:20Z, in Berlin two hours later.
        #expect(told.map(\.body) == ["u-ann arrived at 10:53.", "u-ann left at 11:03."])
        #expect(told.map(\.title) == ["Arrival", "Departure"])
        #expect(told.map(\.tMs) == [at(0).milliseconds, at(600).milliseconds])
        #expect(told.map(\.subject) == ["7", "7"])
    }

    @Test func `every kind has its words`() throws {
        let session = "7"
        try store.commit([
            .notification(
                NotificationRow(
                    kind: .forgottenTag, cause: "open-7", user: ann, subject: session,
                    at: at(14 * 3600), since: at(0), made: at(14 * 3600))),
            .notification(
                NotificationRow(
                    kind: .forgottenTag, cause: "stray-7", user: ann, subject: session,
                    at: at(1901), since: at(100), made: at(1902))),
            .notification(
                NotificationRow(
                    kind: .noCheckIn, cause: "shift-1-2025-10-09", user: bob,
                    subject: "desk 2025-10-09", at: at(600), since: at(0), made: at(600))),
            .batteryLow(2, of: bob, 0),
            .notification(
                NotificationRow(
                    kind: .record, cause: "event-9", user: ann, subject: "bench-press",
                    at: at(0), made: at(0))),
        ])
        #expect(
            try told(50_400).map(\.body).sorted() == [
                "The battery of b-2 is nearly empty.",
                "u-ann checked out at 10:55, and the tag was still heard at 11:25.",
                "u-ann did better than ever before in bench-press, at 10:53.",
                "u-ann has been in for more than 14 hours, since 10:53 on 2025-10-09.",
                "u-bob has not come; the shift began at 10:53.",
            ])
        #expect(try told(50_400).contains { $0.subject == "b-2" })
        #expect(try store.load()?.saved.notifications.count == 4)
    }

    @Test
    func `who wants to be told of records is among what the machines know, until they do not`()
        throws
    {
        let queue = NotificationQueue(store)
        let asker = Asker(name: "ann", via: .rest, at: at(0))
        let before = store.overridesWritten.load(ordering: .relaxed)
        try queue.tellRecords("u-ann", true, by: asker)
        try queue.tellRecords("u-ann", true, by: asker)
        #expect(try queue.wantsRecords("u-ann") && !queue.wantsRecords("u-bob"))
        #expect(try store.decisions().duties?.rules.records == [ann])
        #expect(store.overridesWritten.load(ordering: .relaxed) == before + 1)
        try queue.setNoticeRules(NoticeRules(urgent: [.noCheckIn]), by: "ada", at: at(1))
        #expect(try queue.noticeRules().records == [ann], "rules of the site leave wishes alone")
        try queue.tellRecords("u-ann", false, by: asker)
        #expect(try store.decisions().duties?.rules.records == [])
        #expect(throws: BooksRefusal.self) { try queue.tellRecords("u-zoe", true, by: asker) }
        #expect(
            try store.texts("SELECT action, user FROM audit_log WHERE entity = 'record_notice'")
                == ["add 1", "remove 1"])
    }

    @Test func `what was told is not told again, and what was not is, after any restart`() throws {
        try store.commit([.arrival(1, of: ann, 0), .arrival(2, of: bob, 1)])
        // Stored again, as after a crash before it was known to be stored.
        try Store(path: scratch.path).commit([.arrival(1, of: ann, 0), .arrival(2, of: bob, 1)])
        #expect(try told(5).map(\.user) == ["u-ann", "u-bob"])
        try NotificationQueue(store).told([1], at: at(6))
        #expect(try told(7).map(\.user) == ["u-bob"])
        try NotificationQueue(store).told([1, 2], at: at(8))
        #expect(try told(9) == [])
        #expect(
            try store.texts("SELECT told_ms - \(start.milliseconds) FROM notification")
                == ["6000", "8000"])
    }

    @Test func `names stay out of what is told`() throws {
        try store.commit([.arrival(1, of: ann, 0), .batteryLow(3, of: cid, 50_400)])
        let json = try NotificationQueue(store).untold(at: at(50_401), most: 9).map {
            String(decoding: $0.payload.json, as: UTF8.self)
        }
        #expect(json.count == 2)
        for name in ["Ann", "Bob", "Cid"] { #expect(!json.joined().contains(name)) }
    }

    @Test func `what is no news any more is recorded and not told`() throws {
        try store.commit([
            .arrival(1, of: ann, 0, made: 900.001), .arrival(2, of: bob, 0.001, made: 900.001),
        ])
        #expect(try told(2000).map(\.user) == ["u-bob"])
        #expect(try store.texts("SELECT late FROM notification") == ["1", "0"])
    }

    @Test func `what nobody carries is told to webhooks only`() throws {
        try store.commit([.batteryLow(1, of: nil, 0)])
        #expect(try store.texts("SELECT user, subject FROM notification") == ["- b-1"])
        #expect(try told(2) == [])
    }

    @Test func `notifications are kept for ninety days with their deliveries`() throws {
        _ = try Webhooks(store).add(
            .here, secret: .secret, kinds: [.arrival], keepsQuiet: true, by: "ann", at: at(0))
        try store.commit([.arrival(1, of: ann, 1), .clock(90 * 86_400 + 1)])
        #expect(try store.texts("SELECT id FROM notification") == ["1"])
        try store.commit([.arrival(2, of: ann, 90 * 86_400 + 2), .clock(90 * 86_400 + 2)])
        #expect(try store.texts("SELECT id FROM notification") == ["2"])
        #expect(try store.texts("SELECT notification FROM delivery") == ["2"])
    }

    @Test func `the next moment with something to do is known`() throws {
        let queue = NotificationQueue(store)
        #expect(try queue.next(after: at(0)) == nil)
        try store.commit([.arrival(1, of: ann, 0, due: 500), .arrival(2, of: bob, 0, due: 400)])
        #expect(try queue.next(after: at(0)) == at(400))
        #expect(try queue.next(after: at(400)) == at(500))
        #expect(try queue.next(after: at(500)) == nil)
        try queue.told([1, 2], at: at(500))
        #expect(try queue.next(after: at(0)) == nil)
        // A webhook that fails is tried again.
        _ = try Webhooks(store).add(
            .here, secret: .secret, kinds: [.departure], keepsQuiet: true, by: "ann", at: at(0))
        try store.commit([.departure(3, of: bob, 600, due: 700)])
        #expect(try queue.next(after: at(600)) == at(700))
        try queue.told([3], at: at(700))
        let delivery = try #require(try Deliveries(store).due(at: at(700), busy: []).first)
        _ = try Deliveries(store).tried(delivery, .answered(500), at: at(701))
        let next = try #require(try queue.next(after: at(701)))
        #expect(next > at(701) && next <= at(702))
    }

    @Test func `shifts, leave and rules are known to the machines once they are decided`() throws {
        #expect(try store.decisions().duties?.assignments == [])
        let boss = Asker(name: "boss", via: .cli, at: at(0))
        let monday = try #require(LocalDate("2025-10-13"))
        let roster = Roster(store)
        try roster.add(
            Shift(
                id: 0, slug: "desk", name: "Desk", start: try #require(LocalTime(minutes: 540)),
                end: try #require(LocalTime(minutes: 1020)), lateGrace: .seconds(600)), by: boss)
        let before = try store.revisions()
        try roster.assign(["u-bob"], to: "desk", from: monday, to: nil, weekdays: [1], by: boss)
        #expect(try store.revisions().overrides == before.overrides + 1)
        #expect(try store.revisions().plan == before.plan)
        let nineTen = Timestamp(milliseconds: 1_760_339_400_000)
        var duties = try #require(try store.decisions().duties)
        #expect(duties.calendar.text(nineTen) == "2025-10-13 09:10:00+02:00")
        let turns = duties.turns(at: nineTen, by: duties.calendar)
        #expect(turns.map(\.assignment.user) == [bob])
        #expect(duties.turns(at: nineTen - .milliseconds(1), by: duties.calendar) == [])
        try roster.addLeave("u-bob", from: monday, to: monday, kind: "sick", isHalf: true, by: boss)
        duties = try #require(try store.decisions().duties)
        #expect(duties.turns(at: nineTen, by: duties.calendar) == [])
        try NotificationQueue(store).setNoticeRules(
            NoticeRules(quiet: DailyHours("22:00-07:00")), by: "boss", at: at(0))
        duties = try #require(try store.decisions().duties)
        #expect(duties.rules.quiet?.text == "22:00-07:00")
        #expect(
            store.overridesWritten.load(ordering: .relaxed) == (try store.revisions().overrides))
        // What the machines took in is what is read again.
        let decided = try store.decisions()
        try store.commit([.overrides(decided)])
        #expect(try store.load()?.saved.overrides == decided)
    }

    @Test func `the site's clocks are known before anybody decides anything`() throws {
        let duties = try #require(try store.decisions().duties)
        #expect(duties.calendar.text(at(0)) == "2025-10-09 10:53:20+02:00")
        #expect(duties.dayStart == .midnight)
        var gym = SiteDocument.gym
        gym.dayStart = try #require(LocalTime("04:00"))
        let before = try store.revisions().overrides
        try SiteImport(store).importDocument(gym, at: at(60))
        #expect(try store.revisions().overrides == before + 1)
        #expect(try store.decisions().duties?.dayStart.description == "04:00")
        gym.timeZone = "UTC"
        gym.dayStart = .midnight
        let elsewhere = try Scratch()
        let other = try elsewhere.store(gym)
        #expect(try other.decisions() == Overrides(revision: 0), "as where nobody said anything")
    }

    @Test func `duties of before the beginning of days was known begin at midnight`() throws {
        let duties = Duties(zones: [.utc], dayStart: try #require(LocalTime("04:00")))
        let text = try JSONText.text(of: duties).replacing(#""dayStart":"04:00","#, with: "")
        #expect(try JSONText.value(Duties.self, from: text).dayStart == .midnight)
        #expect(try JSONText.value(Duties.self, from: JSONText.text(of: duties)) == duties)
    }
}

extension Fact {
    private static func notification(
        _ kind: NotificationRow.Kind, _ event: Int64, of user: UserID, _ seconds: Double,
        made: Double?, due: Double?
    ) -> Fact {
        .notification(
            NotificationRow(
                kind: kind, cause: "event-\(event)", user: user, subject: "7", at: at(seconds),
                made: at(made ?? seconds), due: due.map(at)))
    }

    static func arrival(
        _ event: Int64, of user: UserID, _ seconds: Double, made: Double? = nil, due: Double? = nil
    ) -> Fact {
        notification(.arrival, event, of: user, seconds, made: made, due: due)
    }

    static func departure(
        _ event: Int64, of user: UserID, _ seconds: Double, made: Double? = nil, due: Double? = nil
    ) -> Fact {
        notification(.departure, event, of: user, seconds, made: made, due: due)
    }

    static func batteryLow(_ beacon: Int64, of user: UserID?, _ seconds: Double) -> Fact {
        .notification(
            NotificationRow(
                kind: .batteryLow, cause: "battery-\(beacon)-\(seconds)", user: user,
                beacon: BeaconID(beacon), at: at(seconds), made: at(seconds)))
    }

    static func clock(_ seconds: Double) -> Fact {
        .site(SiteRow(clock: at(seconds), next: 1, coverage: [], clocks: []))
    }
}

extension WebhookAddress {
    /// An address of this machine.
    static var here: WebhookAddress {
        get throws { try WebhookAddress("http://127.0.0.1:9/hook") }
    }
}

extension String {
    /// 64 hexadecimal digits.
    static let secret = String(repeating: "5a", count: 32)
}
