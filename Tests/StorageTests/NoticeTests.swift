import Testing

@testable import Notifications
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

    @Test func `who comes and who goes is told once, with the time of the site's zone`() throws {
        try store.commit([.arrival(1, of: ann, 0), .departure(2, of: ann, 600)])
        #expect(try NotificationQueue(store).notice(at: at(610)) == [.arrival, .departure])
        #expect(try NotificationQueue(store).notice(at: at(611)) == [])
        let told = try told(611)
        #expect(told.map(\.kind) == [.arrival, .departure])
        #expect(told.map(\.id) == ["gym-n1-1", "gym-n1-2"])
        #expect(told.map(\.user) == ["u-ann", "u-ann"])
        // 2025-10-09T08:53:20Z, in Berlin two hours later.
        #expect(told.map(\.body) == ["u-ann arrived at 10:53.", "u-ann left at 11:03."])
        #expect(told.map(\.tMs) == [at(0).milliseconds, at(600).milliseconds])
        #expect(told.map(\.subject) == ["7", "7"])
    }

    @Test func `what was told is not told again, and what was not is, after any restart`() throws {
        try store.commit([.arrival(1, of: ann, 0), .arrival(2, of: bob, 1)])
        // The coordinator dies before it looked, then before it told, then before it noted one.
        _ = try NotificationQueue(Store(path: scratch.path)).notice(at: at(5))
        #expect(try told(5).map(\.user) == ["u-ann", "u-bob"])
        try NotificationQueue(store).told([1], at: at(6))
        #expect(try NotificationQueue(Store(path: scratch.path)).notice(at: at(7)) == [])
        #expect(try told(7).map(\.user) == ["u-bob"])
        try NotificationQueue(store).told([1, 2], at: at(8))
        #expect(try told(9) == [])
        #expect(
            try store.texts("SELECT told_ms - \(start.milliseconds) FROM notification")
                == ["6000", "8000"])
    }

    @Test func `names stay out of what is told`() throws {
        try store.commit([.arrival(1, of: ann, 0), .session(1, of: bob, from: 0)])
        try store.commit([.batteryLow(1, of: 3, 50_400)])
        _ = try NotificationQueue(store).notice(at: at(50_401))
        let json = try NotificationQueue(store).untold(at: at(50_401), most: 9).map {
            String(decoding: $0.payload.json, as: UTF8.self)
        }
        #expect(json.count == 2)
        for name in ["Ann", "Bob", "Cid"] { #expect(!json.joined().contains(name)) }
    }

    @Test func `what is no news any more is recorded and not told`() throws {
        try store.commit([.arrival(1, of: ann, 0), .arrival(2, of: bob, 0.001)])
        #expect(try NotificationQueue(store).notice(at: at(900.001)) == [.arrival, .arrival])
        #expect(try told(2000).map(\.user) == ["u-bob"])
        #expect(try store.texts("SELECT late FROM notification") == ["1", "0"])
    }

    @Test func `many events are looked at in turn`() throws {
        try store.commit((1...2300).map { .arrival($0, of: ann, Double($0) / 100) })
        var seen = 0
        while true {
            let kinds = try NotificationQueue(store).notice(at: at(60))
            guard !kinds.isEmpty else { break }
            #expect(kinds.count <= 1000)
            seen += kinds.count
        }
        #expect(seen == 2300)
        #expect(try store.texts("SELECT event FROM notice_cursor") == ["2300"])
    }

    @Test func `events that are nobody's arrival move the cursor only`() throws {
        try store.commit([.event(.entered, 1, of: ann, 0), .event(.corrected, 2, of: ann, 0)])
        #expect(try NotificationQueue(store).notice(at: at(1)) == [])
        #expect(try store.texts("SELECT event FROM notice_cursor") == ["2"])
        #expect(try store.texts("SELECT count(*) FROM notification") == ["0"])
    }

    @Test func `a session that does not end is told of once, as long as the rules say`() throws {
        try store.commit([.session(1, of: ann, from: 0)])
        #expect(try NotificationQueue(store).notice(at: at(14 * 3600)) == [])
        #expect(try NotificationQueue(store).notice(at: at(14 * 3600 + 1)) == [.forgottenTag])
        #expect(try NotificationQueue(store).notice(at: at(15 * 3600)) == [])
        let body = try told(15 * 3600).map(\.body)
        #expect(body == ["u-ann has been in for more than 14 hours, since 10:53 on 2025-10-09."])
        try NotificationQueue(store).setNoticeRules(
            NoticeRules(forgotten: .seconds(3600)), by: "ann", at: at(0))
        try store.commit([.session(2, of: bob, from: 50_000), .session(3, of: cid, from: 53_000)])
        #expect(try NotificationQueue(store).notice(at: at(53_601)) == [.forgottenTag])
    }

    @Test func `a tag heard long after its check-out is told of once`() throws {
        func hear(_ user: UserID, until seconds: Double) throws {
            var ledger = Ledger()
            _ = ledger.add(Interval(from: at(0), to: at(seconds)), room: hall)
            try store.commit([.ledger(LedgerRow(user: user, heard: ledger.heard))])
        }
        func leave(_ id: Int64, _ user: UserID, _ cause: Session.OutCause) throws {
            try store.commit([
                .session(
                    Session(id: id, user: user, from: at(0), to: at(100), outCause: cause))
            ])
        }
        try leave(1, ann, .manual)
        try leave(2, bob, .lastHeard)
        try hear(ann, until: 100 + 1800)
        try hear(bob, until: 100 + 1800)
        #expect(try NotificationQueue(store).notice(at: at(1901)) == [])
        try hear(ann, until: 100 + 1801)
        try hear(bob, until: 100 + 1801)
        #expect(try NotificationQueue(store).notice(at: at(1902)) == [.forgottenTag])
        #expect(try NotificationQueue(store).notice(at: at(1903)) == [])
        #expect(
            try told(1903).map(\.body)
                == ["u-ann checked out at 10:55, and the tag was still heard at 11:25."])
        // Who came back is no stray tag.
        try leave(3, cid, .manual)
        try store.commit([.session(4, of: cid, from: 200)])
        try hear(cid, until: 5000)
        #expect(try NotificationQueue(store).notice(at: at(5000)) == [])
    }

    @Test func `an empty battery is told of once a week`() throws {
        let day = 86_400.0
        try store.commit([.batteryLow(1, of: 2, 0)])
        #expect(try NotificationQueue(store).notice(at: at(1)) == [.batteryLow])
        for number in 1...7 {
            let moment = Double(number) * day + 1
            try store.commit([.batteryLow(Int64(number) + 1, of: 2, moment)])
            let expected: [NotificationPayload.Kind] = number == 7 ? [.batteryLow] : []
            #expect(
                try NotificationQueue(store).notice(at: at(moment)) == expected, "day \(number)")
            #expect(try NotificationQueue(store).notice(at: at(moment + 1)) == [], "day \(number)")
        }
        #expect(try told(1).first?.user == "u-bob")
        #expect(try told(1).first?.subject == "b-2")
    }

    @Test func `what nobody carries is told to webhooks only`() throws {
        try store.commit([.batteryLow(1, of: 1, 0)])
        try scratch.execute("UPDATE beacon_binding SET to_ms = from_ms + 1 WHERE beacon = 1")
        _ = try NotificationQueue(store).notice(at: at(1))
        #expect(try store.texts("SELECT user, subject FROM notification") == ["- b-1"])
        #expect(try told(2) == [])
    }

    @Test func `notifications are kept for ninety days with their deliveries`() throws {
        _ = try Webhooks(store).add(
            .here, secret: .secret, kinds: [.arrival], keepsQuiet: true, by: "ann", at: at(0))
        try store.commit([.arrival(1, of: ann, 0)])
        _ = try NotificationQueue(store).notice(at: at(1))
        try store.commit([.arrival(2, of: ann, 90 * 86_400)])
        _ = try NotificationQueue(store).notice(at: at(90 * 86_400 + 1))
        #expect(try store.texts("SELECT id FROM notification") == ["1", "2"])
        try store.commit([.arrival(3, of: ann, 90 * 86_400 + 2)])
        _ = try NotificationQueue(store).notice(at: at(90 * 86_400 + 2))
        #expect(try store.texts("SELECT id FROM notification") == ["2", "3"])
        #expect(try store.texts("SELECT notification FROM delivery") == ["2", "3"])
    }
}

extension Fact {
    static func event(
        _ kind: Event.Kind, _ id: Int64, of user: UserID, _ seconds: Double
    ) -> Fact {
        .event(Event(id: id, kind: kind, at: at(seconds), user: user, place: nil, subject: 7))
    }

    static func arrival(_ id: Int64, of user: UserID, _ seconds: Double) -> Fact {
        event(.checkedIn, id, of: user, seconds)
    }

    static func departure(_ id: Int64, of user: UserID, _ seconds: Double) -> Fact {
        event(.checkedOut, id, of: user, seconds)
    }

    static func session(_ id: Int64, of user: UserID, from seconds: Double) -> Fact {
        .session(Session(id: id, user: user, from: at(seconds), to: nil))
    }

    static func batteryLow(_ seq: Int64, of beacon: Int64, _ seconds: Double) -> Fact {
        .nodeEvent(
            NodeEventRow(
                node: NodeID(1),
                event: NodeEvent(
                    record: Record(log: 1, sequence: seq, after: seq - 1), boot: 2,
                    at: at(seconds), kind: "battery-low", detail: nil, beacon: BeaconID(beacon),
                    value: 12), at: at(seconds), happened: at(seconds)))
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
