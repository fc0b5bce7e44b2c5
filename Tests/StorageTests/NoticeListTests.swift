import Foundation
import Notifications
import SiteModel
import Testing

@testable import SiteStore

/// Notifications as they are listed: who sees which, and up to where they were seen.
struct NoticeListTests {
    private let scratch: Scratch
    private let store: Store
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
        let rows: [(String, String, String, Int64)] = [
            ("arrival", "u-ann", "1", 10), ("step-goal", "u-ann", "2026-11-02", 20),
            ("battery-low", "u-bob", "b-1", 30), ("arrival", "u-bob", "2", 40),
            ("move-reminder", "u-bob", "", 50), ("queue-offer", "u-ann", "rack", 60),
        ]
        try store.write { db in
            for (index, (kind, user, subject, seconds)) in rows.enumerated() {
                try db.run(
                    """
                    INSERT INTO notification (epoch, kind, cause, user, subject, title, body, at_ms, made_ms,
                        due_ms, late)
                    SELECT 1, ?, ?, id, ?, '', '', ?, ?, ?, 0 FROM user WHERE slug = ?
                    """,
                    [
                        kind, "c\(index)", subject, now.milliseconds + seconds * 1000,
                        now.milliseconds + seconds * 1000,
                        // The last waits for the end of quiet hours.
                        now.milliseconds + (index == 5 ? 7_200_000 : seconds * 1000), user,
                    ])
            }
            for (name, role, user) in [("ann", "member", "u-ann"), ("fay", "manager", "")] {
                try db.run(
                    """
                    INSERT INTO account (name, role, user, made_ms)
                    VALUES (?, ?, (SELECT id FROM user WHERE slug = ?), ?)
                    """, [name, role, user, now.milliseconds])
            }
        }
    }

    private var queue: Notifications.NotificationQueue { .init(store) }
    private var later: Timestamp { now + .seconds(3600) }
    private let ann = NoticeReader(
        account: "ann", user: "u-ann", seesOthers: false, hidden: [])
    private let manager = NoticeReader(
        account: "fay", user: nil, seesOthers: true, hidden: [.goal, .reminder])
    private let owner = NoticeReader(
        account: nil, user: nil, seesOthers: true, hidden: [])

    private func kinds(_ reader: NoticeReader, of user: String? = nil) throws -> [String] {
        try queue.listed(for: reader, of: user, most: 50, at: later).map(\.kind.rawValue)
    }

    @Test func `each sees what is theirs, who runs the site what is not private`() throws {
        #expect(try kinds(ann) == ["step-goal", "arrival"])
        #expect(try kinds(manager) == ["arrival", "battery-low", "arrival"])
        #expect(
            try kinds(owner)
                == ["move-reminder", "arrival", "battery-low", "step-goal", "arrival"])
        #expect(try kinds(manager, of: "u-ann") == ["arrival"])
        #expect(try kinds(ann, of: "u-bob").isEmpty)
        let nobody = NoticeReader(
            account: nil, user: nil, seesOthers: false, hidden: [])
        #expect(try kinds(nobody).isEmpty)
    }

    @Test func `what is held back by quiet hours is listed when they are over`() throws {
        let all = try queue.listed(for: ann, most: 50, at: now + .seconds(8000))
        #expect(all.first?.kind == .queueOffer && all.count == 3)
    }

    @Test func `pages follow each other without a gap`() throws {
        var found: [Int64] = []
        var next: NoticePlace?
        repeat {
            let page = try queue.listed(for: owner, before: next, most: 2, at: later)
            found += page.map(\.id)
            next = page.last.map { NoticePlace(due: $0.due, id: $0.id) }
        } while next != nil
        #expect(found == [5, 4, 3, 2, 1])
    }

    @Test func `what is new is counted until it was seen, and never again`() throws {
        #expect(try queue.unread(by: ann, at: later) == 2)
        // Of others only what somebody should do something about.
        #expect(try queue.unread(by: manager, at: later) == 1)
        #expect(try queue.unread(by: owner, at: later) == 0, "a program has no marks")
        try queue.mark(through: now + .seconds(10), by: "ann", at: later)
        #expect(try queue.unread(by: ann, at: later) == 1)
        #expect(
            try queue.listed(for: ann, most: 50, at: later).map(\.isRead) == [false, true])
        try queue.mark(through: now + .seconds(1_000_000), by: "ann", at: later)
        try queue.mark(through: now, by: "ann", at: later)
        #expect(try queue.unread(by: ann, at: later) == 0)
        // What quiet hours held back is new when they are over, though it is older than what was seen.
        #expect(try queue.unread(by: ann, at: now + .seconds(8000)) == 1)
        #expect(try queue.unread(by: manager, at: later) == 1)
        try queue.mark(through: later, by: "nobody", at: later)
    }

    @Test func `what was there before an account is not new to it`() throws {
        try scratch.execute("UPDATE account SET made_ms = \(now.milliseconds + 15_000)")
        #expect(try queue.unread(by: ann, at: later) == 1)
    }
}
